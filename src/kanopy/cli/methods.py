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
            listed.append({**named, "options": options})
        print(json.dumps(listed, indent=2))
        return 0
    terminal = standard_output()
    for method in methods():
        terminal.say(f"{terminal.styled(method.name, 'bold')}  {method.title}")
        terminal.say(f"  {terminal.styled(method.paper, 'dim')}")
        for name, option in method.options.items():
            default = str(option.default).lower() if isinstance(option.default, bool) else option.default
            choices = f"  ({', '.join(option.choices)})" if option.choices else ""
            terminal.say(f"  --option {name}={default}{choices}")
            terminal.say(f"      {option.meaning}")
    return 0
