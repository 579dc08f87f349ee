"""``python -m minotaur_pymoo`` is ``minotaur-pymoo``."""

import sys

from minotaur_pymoo.cli import main

sys.exit(main())
