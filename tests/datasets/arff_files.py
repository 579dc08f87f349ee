"""ARFF files for tests."""

from __future__ import annotations

from pathlib import Path

DENSE = """% a comment
@RELATION music

@ATTRIBUTE tempo NUMERIC
@attribute 'the genre' {folk, 'hip hop', "rock'n'roll"}
@attribute loudness real
@attribute year integer
@attribute calm {0,1}
@attribute 'very happy' {1,0}

@DATA
60.5, folk, -3, 1999.5, 1, 0
% another comment

?,'hip hop', 1e3, 2001, 0, 1
90, "rock'n'roll", ?, 1980, 0, 0
80, ?, 0, ?, 1, 1
"""


XML = """<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="calm"></label>
<label name="very happy"/>
</labels>
"""


SPARSE = """@relation music
@attribute tempo numeric
@attribute genre {folk, pop, rock}
@attribute calm {0,1}
@attribute loud {1,0}
@data
{0 60, 1 rock, 2 1}
{}
{ 1 pop,3 0 }
{0 ?, 1 ?}
0,folk,0,1
"""


def write(folder: Path, text: str, name: str = "music.arff") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def with_header(rows: str) -> str:
    """Return a file whose header takes lines 1 to 5."""
    return (
        "@relation a\n@attribute x numeric\n@attribute c {u,v}\n@attribute y {0,1}\n@data\n" + rows
    )
