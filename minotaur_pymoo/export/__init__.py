"""Models as JSON, text, Markdown, LaTeX, tables, Python source, SQL and an HTML page."""

from minotaur_pymoo.export.json_format import from_json, load, save, to_json
from minotaur_pymoo.export.json_schema import JSON_SCHEMA
from minotaur_pymoo.export.page import front_page
from minotaur_pymoo.export.python_source import to_python
from minotaur_pymoo.export.sql import to_sql
from minotaur_pymoo.export.tables import to_tables
from minotaur_pymoo.export.texts import to_frame, to_latex, to_markdown, to_text
from minotaur_pymoo.rules.front import SavedModels
from minotaur_pymoo.rules.regions import RegionCount, RegionCounts, count_regions

__all__ = [
    "JSON_SCHEMA",
    "RegionCount",
    "RegionCounts",
    "SavedModels",
    "count_regions",
    "from_json",
    "front_page",
    "load",
    "save",
    "to_frame",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_python",
    "to_sql",
    "to_tables",
    "to_text",
]
