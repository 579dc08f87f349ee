"""What every other layer builds on: array types, errors, messages, parameters, files."""

from minotaur_pymoo.support.errors import InconsistentRulesError, InputError, InvalidModelError

__all__ = ["InconsistentRulesError", "InputError", "InvalidModelError"]
