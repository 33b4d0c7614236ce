"""Writes the tables of docs/the_loop.md anew from code and data, between their markers; --check only compares."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from loop_env.the_loop.commands import info

PAGE = Path(__file__).parent / "the_loop.md"


def table(rows: list[dict[str, Any]], columns: dict[str, str]) -> str:
    """Rows as a Markdown table; `columns` maps keys to headings."""
    lines = ["| " + " | ".join(columns.values()) + " |", "|" + "---|" * len(columns)]
    for row in rows:
        cells = [shown(row[key]) for key in columns]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def shown(value: Any) -> str:
    """A cell."""
    if value is None or value is False or value == "":
        return ""
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value) or "1"
    return "yes" if value is True else str(value)


def tables() -> dict[str, str]:
    """Every table, by the name of its marker."""
    data = info(None)
    block = {"name": "name", "start": "starts at", "shape": "shape", "about": "meaning"}
    column = {"name": "name", "start": "column", "shape": "shape", "about": "meaning"}
    card = {"name": "card", "agent": "agent", "origin": "origin", "dimension": "dimension", "effect": "effect"}
    mission = {
        "id": "mission",
        "event": "damage for",
        "where": "where",
        "needed": "needed",
        "per_turn": "per turn (0: no limit)",
        "charged": "only if every era is charged",
    }
    agent = {
        "id": "agent",
        "start": "start",
        "ability": "ability",
        "cancels_rifts": "cancels rifts",
        "free_move": "free move",
        "push_range": "pushes so far",
        "energy_for_clones": "energy for clones",
    }
    level = {
        "number": "level",
        "id": "name",
        "start_rifts": "start rifts",
        "extra_clones": "extra clones",
        "clones_per_cycle": "clones per cycle",
        "cards_per_cycle": "cards per cycle",
        "cubes": "cubes",
        "mega_vortex": "mega-vortices",
    }
    mode = {
        "id": "mode",
        "about": "to win",
        "tiles_to_win": "tiles",
        "supa_clones": "supa clones",
        "supa_clones_per_cycle": "more per cycle",
        "centrifuges": "centrifuges",
        "shutdown_energy": "energy to shut one down",
        "eternal_energy": "eternal energy",
        "ultramachina_every": "ultramachina every ... turns",
    }
    arsenal = [card for card in data["artefacts"] if card["agent"] is None]
    starting = [card for card in data["artefacts"] if card["agent"] is not None]
    return {
        "actions": table(data["actions"], block),
        "observation": table(data["observation"], block),
        **{f"columns {name}": table(rows, column) for name, rows in data["observation_columns"].items()},
        "outline": table(data["outline"], {"name": "name", "about": "meaning"}),
        "missions": table(data["missions"], mission),
        "agents": table(data["agents"], agent),
        "levels": table(data["levels"], level),
        "modes": table(data["modes"], mode),
        "ultramachina": table(data["ultramachina"], {"name": "card", "bends": "what it does to its turn"}),
        "numbers": "\n".join(f"- `{key}`: {shown(value)}" for key, value in data["numbers"].items()),
        "starting": table(starting, card),
        "arsenal": table(arsenal, {key: name for key, name in card.items() if key != "agent"}),
        "bound": f"No game has more than {data['decision_bound']:,} decisions.",
    }


def main() -> int:
    """Fill the page in; 1 if --check finds it out of date."""
    old = page = PAGE.read_text()
    for name, text in tables().items():
        pattern = rf"<!-- {name} -->\n.*?<!-- end -->"
        found = re.search(pattern, page, re.S)
        if not found:
            raise SystemExit(f"{PAGE.name}: there is no marker for {name!r}")
        start, end = found.span()
        page = f"{page[:start]}<!-- {name} -->\n{text}\n<!-- end -->{page[end:]}"
    if "--check" in sys.argv:
        return int(page != old)
    PAGE.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
