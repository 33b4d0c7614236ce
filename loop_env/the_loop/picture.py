"""The table as a picture: seven eras in a ring round Foo's machine, the hands below. It is drawn from views alone."""

from __future__ import annotations

from loop_env.picture import Picture
from loop_env.svg import circle, fitted, group, lines, path, rect, text, wrap
from loop_env.the_loop.changes import Change, View, agent_name, changes, mission_words
from loop_env.the_loop.data import Data
from loop_env.the_loop.names import ERAS
from loop_env.the_loop.picture_era import ERA_HEIGHT, ERA_WIDTH, draw_era
from loop_env.the_loop.picture_hand import HANDS_HEIGHT, draw_hand
from loop_env.the_loop.signs import STYLE, energy, foo, mark, rift, vortex

WIDTH, MARGIN = 1000, 20
GAP = 18
TOP = 66  # of the ring
ROWS = [TOP + row * (ERA_HEIGHT + GAP) for row in range(3)]
LEFT, CENTRE, RIGHT = MARGIN, (WIDTH - ERA_WIDTH) // 2, WIDTH - MARGIN - ERA_WIDTH
# Time runs clockwise, from the bottom over the left and the top to the right.
PLACES = {
    "dawn": (185, ROWS[2]), "medieval": (LEFT, ROWS[1]), "renaissance": (LEFT, ROWS[0]),
    "industrial": (CENTRE, ROWS[0]), "globalization": (RIGHT, ROWS[0]),
    "robots": (RIGHT, ROWS[1]), "end": (WIDTH - 185 - ERA_WIDTH, ROWS[2]),
}  # fmt: skip
MACHINE = (WIDTH / 2, ROWS[1] + ERA_HEIGHT / 2)
# Where a chute ends that points at an era.
MOUTHS = {
    "dawn": (396, ROWS[2]), "medieval": (LEFT + ERA_WIDTH, MACHINE[1]), "renaissance": (316, ROWS[1] - GAP - 4),
    "industrial": (500, ROWS[1] - GAP), "globalization": (684, ROWS[1] - GAP - 4), "robots": (RIGHT, MACHINE[1]),
    "end": (604, ROWS[2]),
}  # fmt: skip
ARROWS = (
    (252, ROWS[2] - 9, -90), (170, ROWS[1] - 9, -90), (335, ROWS[0] + 92, 0), (665, ROWS[0] + 92, 0),
    (830, ROWS[1] - 9, 90), (748, ROWS[2] - 9, 90), (500, ROWS[2] + 92, 180),
)  # fmt: skip
BELOW = ROWS[2] + ERA_HEIGHT + 12
TOLD_HEIGHT = 84
HANDS = BELOW + TOLD_HEIGHT + 10
HEIGHT = HANDS + HANDS_HEIGHT + 14


def draw_picture(data: Data, view: View, before: View | None, last: str) -> Picture:
    """The table, and what has changed on it."""
    found = changes(data, before, view) if before else []
    fresh = {change.place for change in found}
    parts = {"paper": PAPER, "title": title(data, view, fresh), "machine": machine(data, view)}
    for era in ERAS:
        parts[f"era {era}"] = group(*PLACES[era], draw_era(data, view, era, fresh))
    parts["supply"] = supply(view)
    parts["goal"] = goal(data, view, fresh)
    parts["last"] = told(last, found)
    parts["now"] = now(data, view)
    width = (WIDTH - 2 * MARGIN + 10) / len(view["agents"]) - 10
    for seat, agent in enumerate(view["agents"]):
        inside = draw_hand(data, view, agent, width, fresh)
        parts[f"hand {agent}"] = group(MARGIN + seat * (width + 10), HANDS, inside)
    return Picture(WIDTH, HEIGHT, STYLE, parts)


def paper() -> str:
    """What never changes: the sheet, the track through the eras, and which way time runs."""
    centres = [(x + ERA_WIDTH / 2, y + ERA_HEIGHT / 2) for x, y in PLACES.values()]
    track = path("M" + "L".join(f"{x:g} {y:g}" for x, y in centres) + "Z", "track")
    return rect(0, 0, WIDTH, HEIGHT, "paper") + track + "".join(chevron(*arrow) for arrow in ARROWS)


def chevron(x: float, y: float, angle: float) -> str:
    """A small arrow."""
    return f'<g transform="translate({x:g} {y:g}) rotate({angle:g})">{path("M-3 -6L3 0L-3 6", "chevron")}</g>'


