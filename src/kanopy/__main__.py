"""``python -m kanopy``: the same as the command ``kanopy``."""

from kanopy.cli.start import run

if __name__ == "__main__":
    run()
