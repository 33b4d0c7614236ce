"""The table as text, for terminals, logs and `render_mode="ansi"`."""

from __future__ import annotations

from typing import Any

from loop_env.the_loop.names import DIMENSIONS, ERA_TITLES, ERAS, OUTCOMES, RUNNING
from loop_env.the_loop.state import DECK, DISCARD, FACE_DOWN, N_CLONES, N_ERAS, N_TOKENS
from loop_env.the_loop.view import Words

LABEL, COLUMN = 8, 16
SIGNS = dict(zip(DIMENSIONS, "@*=O", strict=True))
SHORT = ("daw", "med", "ren", "ind", "glo", "rob", "end")
COLOURS = {
    r"(?m)^The LOOP": "bold",
    r"(?m)^-+$": "dim",
    r"FOO": "bold white on red",
    r"\(\( VORTEX \)\)": "bold magenta",
    r"(?<=[ #])#+": "red",
    r"(?<=[ +])\+{1,}(?=[ +\n])": "green",
    r"(?<= )>(daw|med|ren|ind|glo|rob|end)[\w,]*": "cyan",
    r"\b[5-9]\d %|\b100 %": "bold red",
    r"\b[1-4]\d %": "yellow",
    r"(?m)^> .*$": "bold",
    r"(?m)^    \([@*=O] [^)]*\).*$": "dim",
    r"(?m)^    [@*=O] [^ ]+( [^ ]+)*": "bold",
    r"The game is over.*": "bold yellow",
}  # for terminals


def draw(words: Words, g: Any) -> str:
    """The whole table, 120 columns wide."""
    parts = [title(words, g), "", board(words, g), ""]
    parts += [hand(words, g, seat) for seat in range(g.players)]
    if g.machina:
        parts.append(machina(words, g))
    parts.append(last_line(words, g))
    return "\n".join(line.rstrip() for part in parts for line in part.split("\n"))


def title(words: Words, g: Any) -> str:
    """Where the game stands."""
    n, r = words.data.numbers, words.rules[0]
    cycle, solo = min(int(g.cycle) + 1, n.cycles), ", solo" if g.solo else ""
    return (
        f"The LOOP  {words.data.modes[g.mode].id}, level {words.data.levels[g.level].number}{solo}"
        f"   cycle {cycle} of {n.cycles}, turn {words.turn(g)} of {n.cycles * N_ERAS}"
        f"   tiles {g.archived} of {r.tiles_to_win[g.mode]}   vortices {g.vortex.sum()} of {r.vortex_tiles}"
        f"   supply: {g.rift_supply} rifts, {g.energy_supply} energy"
    )


def board(words: Words, g: Any) -> str:
    """The seven eras side by side."""
    rule = "-" * (LABEL + N_ERAS * COLUMN)
    titles = [name.replace(" of Times", "").replace(" of Time", "") for name in ERA_TITLES]
    rows = [line("", titles), rule, line("Foo", [foo(g, e) for e in range(N_ERAS)])]
    rows.append(
        line("rifts", ["#" * g.rifts[e] + "." * (words.rules[0].rift_slots - g.rifts[e]) for e in range(N_ERAS)])
    )
    rows.append(line("risk", [f"{100 * g.risk[e]:.0f} %" if g.risk[e] > 0 else "-" for e in range(N_ERAS)]))
    rows.append(line("energy", ["+" * g.energy[e] if g.energy[e] < 8 else f"+ x {g.energy[e]}" for e in range(N_ERAS)]))
    rows.append(line("clones", [clones(words, g, e) for e in range(N_ERAS)]))
    rows += components(words, g)
    rows.append(line("tile", [tile(words, g, e) for e in range(N_ERAS)]))
    rows.append(line("damage", [damage(words, g, e) for e in range(N_ERAS)]))
    for slot in range(max(g.available_size)):
        cards = [g.available[e, slot] if slot < g.available_size[e] else -1 for e in range(N_ERAS)]
        rows.append(line("cards" if slot == 0 else "", [words.card(c) if c >= 0 else "" for c in cards]))
    for seat in range(g.players):
        names = [words.data.agents[g.agent[seat]].name if g.at[seat] == e else "" for e in range(N_ERAS)]
        rows.append(line("agents" if seat == 0 else "", names))
    return "\n".join([*rows, rule])


