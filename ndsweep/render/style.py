"""The style sheet of what notebooks show: light or dark as the page is."""

from __future__ import annotations

from functools import cache

from ndsweep.render.colours import DARK, DARK_HINTS, HINTS, LIGHT

_DARK_PAGES = (
    '[data-jp-theme-light="false"]',  # JupyterLab
    "html[theme=dark]",  # Colab
    "[data-theme=dark]",  # Sphinx
    ".vscode-dark",
    ".dark",  # marimo
)
_LIGHT_PAGES = ('[data-jp-theme-light="true"]', "html[theme=light]", "[data-theme=light]", ".vscode-light", ".light")
_RULES = """
.ndsweep{font:13px/1.4 system-ui,sans-serif;color:var(--ink);display:inline-block;max-width:100%;overflow-x:auto}
.ndsweep .say{margin:4px 2px;color:var(--faint)}
.ndsweep .across,.ndsweep .down{display:flex;gap:14px;align-items:flex-start}
.ndsweep .across{flex-wrap:wrap}.ndsweep .down{flex-direction:column}
.ndsweep table.grid{border-collapse:separate;border-spacing:1px;background:var(--page);padding:3px;border-radius:4px;
margin:0;border:0}
.ndsweep table.grid caption{caption-side:top;text-align:left;color:var(--faint);padding:2px;font-size:12px}
.ndsweep table.grid td{min-width:22px;width:22px;height:22px;padding:0;border:0;border-radius:3px;text-align:center;
font:bold 13px/22px ui-monospace,Menlo,Consolas,monospace;background:var(--open);color:var(--ink)}
.ndsweep table.grid td.h{background:var(--tile);box-shadow:inset 0 2px var(--tile-light),inset 0 -2px var(--tile-edge)}
.ndsweep table.grid td.h{color:var(--tile-edge)}
.ndsweep table.grid td.f{color:var(--flag)}
.ndsweep table.grid td.m{font-size:18px}
.ndsweep table.grid td.b{background:var(--burst)}
.ndsweep table.grid td.w{color:var(--ink);text-decoration:line-through}
.ndsweep table.grid td.p{font-size:11px;letter-spacing:-.5px}
.ndsweep table.list{border-collapse:collapse;margin:2px 0;border:0}
.ndsweep table.list th,.ndsweep table.list td{padding:2px 10px 2px 2px;text-align:right;border:0;
border-bottom:1px solid var(--page);background:none;color:var(--ink);font-variant-numeric:tabular-nums}
.ndsweep table.list th{color:var(--faint);font-weight:normal}
.ndsweep table.list td:first-child,.ndsweep table.list th:first-child{text-align:left}
.ndsweep svg.bar{vertical-align:middle}
.ndsweep img{image-rendering:pixelated;display:block}
.ndsweep .key span{display:inline-block;width:11px;height:11px;margin:0 4px 0 10px;vertical-align:-1px;
border:1px solid var(--faint)}
""".replace("\n", "")


@cache
def style() -> str:
    """The style sheet as an element; all rules are for what is inside of ``class="ndsweep"``.

    Examples
    --------
    >>> style()[:16], len(style()) < 5000
    ('<style>.ndsweep{', True)
    """
    light, dark = _variables(LIGHT, HINTS), _variables(DARK, DARK_HINTS)
    parts = [
        f".ndsweep{{{light}}}",
        f"@media(prefers-color-scheme:dark){{.ndsweep{{{dark}}}}}",
        f"{','.join(f'{page} .ndsweep' for page in _LIGHT_PAGES)}{{{light}}}",
        f"{','.join(f'{page} .ndsweep' for page in _DARK_PAGES)}{{{dark}}}",
        *(f".ndsweep table.grid td.n{k}{{color:var(--n{k})}}" for k in range(len(HINTS))),
    ]
    return f"<style>{parts[0]}{''.join(parts[1:])}{_RULES}</style>"


def _variables(grounds: dict[str, str], hints: tuple[str, ...]) -> str:
    """The colours of a theme, by name."""
    names = {**grounds, **{f"n{k}": colour for k, colour in enumerate(hints)}}
    return "".join(f"--{name}:{colour};" for name, colour in names.items())


def framed(*parts: str) -> str:
    """What a notebook shows: the parts below each other, with their style.

    Examples
    --------
    >>> framed("<p>1</p>").endswith('<div class="ndsweep"><p>1</p></div>')
    True
    """
    return f'{style()}<div class="ndsweep">{"".join(parts)}</div>'