# -- the head --------------------------------------------------------------------------------------
def title(data: Data, view: View, fresh: set[str]) -> str:
    """Which game this is and where it stands."""
    cycles, limit = data.numbers.cycles, data.numbers.vortices
    needed = next(mode.tiles_to_win for mode in data.modes if mode.id == view["mode"])
    solo = ", solo" if view["solo"] else ""
    drawn = text(MARGIN, 36, "The LOOP", 25, "b")
    drawn += text(168, 24, mission_words(view["mode"]), 15, "b")
    drawn += text(168, 44, f"level {view['level']}{solo}", 14, "soft")
    drawn += mark(fresh, "clock", 316, 6, 312, 48)
    drawn += text(322, 24, f"cycle {view['cycle']} of {cycles}, turn {view['turn']} of {cycles * len(ERAS)}", 15)
    for turn in range(cycles * len(ERAS)):
        kind = "past" if turn < view["turn"] - 1 else "turn" if turn == view["turn"] - 1 else "slot"
        drawn += rect(322 + 13.4 * turn + 8 * (turn // len(ERAS)), 33, 11, 13, kind, 2)
    drawn += mark(fresh, "archived", 644, 6, 132, 48) + text(650, 24, f"tiles {view['archived']} of {needed}", 15)
    for tile in range(needed):
        drawn += rect(650 + 22 * tile, 31, 18, 16, "energy" if tile < view["archived"] else "slot", 3)
    open_ = len(view["vortices"])
    drawn += mark(fresh, "vortices", 780, 6, 142, 48) + text(786, 24, f"vortices {open_} of {limit}", 15)
    for place in range(limit):
        x = 798 + 30 * place
        drawn += circle(x, 40, 11, "vortex") + vortex(x, 40, 0.24) if place < open_ else circle(x, 40, 10, "slot")
    return drawn


# -- the machine -----------------------------------------------------------------------------------
def machine(data: Data, view: View) -> str:
    """Foo's machine in the middle, with chutes to Foo's era and the ones beside it."""
    at = ERAS.index(view["foo"])
    x, y = MACHINE
    drawn = ""
    for side, chance in zip((-1, 1, 0), (data.numbers.split[i] for i in (0, 2, 1)), strict=True):
        drawn += chute(ERAS[(at + side) % len(ERAS)], chance, side == 0)
    teeth = "".join(
        f'<g transform="rotate({angle})">{rect(-8, -66, 16, 16, "dark", 3)}</g>' for angle in range(0, 360, 30)
    )
    body = teeth + circle(0, 0, 57, "dark") + circle(0, 0, 48, "panel") + foo(0, -13, 1.15)
    body += text(0, 33, "machine", 13, "soft", "middle")
    return drawn + group(x, y, body, "Foo's machine: its chutes point at Foo's era and the eras beside it")


def chute(era: str, chance: float, middle: bool) -> str:
    """A pipe from the machine to an era."""
    (x, y), (to_x, to_y) = MACHINE, MOUTHS[era]
    dx, dy = to_x - x, to_y - y
    length = (dx * dx + dy * dy) ** 0.5
    along, across = (dx / length, dy / length), (-dy / length, dx / length)
    near, far = (15, 21) if middle else (10, 14)

    def point(part: float, aside: float) -> str:
        return f"{x + along[0] * part + across[0] * aside:.1f} {y + along[1] * part + across[1] * aside:.1f}"

    corners = [point(40, near), point(length - 16, far), point(length - 16, far + 8), point(length, 0)]
    corners += [point(length - 16, -far - 8), point(length - 16, -far), point(40, -near)]
    drawn = path("M" + "L".join(corners) + "Z", "main-pipe" if middle else "pipe")
    if length > 120:
        words_x, words_y = x + along[0] * (length * 0.5 + 22), y + along[1] * (length * 0.5 + 22)
        drawn += text(words_x, words_y + 4, f"{100 * chance:.0f} %", 12, "b white" if middle else "b", "middle")
    return drawn


# -- beside and below ------------------------------------------------------------------------------
def supply(view: View) -> str:
    """What is left in the box."""
    left = view["supply"]
    drawn = rect(0, 0, 150, ERA_HEIGHT, "panel", 10) + text(12, 22, "supply", 13.5, "b")
    drawn += rift(22, 42, 17) + text(38, 47, f"{left['rifts']} rifts", 13)
    drawn += energy(22, 65, 17) + text(38, 70, f"{left['energy']} energy", 13)
    others = [f"{left['eternal']} eternal energy"] if left["eternal"] else []
    others += [f"{view['bag']} clones in the bag", f"{view['arsenal']} in the arsenal"]
    others += [f"{len(view['destroyed'])} cards destroyed"]
    drawn += "".join(fitted(12, 96 + 20 * i, words, 12, 130, "soft") for i, words in enumerate(others))
    return group(MARGIN, ROWS[2], drawn)


def goal(data: Data, view: View, fresh: set[str]) -> str:
    """The ultramachina's card, or else what has to be done to win."""
    mode = next(mode for mode in data.modes if mode.id == view["mode"])
    heading, words = "to win", mode.about
    if view["machina"]:
        card = next(card for card in data.ultramachina if card.name == view["machina"])
        heading, words = card.name, card.bends() or "a calm turn"
    drawn = rect(0, 0, 150, ERA_HEIGHT, "active" if "machina" in fresh else "panel", 10)
    if view["machina"]:
        drawn += text(12, 22, "ultramachina", 12, "soft") + fitted(12, 42, heading, 13.5, 130, "b")
        drawn += lines(12, 62, wrap(words, 128, 12.5, 7), 12.5)
    else:
        drawn += text(12, 22, heading, 13.5, "b") + lines(12, 43, wrap(words, 128, 12.5, 5), 12.5)
        left = [f"{len(view['supa_clones'])} supa clones left"] if any(mode.supa_clones) else []
        left += [f"{len(view['centrifuges'])} centrifuges left"] if any(mode.centrifuges) else []
        drawn += "".join(fitted(12, 130 + 20 * i, words, 12, 132, "b") for i, words in enumerate(left))
    return group(WIDTH - MARGIN - 150, ROWS[2], drawn)


def told(last: str, found: list[Change]) -> str:
    """The last action, and what it has changed."""
    drawn = rect(0, 0, 620, TOLD_HEIGHT, "panel", 10)
    drawn += fitted(14, 24, last or "the table as it stands", 15, 592, "b")
    words = "; ".join(dict.fromkeys(change.words for change in found if change.words))
    if last and not words:
        words = "nothing on the table has changed yet"
    drawn += lines(14, 44, wrap(words, 592, 12.5, 3), 12.5, leading=1.3)
    return group(MARGIN, BELOW, drawn)


def now(data: Data, view: View) -> str:
    """What is being decided, or how the game ended."""
    over = view["outcome"] != "running"
    drawn = rect(0, 0, 330, TOLD_HEIGHT, "active" if over else "panel", 10)
    if over:
        drawn += text(165, 38, "WON" if view["outcome"] == "won" else "LOST", 26, "b", "middle")
        drawn += text(165, 64, ENDINGS[view["outcome"]], 14, "soft", "middle")
        return group(WIDTH - MARGIN - 330, BELOW, drawn)
    drawn += fitted(14, 24, f"{agent_name(data, view['acting'])} decides", 15, 302, "b")
    drawn += lines(14, 44, wrap(question(data, view), 302, 12.5, 3), 12.5, leading=1.3)
    return group(WIDTH - MARGIN - 330, BELOW, drawn)


ENDINGS = {
    "won": "the machine is sabotaged", "second_vortex": "a second vortex in the same era",
    "fourth_vortex": "one vortex too many", "out_of_time": "the last cycle is over",
}  # fmt: skip
QUESTIONS = {
    "foo": "the Foo phase", "action": "an action", "take": "take a card of this era, or none",
    "archive": "archive the tile here, or not", "draft": "take one of", "deal": "who gets the card",
}  # fmt: skip
WAITING = {
    "era": "an era", "clone": "a clone", "agent": "an agent", "hand": "a card in hand", "row": "a card on show",
    "option": "one of its options", "yes_no": "yes or no",
}  # fmt: skip


def question(data: Data, view: View) -> str:
    """What is to be decided."""
    words = QUESTIONS[view["phase"]]
    if view["waits_for"] != "nothing":
        words = f"{view['effect'] or words}: choose {WAITING[view['waits_for']]}"
    if view["draft"]:
        words += f": {', '.join(view['draft'])}"
    turn = f"It is {agent_name(data, view['active'])}'s turn" + (
        f", LOOPs so far {view['loops']}" if view["loops"] else ""
    )
    return f"{words}. {turn}."


PAPER = paper()
