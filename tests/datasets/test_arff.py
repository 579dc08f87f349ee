from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo.datasets import Dataset, load_arff
from tests.datasets.test_datasets import complaint

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
    """Lines 1 to 5 are the header."""
    return (
        "@relation a\n@attribute x numeric\n@attribute c {u,v}\n@attribute y {0,1}\n@data\n" + rows
    )


class TestDense:
    def test_mulan(self, tmp_path: Path) -> None:
        path = write(tmp_path, DENSE)
        write(tmp_path, XML, "music.xml")
        data = load_arff(path)
        expected = [
            [60.5, 0, -3, 1999.5],
            [np.nan, 1, 1000, 2001],
            [90, 2, np.nan, 1980],
            [80, np.nan, 0, np.nan],
        ]
        np.testing.assert_array_equal(data.X, expected)
        assert data.X.dtype == np.float64
        assert data.Y.tolist() == [[1, 0], [0, 1], [0, 0], [1, 1]]
        assert data.Y.dtype == np.uint8
        assert data.name == "music"
        assert data.feature_names == ("tempo", "the genre", "loudness", "year")
        assert data.label_names == ("calm", "very happy")
        assert data.categories == {1: ("folk", "hip hop", "rock'n'roll")}

    @pytest.mark.parametrize("labels", [2, ["calm", "very happy"], ("calm", "very happy")])
    def test_same_with_labels(self, tmp_path: Path, labels: Any) -> None:
        path = write(tmp_path, DENSE)
        data = load_arff(str(path), labels)
        assert data.label_names == ("calm", "very happy")
        assert data.Y.tolist() == [[1, 0], [0, 1], [0, 0], [1, 1]]

    def test_prefix(self, tmp_path: Path) -> None:
        assert load_arff(write(tmp_path, DENSE), "very").label_names == ("very happy",)

    def test_true_and_false(self, tmp_path: Path) -> None:
        text = (
            "@relation a\n@attribute x real\n@attribute y {TRUE, FALSE}\n@data\n1,TRUE\n2,FALSE\n"
        )
        assert load_arff(write(tmp_path, text), 1).Y.tolist() == [[1], [0]]

    def test_numeric_labels(self, tmp_path: Path) -> None:
        text = "@relation a\n@attribute x real\n@attribute y numeric\n@data\n1,1\n2,0.0\n"
        assert load_arff(write(tmp_path, text), 1).Y.tolist() == [[1], [0]]

    def test_tabs_windows_lines_and_byte_order_mark(self, tmp_path: Path) -> None:
        text = "@relation\ta\n@ATTRIBUTE\tx\treal\n@attribute\ty\t{0,\t1}\n@data\n1,\t1\n"
        path = tmp_path / "a.arff"
        path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        data = load_arff(path, 1)
        assert (data.X.tolist(), data.Y.tolist()) == ([[1.0]], [[1]])

    def test_spaces_around_quoted_categories(self, tmp_path: Path) -> None:
        text = (
            "@relation a\n@attribute 'a b' { 'p q' , \"r s\" ,t}\n@attribute y{0,1}\n@data\n"
            "'r s',1\nt,0\n"
        )
        data = load_arff(write(tmp_path, text), 1)
        assert data.feature_names == ("a b",)
        assert data.categories == {0: ("p q", "r s", "t")}
        assert data.X.tolist() == [[1.0], [2.0]]

    def test_escapes(self, tmp_path: Path) -> None:
        text = (
            "@relation a\n@attribute 'it\\'s' {'don\\'t', '50\\%'}\n@attribute y {0,1}\n@data\n"
            "'50\\%',1\n'don\\'t',0\n"
        )
        data = load_arff(write(tmp_path, text), ["y"])
        assert data.feature_names == ("it's",)
        assert data.categories == {0: ("don't", "50%")}
        assert data.X.tolist() == [[1.0], [0.0]]

    def test_question_mark_is_no_category(self, tmp_path: Path) -> None:
        text = "@relation a\n@attribute c {?,u}\n@attribute y {0,1}\n@data\n?,1\nu,0\n"
        data = load_arff(write(tmp_path, text), 1)
        assert data.categories == {0: ("u",)}
        np.testing.assert_array_equal(data.X, [[np.nan], [0]])


