"""Render: boards, games and views as text, pixels, SVG and HTML, and results as tables."""

from ndsweep.render.html import html
from ndsweep.render.image import image
from ndsweep.render.svg import svg
from ndsweep.render.text import board_text, view_cells, view_text

__all__ = ["board_text", "html", "image", "svg", "view_cells", "view_text"]
