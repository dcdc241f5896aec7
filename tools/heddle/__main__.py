"""Entry point of 'python -m heddle', and of the command that pip installs."""

import sys


def start() -> None:
    """Runs the command that the command line names."""
    # A build starts cc once a source file: its start must not load the other commands.
    if sys.argv[1:2] == ["cc"] and sys.argv[2:3] != ["--help"]:
        from heddle.cc import launcher

        launcher.main(sys.argv[2:])

    from heddle.cli import main

    main()


if __name__ == "__main__":
    start()
