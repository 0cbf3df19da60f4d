"""``kanopy methods``."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

from kanopy.algorithms import methods
from kanopy.cli.terminal import standard_output


def run(given: Namespace) -> int:
    if given.json:
        listed: list[dict[str, Any]] = []
        for method in methods():
            options = {name: option.to_dict() for name, option in method.options.items()}
            named = {"name": method.name, "title": method.title, "paper": method.paper}
            listed.append({**named, "options": options, "presets": method.presets})
        print(json.dumps(listed, indent=2))
        return 0
    terminal = standard_output()
    for method in methods():
        terminal.say(f"{terminal.styled(method.name, 'bold')}  {method.title}")
        terminal.say(f"  {terminal.styled(method.paper, 'dim')}")
        for name, option in method.options.items():
            choices = f"  ({', '.join(option.choices)})" if option.choices else ""
            terminal.say(f"  --option {_written(name, option.default)}{choices}")
            terminal.say(f"      {option.meaning}")
        for preset, chosen in method.presets.items():
            terminal.say(f"  --option preset={preset}")
            terminal.say(f"      {', '.join(_written(*each) for each in chosen.items())}")
    return 0


def _written(name: str, value: Any) -> str:
    return f"{name}={str(value).lower() if isinstance(value, bool) else value}"
