"""Subcommands of `manage.py experience`, a module each (see `subcommand.Subcommand`)."""