def line(label: str, cells: list[str]) -> str:
    """One row of the board."""
    return f"{label:<{LABEL}}" + "".join(f"{clip(cell):<{COLUMN}}" for cell in cells)


def clip(cell: str) -> str:
    """A text that leaves a gap to the next column."""
    return cell if len(cell) < COLUMN else cell[: COLUMN - 2] + "~"


def foo(g: Any, era: int) -> str:
    """Where Foo is, and where he is still to come in this cycle."""
    if g.foo == era:
        return "FOO"
    return "to come" if g.foo_deck[era] else "-"


def clones(words: Words, g: Any, era: int, first: int = 0, last: int = N_CLONES) -> str:
    """Clones by their destroy eras."""
    standing = [SHORT[ERAS.index(doom)] for where, doom in words.clones(g, first, last) if where == ERAS[era]]
    counts = [f"{doom}{'' if standing.count(doom) == 1 else standing.count(doom)}" for doom in dict.fromkeys(standing)]
    return ">" + ",".join(counts) if counts else ""


def components(words: Words, g: Any) -> list[str]:
    """Rows for what only some modes have."""
    rows = []
    if g.supas:
        rows.append(line("supa", [clones(words, g, e, N_CLONES, N_TOKENS) for e in range(N_ERAS)]))
    if g.centrifuge.any():
        rows.append(line("", ["<centrifuge>" if g.centrifuge[e] else "" for e in range(N_ERAS)]))
    if g.eternal.any():
        rows.append(line("eternal", ["*" * g.eternal[e] for e in range(N_ERAS)]))
    return rows


def tile(words: Words, g: Any, era: int) -> str:
    """What lies at an era: a mission, a closed tile, a vortex, nothing."""
    if g.vortex[era]:
        return "(( VORTEX ))"
    if g.tile[era] < 0:
        return "?" if g.tile[era] == FACE_DOWN else ""
    return words.mission(g.tile[era])


def damage(words: Words, g: Any, era: int) -> str:
    """An open tile's damage."""
    if g.tile[era] < 0:
        return ""
    told = words.damage(g, era)
    eras = " " + "".join(SHORT[ERAS.index(e)][0] for e in told) if isinstance(told, list) and told else ""
    return f"{g.damage[era]} of {words.rules[0].needed[g.tile[era]]}{eras}"


def hand(words: Words, g: Any, seat: int) -> str:
    """A player's cards; the dimension's sign stands before each, brackets round an exhausted one."""
    agent = words.data.agents[g.agent[seat]]
    mark = ">" if seat == g.actor else " "
    battery = "charged" if g.battery[seat] else "empty"
    deck, discard = g.pile_size[DECK + g.deck_of[seat]], g.pile_size[DISCARD + g.deck_of[seat]]
    lines = [f"{mark} {agent.name}: battery {battery}, deck {deck}, discard {discard}"]
    for card in words.hand(g, seat):
        artefact = words.data.artefacts[card]
        name = f"{SIGNS[artefact.dimension]} {artefact.name}"
        lines.append(f"    {name if g.ready[card] else f'({name})':<28} {artefact.effect}")
    return "\n".join(lines)


def machina(words: Words, g: Any) -> str:
    """The ultramachina card that bends this turn."""
    card = words.data.ultramachina[g.machina - 1]
    return f"  Ultramachina: {card.name}{': ' + card.bends() if card.bends() else ''}"


def last_line(words: Words, g: Any) -> str:
    """What happens next, or how it ended."""
    signs = ", ".join(f"{sign} {dimension}" for dimension, sign in SIGNS.items())
    if g.outcome != RUNNING:
        return f"The game is over: {OUTCOMES[g.outcome].replace('_', ' ')}."
    effect = words.effect(g)
    waits = f"{words.data.agents[g.agent[g.actor]].name} decides" + (f" for {effect}" if effect else "")
    return f"{waits}.  ({signs}; brackets: exhausted)"
