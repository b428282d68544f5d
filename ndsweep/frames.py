"""Tables of pandas, which is imported where one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def data_frame(data: Any, columns: Sequence[str] | None = None, index: Sequence[str] | None = None) -> pd.DataFrame:
    """The data as a table; ImportError, with what to install, where there is no pandas.

    Examples
    --------
    >>> data_frame([{"games": 3}], columns=["games"]).shape
    (1, 1)
    """
    try:
        import pandas as pd
    except ImportError:
        raise ImportError('to_pandas needs pandas: pip install "ndsweep[pandas]"') from None
    return pd.DataFrame(data, columns=columns, index=index)  # type: ignore[arg-type]