class TestSparse:
    def test_what_is_left_out_is_zero_or_the_first_category(self, tmp_path: Path) -> None:
        data = load_arff(write(tmp_path, SPARSE), 2)
        np.testing.assert_array_equal(data.X, [[60, 2], [0, 0], [0, 1], [np.nan, np.nan], [0, 0]])
        assert data.Y.tolist() == [[1, 1], [0, 1], [0, 0], [0, 1], [0, 1]]

    def test_zero_is_not_the_first_category_if_another_is(self, tmp_path: Path) -> None:
        text = "@relation a\n@attribute c {2,1,0}\n@attribute y {0,1}\n@data\n{}\n{0 0}\n{0 1}\n"
        data = load_arff(write(tmp_path, text), 1)
        assert data.categories == {0: ("2", "1", "0")}
        assert data.X.tolist() == [[0.0], [2.0], [1.0]]

    def test_index_out_of_range(self, tmp_path: Path) -> None:
        path = write(tmp_path, with_header("{0 1}\n{3 1}\n"))
        assert f"{path}, line 7: the row does not" in complaint(lambda: load_arff(path, 1))


class TestLabels:
    def test_nested_and_prefixed_xml(self, tmp_path: Path) -> None:
        path = write(tmp_path, DENSE)
        text = (
            '<m:labels xmlns:m="http://mulan.sourceforge.net/labels">'
            '<m:label name="very happy"><m:label name="calm"/></m:label></m:labels>'
        )
        xml = write(tmp_path, text, "tree.xml")
        # In the order of the columns, so that a count and an XML file agree.
        assert load_arff(path, xml=xml).label_names == ("calm", "very happy")

    @pytest.mark.parametrize("name", ["music-train.arff", "music-test.arff"])
    def test_parts_share_the_xml(self, tmp_path: Path, name: str) -> None:
        write(tmp_path, XML, "music.xml")
        assert load_arff(write(tmp_path, DENSE, name)).label_names == ("calm", "very happy")

    def test_labels_win_over_the_file_beside(self, tmp_path: Path) -> None:
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
    def test_meka(self, tmp_path: Path, relation: str, expected: tuple[str, ...]) -> None:
        attributes = "".join(f"@attribute {name} {{0,1}}\n" for name in "abc")
        path = write(tmp_path, f"@relation {relation}\n{attributes}@data\n0,1,1\n1,0,0\n")
        assert load_arff(path).label_names == expected

    def test_nothing_says_which(self, tmp_path: Path) -> None:
        path = write(tmp_path, DENSE)
        message = complaint(lambda: load_arff(path))
        assert f"{path} does not say which columns are labels" in message
        assert "MULAN's XML" in message

    def test_both(self, tmp_path: Path) -> None:
        message = complaint(lambda: load_arff(tmp_path / "a.arff", 1, xml=tmp_path / "a.xml"))
        assert "both labels and xml" in message

    def test_label_that_is_not_there(self, tmp_path: Path) -> None:
        path = write(tmp_path, DENSE)
        xml = write(tmp_path, XML.replace("calm", "clam"), "music.xml")
        message = complaint(lambda: load_arff(path, xml=xml))
        assert f"no label 'clam' in {path}: did you mean 'calm'?" in message

    def test_no_such_xml(self, tmp_path: Path) -> None:
        path, xml = write(tmp_path, DENSE), tmp_path / "no.xml"
        assert f"there is no file {xml}" in complaint(lambda: load_arff(path, xml=xml))

    @pytest.mark.parametrize(
        ("text", "part"),
        [
            ("<labels>\n<label name='a'>\n</labels>", "line 3: not valid XML (mismatched tag)"),
            ("", "line 1: not valid XML (no element found)"),
            ("<labels>\n<label/></labels>", "line 2: a label has no name"),
            ("<labels/>", "names no labels"),
            ("<labels>&bomb;</labels>", "not valid XML (undefined entity)"),
            ("<?xml version='1.0' encoding='no-such'?><labels/>", "unknown encoding: no-such"),
            ("<?xml version='1.0' encoding='gb2312'?><labels/>", "an encoding that cannot be"),
        ],
    )
    def test_broken_xml(self, tmp_path: Path, text: str, part: str) -> None:
        path, xml = write(tmp_path, DENSE), write(tmp_path, text, "labels.xml")
        message = complaint(lambda: load_arff(path, xml=xml))
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
    def test_document_types_are_refused(self, tmp_path: Path, doctype: str) -> None:
        path = write(tmp_path, DENSE)
        xml = write(tmp_path, f'{doctype}<labels><label name="&b;"/></labels>', "labels.xml")
        message = complaint(lambda: load_arff(path, xml=xml))
        assert f"{xml} declares a document type, which is not read for safety" in message


