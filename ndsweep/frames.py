"""Tables of pandas and of Arrow, which are imported where one is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ndsweep.extras import needed

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def data_frame(data: Any, columns: Sequence[str] | None = None, index: Sequence[str] | None = None) -> pd.DataFrame:
    """The data as a table; ImportError, with what to install, where there is no pandas.

    Examples
    --------
    >>> data_frame([{"games": 3}], columns=["games"]).shape
    (1, 1)
    """
    with needed("to_pandas needs pandas", "pandas"):
        import pandas as pd
    return pd.DataFrame(data, columns=columns, index=index)  # type: ignore[arg-type]


def arrow_table(columns: Mapping[str, Any], about: Mapping[str, Any] | None = None) -> pa.Table:
    """The columns as a table of Arrow, without copies where its memory is that of NumPy.

    ``about`` goes into the metadata as JSON, under the key ``ndsweep``.

    Examples
    --------
    >>> table = arrow_table({"games": np.arange(3)}, {"seed": 5})
    >>> table.num_rows, table.schema.metadata
    (3, {b'ndsweep': b'{"seed": 5}'})
    """
    with needed("a table of Arrow needs pyarrow", "arrow"):
        import pyarrow as pa
    table = pa.table(dict(columns))
    return table if about is None else table.replace_schema_metadata({"ndsweep": json.dumps(about)})


def rows_of_arrow(rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any] | None = None) -> pa.Table:
    """Rows with the same names as a table of Arrow.

    Examples
    --------
    >>> rows_of_arrow([{"shape": [9, 9], "games": 3}]).to_pylist()
    [{'shape': [9, 9], 'games': 3}]
    """
    return arrow_table({name: [row[name] for row in rows] for name in rows[0]}, about)


def tensors(array: npt.NDArray[Any]) -> pa.Array:
    """A (k, *shape) array as a column of tensors: the shape is part of its type.

    Booleans become bytes 0 and 1, as Arrow has no tensors of bits.

    Examples
    --------
    >>> tensors(np.zeros((2, 3, 4), dtype=bool)).type.shape
    [3, 4]
    """
    with needed("a table of Arrow needs pyarrow", "arrow"):
        import pyarrow as pa
    rows = np.ascontiguousarray(array)
    numbers = rows.view(np.uint8) if rows.dtype == np.bool_ else rows
    shape = numbers.shape[1:]
    values = pa.FixedSizeListArray.from_arrays(pa.array(numbers.reshape(-1)), prod(shape))
    return pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(values.type.value_type, shape), values)
