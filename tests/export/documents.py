"""JSON documents of the example model, changed in one field or damaged at random."""

import copy
import json

from hypothesis import strategies as st

from minotaur_pymoo.export import to_json
from tests.export.models import combined_example, example


def change(path, value, saved=None):
    """Return the example's JSON with one value replaced, or removed if ``value`` is ``...``."""
    document = json.loads(to_json(example() if saved is None else saved))
    *parents, key = path
    container = document
    for parent in parents:
        container = container[parent]
    if value is ...:
        del container[key]
    else:
        container[key] = value
    return json.dumps(document)


TESTS = ("models", 1, "rules", 1, "tests")


replacements = (
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["age", "colour", "red", "aged", "", "in", 10**400, -(10**30)])
    | st.just([])
    | st.just({})
    | st.just([[1]])
    | st.just({"feature": "age", "below": 3})
)


def entries(container):
    """Yield every entry of a nested document as its container and its key."""
    items = container.items() if isinstance(container, dict) else enumerate(container)
    for key, item in items:
        yield container, key
        if isinstance(item, (dict, list)):
            yield from entries(item)


@st.composite
def damaged(draw):
    document = json.loads(to_json(draw(st.sampled_from([example(), combined_example()]))))
    for _ in range(draw(st.integers(1, 3))):
        found = list(entries(document))
        if not found:
            break
        container, key = draw(st.sampled_from(found))
        action = draw(st.sampled_from(["replace", "remove", "repeat", "rename", "reverse"]))
        if action == "remove":
            del container[key]
        elif action == "repeat" and isinstance(container, list):
            container.append(copy.deepcopy(container[key]))
        elif action == "rename" and isinstance(container, dict):
            container[draw(st.sampled_from(["in", "below", "tests", "other"]))] = container.pop(key)
        elif action == "reverse" and isinstance(container, list):
            container.reverse()
        else:
            container[key] = copy.deepcopy(draw(replacements))
    text = json.dumps(document)
    if draw(st.booleans()):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        junk = draw(st.sampled_from(["", "]", "}", '"', ",", "NaN", "1e999", "\x00", "[" * 2000]))
        text = draw(st.sampled_from([text[:end], text[:start] + junk + text[end:]]))
    return text