class TestBroken:
    @pytest.mark.parametrize(
        ("rows", "part"),
        [
            ("1,u,0\n2,u\n", "line 7: the row does not have the 3 values of the header"),
            ("1,u,0,1\n", "line 6: the row does not have the 3 values"),
            ("1,u,0\n\n% x\nabc,u,1\n", "line 9: a value of a numeric attribute is not a number"),
            ("1,w,0\n", "line 6: 'w' is not one of the categories"),
            ("{1 w}\n", "line 6: 'w' is not one of the categories"),
            ("1,'u,0\n", "line 6: the row cannot be split"),
            ("1,'\\q',0\n", "line 6: the row cannot be split"),
            ("{0 1,\n", "line 6: the row cannot be split"),
            ("{zero 1}\n", "line 6: the row cannot be split"),
            ("1,u,0\n1,u,?\n", "the label 'y'"),
            ("1,u,?\n", "is missing in row 0"),
            ("", "has no instances"),
        ],
    )
    def test_rows(self, tmp_path: Path, rows: str, part: str) -> None:
        path = write(tmp_path, with_header(rows))
        message = complaint(lambda: load_arff(path, 1))
        assert part in message
        assert str(path) in message

    @pytest.mark.parametrize(
        ("header", "part"),
        [
            (
                "@relation a\n@attribute x string\n@data\n",
                "line 2: the attribute 'x' has the type s",
            ),
            ("@attribute x date 'yyyy'\n@data\n", "line 1: the attribute 'x' has the type date"),
            ("@attribute x relational\n@data\n", "the type relational"),
            (
                "@attribute x complex\n@data\n",
                "line 1: the attribute 'x' has the unknown type 'comp",
            ),
            ("@attribute x\n@data\n", "line 1: the attribute 'x' has the unknown type ''"),
            ("@attribute\n@data\n", "line 1: not a valid declaration"),
            ("@attribute 'x real\n@data\n", "line 1: not a valid declaration"),
            ("@attribute x {a,b\n@data\n", "line 1: the categories of 'x' have no closing brace"),
            ("@attribute x {}\n@data\n", "line 1: the attribute 'x' has no categories"),
            ("@attribute x {a b,c}\n@data\n", "line 1: the categories of 'x' cannot be read from"),
            ("@attribute x {a,,c}\n@data\n", "the categories of 'x' cannot be read from ',c' on"),
            ("@attribute x {'a}\n@data\n", "the categories of 'x' cannot be read"),
            ("@attribute x {b,a,'a'}\n@data\n", "line 1: the attribute 'x' has a category twice"),
            (
                "@attribute z real\n@attribute x {'\\q'}\n@data\n",
                "line 2: the categories cannot be read",
            ),
            (
                "@attribute x real\n@attribute 'x' real\n@data\n",
                "line 2: the attribute 'x' was already declared in line 1",
            ),
            ("@relation a\n@data\n1\n", "line 2: the data starts before any @attribute"),
            ("@relation a\n@attribute x real\n1,2\n", "line 3: neither @relation"),
            ("@relation a\n@attribute x real\n", "has no line with @data"),
            ("", "has no line with @data"),
        ],
    )
    def test_header(self, tmp_path: Path, header: str, part: str) -> None:
        path = write(tmp_path, header)
        message = complaint(lambda: load_arff(path, 1))
        assert part in message
        assert str(path) in message

    def test_not_text(self, tmp_path: Path) -> None:
        path = tmp_path / "a.arff"
        path.write_bytes(with_header("1,u,0\n").replace("u,v", "u,é").encode("latin-1"))
        assert f"{path} is not UTF-8 text (it holds the byte 0xe9)" in complaint(
            lambda: load_arff(path, 1)
        )

    def test_many_categories_and_no_brace_end_at_once(self, tmp_path: Path) -> None:
        """liac-arff alone would need more than the age of the universe."""
        categories = ",".join(f"c{i}" for i in range(100))
        path = write(tmp_path, f"@relation a\n@attribute c {{{categories} x\n@data\n")
        start = time.perf_counter()
        assert "no closing brace" in complaint(lambda: load_arff(path, 1))
        assert time.perf_counter() - start < 1


