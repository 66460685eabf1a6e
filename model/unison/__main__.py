"""``python -m unison``."""

from unison.cli.main import main

raise SystemExit(main())
