"""Parameters that are described together get defaults and types of their own in the reference.

Griffe, which reads the docstrings, gives all of them those of the first.
"""

from __future__ import annotations

from typing import Any

import griffe


class OwnDefaults(griffe.Extension):
    """Look every described parameter up in the signature."""

    def on_package(self, *, pkg: griffe.Module, **kwargs: Any) -> None:
        """Correct what was read of a whole package."""
        self._correct(pkg)

    def _correct(self, described: Any) -> None:
        if described.is_alias:
            return
        if described.docstring is not None and _has_signature(described):
            known = {parameter.name: parameter for parameter in described.parameters}
            for section in described.docstring.parsed:
                if section.kind is not griffe.DocstringSectionKind.parameters:
                    continue
                for parameter in section.value:
                    if parameter.name in known:
                        parameter.value = known[parameter.name].default
                        parameter.annotation = known[parameter.name].annotation
        for member in described.members.values():
            self._correct(member)


def _has_signature(described: Any) -> bool:
    if described.is_class:
        # That of a dataclass is known only later, and reading its docstring must wait for it.
        return not any(d.callable_path.endswith("dataclass") for d in described.decorators)
    return bool(described.is_function)