def test_many_categories(tmp_path: Path) -> None:
    categories = [f"category {i}" for i in range(2000)]
    declared = ", ".join(f"'{category}'" for category in categories)
    text = f"@relation a\n@attribute c {{ {declared} }}\n@attribute y {{0,1}}\n@data\n"
    data = load_arff(write(tmp_path, text + "'category 1999',1\n"), 1)
    assert data.categories == {0: tuple(categories)}
    assert data.X.tolist() == [[1999.0]]


names = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], include_characters=" '\"\\%,{}"),
    min_size=1,
    max_size=6,
).filter(lambda name: name == name.strip())
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3).map(float)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Any dataset that an ARFF file can hold, with names that need quotes."""
    columns = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    n_labels = draw(st.integers(1, len(columns) - 1))
    n = draw(st.integers(1, 5))
    n_features = len(columns) - n_labels
    X = np.empty((n, n_features))
    categories = {}
    for feature in range(n_features):
        values: st.SearchStrategy[float] = numbers
        if draw(st.booleans()):
            categories[feature] = tuple(draw(st.lists(names, min_size=1, max_size=4, unique=True)))
            values = st.integers(0, len(categories[feature]) - 1).map(float)
        X[:, feature] = draw(st.lists(values | st.just(np.nan), min_size=n, max_size=n))
    labels = st.lists(st.integers(0, 1), min_size=n_labels, max_size=n_labels)
    return Dataset(
        name="any",
        X=X,
        Y=np.array(draw(st.lists(labels, min_size=n, max_size=n)), dtype=np.uint8),
        feature_names=tuple(columns[:n_features]),
        label_names=tuple(columns[n_features:]),
        categories=categories,
    )


def quoted(name: str) -> str:
    return "'" + "".join(f"\\{c}" if c in "'\"\\%" else c for c in name) + "'"


def as_arff(data: Dataset, *, is_sparse: bool) -> str:
    lines = ["@relation any"]
    for feature, name in enumerate(data.feature_names):
        found = data.categories.get(feature)
        kind = "real" if found is None else f"{{{', '.join(map(quoted, found))}}}"
        lines.append(f"@attribute {quoted(name)} {kind}")
    lines += [f"@attribute {quoted(name)} {{0, 1}}" for name in data.label_names]
    lines.append("@data")
    for x, y in zip(data.X, data.Y, strict=True):
        cells = [
            "?"
            if np.isnan(value)
            else quoted(data.categories[feature][int(value)])
            if feature in data.categories
            else repr(float(value))
            for feature, value in enumerate(x)
        ]
        cells += [str(label) for label in y]
        if is_sparse:
            # Zero, the first category and an absent label may be left out.
            kept = [
                f"{column} {cell}"
                for column, (cell, value) in enumerate(zip(cells, [*x, *y], strict=True))
                if value != 0
            ]
            lines.append(f"{{{', '.join(kept)}}}")
        else:
            lines.append(", ".join(cells))
    return "\n".join(lines)


@settings(max_examples=200)
@given(datasets(), st.booleans())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, data: Dataset, sparse: bool) -> None:
    path = write(tmp_path_factory.mktemp("arff"), as_arff(data, is_sparse=sparse), "any.arff")
    loaded = load_arff(path, len(data.label_names))
    np.testing.assert_array_equal(loaded.X, data.X)
    np.testing.assert_array_equal(loaded.Y, data.Y)
    assert loaded.feature_names == data.feature_names
    assert loaded.label_names == data.label_names
    assert loaded.categories == data.categories


@pytest.mark.parametrize("save_sparse", [True, False])
@pytest.mark.parametrize("location", ["start", "end"])
def test_reads_what_scikit_multilearn_writes(
    tmp_path: Path, save_sparse: bool, location: str
) -> None:
    from skmultilearn.dataset import save_to_arff  # noqa: PLC0415

    random_state = np.random.default_rng(0)
    X = random_state.integers(-2, 3, (20, 5)) / 2
    Y = random_state.integers(0, 2, (20, 3))
    path = tmp_path / "saved.arff"
    save_to_arff(
        sparse.csr_matrix(X),
        sparse.csr_matrix(Y),
        label_location=location,
        save_sparse=save_sparse,
        filename=str(path),
    )
    data = load_arff(path)
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.Y, Y)
    assert data.label_names == ("y0", "y1", "y2")
