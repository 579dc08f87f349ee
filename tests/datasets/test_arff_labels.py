from __future__ import annotations

from pathlib import Path

import pytest

from minotaur_pymoo.datasets import load_arff
from tests.datasets.arff_files import DENSE, XML, write
from tests.datasets.errors import error_message


def test_xml_with_nested_labels_and_namespace_prefix(tmp_path: Path) -> None:
    path = write(tmp_path, DENSE)
    text = (
        '<m:labels xmlns:m="http://mulan.sourceforge.net/labels">'
        '<m:label name="very happy"><m:label name="calm"/></m:label></m:labels>'
    )
    xml = write(tmp_path, text, "tree.xml")
    # Labels are in column order, as with a number of labels.
    assert load_arff(path, xml=xml).label_names == ("calm", "very happy")


@pytest.mark.parametrize("name", ["music-train.arff", "music-test.arff"])
def test_train_and_test_files_share_the_xml(tmp_path: Path, name: str) -> None:
    write(tmp_path, XML, "music.xml")
    assert load_arff(write(tmp_path, DENSE, name)).label_names == ("calm", "very happy")


def test_labels_take_precedence_over_the_xml(tmp_path: Path) -> None:
    write(tmp_path, XML, "music.xml")
    assert load_arff(write(tmp_path, DENSE), 1).label_names == ("very happy",)


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("'music: -C 2'", ("a", "b")),
        ("'music: -C 1 -split-percentage 66'", ("a",)),
        ('"music: -c-other -C -2"', ("b", "c")),
        ("'music: -C -1'", ("c",)),
    ],
)
def test_meka_option_defines_the_labels(
    tmp_path: Path, relation: str, expected: tuple[str, ...]
) -> None:
    attributes = "".join(f"@attribute {name} {{0,1}}\n" for name in "abc")
    path = write(tmp_path, f"@relation {relation}\n{attributes}@data\n0,1,1\n1,0,0\n")
    assert load_arff(path).label_names == expected


def test_undefined_labels_are_rejected(tmp_path: Path) -> None:
    path = write(tmp_path, DENSE)
    message = error_message(lambda: load_arff(path))
    assert f"{path} does not define its label columns" in message
    assert "MULAN's XML" in message


def test_labels_and_xml_together_are_rejected(tmp_path: Path) -> None:
    message = error_message(lambda: load_arff(tmp_path / "a.arff", 1, xml=tmp_path / "a.xml"))
    assert "labels and xml both define" in message


def test_unknown_label_suggests_a_similar_one(tmp_path: Path) -> None:
    path = write(tmp_path, DENSE)
    xml = write(tmp_path, XML.replace("calm", "clam"), "music.xml")
    message = error_message(lambda: load_arff(path, xml=xml))
    assert f"no label 'clam' in {path}: did you mean 'calm'?" in message


def test_missing_xml_is_rejected(tmp_path: Path) -> None:
    path, xml = write(tmp_path, DENSE), tmp_path / "no.xml"
    assert f"there is no file {xml}" in error_message(lambda: load_arff(path, xml=xml))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("<labels>\n<label name='a'>\n</labels>", "line 3: invalid XML (mismatched tag)"),
        ("", "line 1: invalid XML (no element found)"),
        ("<labels>\n<label/></labels>", "line 2: a label has no name"),
        ("<labels/>", "contains no labels"),
        ("<labels>&bomb;</labels>", "invalid XML (undefined entity)"),
        ("<?xml version='1.0' encoding='no-such'?><labels/>", "unknown encoding: no-such"),
        ("<?xml version='1.0' encoding='gb2312'?><labels/>", "an unsupported encoding"),
    ],
)
def test_invalid_xml_is_rejected(tmp_path: Path, text: str, part: str) -> None:
    path, xml = write(tmp_path, DENSE), write(tmp_path, text, "labels.xml")
    message = error_message(lambda: load_arff(path, xml=xml))
    assert part in message
    assert str(xml) in message


@pytest.mark.parametrize(
    "doctype",
    [
        "<!DOCTYPE labels>",
        '<!DOCTYPE labels [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE labels [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE labels SYSTEM "http://localhost/labels.dtd">',
    ],
)
def test_document_types_are_rejected(tmp_path: Path, doctype: str) -> None:
    path = write(tmp_path, DENSE)
    xml = write(tmp_path, f'{doctype}<labels><label name="&b;"/></labels>', "labels.xml")
    message = error_message(lambda: load_arff(path, xml=xml))
    assert f"{xml} declares a document type, which is not allowed for safety" in message
