"""Array types, errors, messages, parameters, files and metrics that all layers use."""

from minotaur_pymoo.support.errors import InconsistentRulesError, InputError, InvalidModelError

__all__ = ["InconsistentRulesError", "InputError", "InvalidModelError"]
