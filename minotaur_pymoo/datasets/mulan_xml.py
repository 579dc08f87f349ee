"""Label names from MULAN's XML files."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

from minotaur_pymoo.datasets.files import reraise_as_input_error
from minotaur_pymoo.support.errors import InputError

_SEPARATOR = " "


def read_label_names(path: Path) -> list[str]:
    """Read the names of all labels, parents before their children.

    Document types are rejected, and with them all entities, which could fill the memory or read
    other files.
    """
    names: list[str] = []

    def reject(*_: object) -> None:
        raise InputError(
            f"{path} declares a document type, which is not allowed for safety: remove its DOCTYPE."
        )

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(_SEPARATOR)[2] != "label":
            return
        if "name" not in attributes:
            raise InputError(
                f"{path}, line {parser.CurrentLineNumber}: a label has no name:"
                ' write it as <label name="...">.'
            )
        names.append(attributes["name"])

    parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
    parser.StartDoctypeDeclHandler = reject
    parser.EntityDeclHandler = reject
    parser.StartElementHandler = start
    try:
        with reraise_as_input_error(path):
            parser.Parse(path.read_bytes(), True)
    except expat.ExpatError as error:
        raise InputError(
            f"{path}, line {error.lineno}: invalid XML"
            f" ({expat.errors.messages[error.code]}): correct the file, or pass labels instead."
        ) from None
    except InputError:
        raise
    except (LookupError, ValueError) as error:
        raise InputError(
            f"{path} has an unsupported encoding ({error}): save it as UTF-8."
        ) from None
    if not names:
        raise InputError(f"{path} contains no labels: is it the XML file of a MULAN dataset?")
    return names
