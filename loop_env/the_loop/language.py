"""The controlled language in which effects are written, and its compiler.

An effect is a sentence of steps joined by ", then". It becomes a program: a list of instructions (operation, a, b, c)
for the interpreter in `effects.py`. Wherever a player may have to choose, the program has an instruction of its own for
the choice, which puts its result into a register of the record (`chosen_era`, `chosen_clone`, ...); the instructions
after it act on the registers. If there is nothing to choose from, the rest of that step is skipped.

    step    = ["if" condition ","] ["you may"] action {"or" (action | place)}
    place   = here | at an adjacent era | at the previous era | at the next era | at another agent | at that agent
            | at Foo | at a vortex | at any era | at its origin | where it went
            | at each vortex | at each adjacent era | at each agent
    action  = add N energy place [for each thing]      | add energy place up to its rifts/clones
            | remove N rifts place [for each thing]    | remove rifts place down to its energy/clones
            | push N clones place | pull N clones | destroy N clones place
            | move N eras [carrying 1 clone [from a vortex]] | move anywhere
            | move another/any agent N eras/anywhere | move another agent here
            | swap with another agent | swap a clone here with a clone place | swap energy/rifts with place
            | draw N cards | discard N cards | destroy N cards | ready N cards | reveal N cards
            | take a card here/anywhere | play a card available here/anywhere | play a card of another agent
            | another agent plays a card | each player draws N cards [and discards/destroys N cards]
            | exhaust N cards | destroy the newest card at each era | lose N energy at each era with a clone
            | lose N damage at each open tile | throw every agent back N eras

The last five are what the machine does to the agents (`ultramachina.toml`); any card may have them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

OPERATIONS = (
    "end", "pick_era", "pick_target", "pick_drop", "pick_clone", "pick_second", "pick_order", "pick_agent",
    "pick_hand", "pick_row", "pick_option", "ask", "jump", "check",
    "energy", "energy_each", "rifts", "rifts_each", "level_energy", "level_rifts",
    "move_clone", "kill_clone", "move_actor", "move_other", "swap_agents", "swap_clones", "swap_energy", "swap_rifts",
    "draw", "discard", "destroy", "ready", "each_player", "next_player", "reveal", "take",
    "exhaust", "destroy_newest", "lose_energy", "lose_damage", "throw_back", "play_row", "let_play",
)  # fmt: skip
(
    END, PICK_ERA, PICK_TARGET, PICK_DROP, PICK_CLONE, PICK_SECOND, PICK_ORDER, PICK_AGENT,
    PICK_HAND, PICK_ROW, PICK_OPTION, ASK, JUMP, CHECK,
    ENERGY, ENERGY_EACH, RIFTS, RIFTS_EACH, LEVEL_ENERGY, LEVEL_RIFTS,
    MOVE_CLONE, KILL_CLONE, MOVE_ACTOR, MOVE_OTHER, SWAP_AGENTS, SWAP_CLONES, SWAP_ENERGY, SWAP_RIFTS,
    DRAW, DISCARD, DESTROY, READY, EACH_PLAYER, NEXT_PLAYER, REVEAL, TAKE,
    EXHAUST, DESTROY_NEWEST, LOSE_ENERGY, LOSE_DAMAGE, THROW_BACK, PLAY_ROW, LET_PLAY,
) = range(len(OPERATIONS))  # fmt: skip

SKIPPING = (PICK_ERA, PICK_TARGET, PICK_DROP, PICK_CLONE, PICK_SECOND, PICK_AGENT, PICK_HAND, PICK_ROW)

PLACES = ("here", "adjacent", "previous", "next", "that agent", "foo", "vortex", "any", "origin", "went", "agents")
HERE, ADJACENT, PREVIOUS, NEXT, THAT_AGENT, FOO, VORTEX, ANY, ORIGIN, WENT, AGENTS = range(len(PLACES))
PATH, PATH_VORTEX, CHOSEN = 11, 12, 13  # for clones only: the eras on the way, those with a vortex, the chosen era

# What an era, an agent or a card must offer to be worth choosing.
FOR_ANYTHING, FOR_ENERGY, FOR_RIFTS, FOR_CLONES, FOR_CARDS, FOR_PLAYABLE = range(6)
FOR_ENERGY_TO_RIFTS, FOR_ENERGY_TO_CLONES, FOR_RIFTS_TO_ENERGY, FOR_RIFTS_TO_CLONES = range(6, 10)
FOR_SWAPPING_ENERGY, FOR_SWAPPING_RIFTS, FOR_DESTROYING = range(10, 13)

ANY_CLONE, YOU_MAY, NO_SUPA_CLONE = range(3)  # how a clone is picked

OF_ACTOR, OF_OTHER, OF_CLONE = range(3)  # whose steps a target is counted in
ANYWHERE = 7  # as a number of eras
OTHER_AGENT, ANY_AGENT, AGENT_WITH_CARD = range(3)
ANY_CARD, EXHAUSTED_CARD, READY_CARD = range(3)
AVAILABLE_CARDS, AGENTS_CARDS = range(2)
TO_TARGET, TO_ACTOR, TO_CHOSEN = range(3)  # where a clone is moved
IF_COMPANY, IF_PUSHED, IF_AT_FOO, IF_AT_VORTEX, IF_CLONES = range(5)
ONCE, PER_CLONE, PER_AGENT, PER_VORTEX, PER_RIFT = range(5)
TO_RIFTS, TO_CLONES, TO_ENERGY = range(3)

MAX_LENGTH = 24  # instructions in a program, the end included
MAX_OPTIONS = 4
MAX_AMOUNT = 4

VERBS = (
    "add", "remove", "push", "pull", "destroy", "move", "swap", "draw", "discard", "ready", "reveal", "take", "play",
    "another", "each", "exhaust", "lose", "throw",
)  # fmt: skip

Instruction = tuple[int, int, int, int]


class EffectError(ValueError):
    """A word that the language does not have in this place."""


@dataclass
class Program:
    """A compiled effect, the labels of its options (by instruction), and the patterns of the language that it uses."""

    code: list[Instruction] = field(default_factory=list)
    labels: dict[int, list[str]] = field(default_factory=dict)
    patterns: set[str] = field(default_factory=set)


@dataclass
class Piece:
    """Part of a program. Labels hang on instructions, so they move along when pieces are joined."""

    code: list[Instruction]
    labels: dict[int, list[str]] = field(default_factory=dict)

    def __add__(self, other: Piece) -> Piece:
        moved = {index + len(self.code): names for index, names in other.labels.items()}
        return Piece(self.code + other.code, {**self.labels, **moved})


def step_over(code: list[Instruction]) -> list[Instruction]:
    """Let each choice of a step skip the rest of the step when there is nothing to choose from."""
    last = len(code) - 1
    return [(op, a, b, last - i if op in SKIPPING and c == 0 else c) for i, (op, a, b, c) in enumerate(code)]


@dataclass
class Place:
    """Where an action happens: the place, whether in each such era, whether an agent is chosen first."""

    place: int
    each: bool = False
    other_agent: bool = False
    words: str = ""

    def choose(self, purpose: int) -> list[Instruction]:
        """Instructions that put the era into `chosen_era`."""
        if self.other_agent:
            return [(PICK_AGENT, OTHER_AGENT, purpose, 0), (PICK_ERA, THAT_AGENT, purpose, 0)]
        return [(PICK_ERA, self.place, purpose, 0)]


PLACE_WORDS: dict[str, Place] = {
    "here": Place(HERE),
    "at an adjacent era": Place(ADJACENT),
    "at the previous era": Place(PREVIOUS),
    "at the next era": Place(NEXT),
    "at another agent": Place(THAT_AGENT, other_agent=True),
    "at that agent": Place(THAT_AGENT),
    "at foo": Place(FOO),
    "at a vortex": Place(VORTEX),
    "at any era": Place(ANY),
    "at its origin": Place(ORIGIN),
    "where it went": Place(WENT),
    "at each vortex": Place(VORTEX, each=True),
    "at each adjacent era": Place(ADJACENT, each=True),
    "at each agent": Place(AGENTS, each=True),
}
CONDITION_WORDS = {
    "another agent is here": IF_COMPANY,
    "you pushed": IF_PUSHED,
    "at foo": IF_AT_FOO,
    "at a vortex": IF_AT_VORTEX,
}
COUNT_WORDS = {
    "clone here": PER_CLONE,
    "other agent here": PER_AGENT,
    "vortex": PER_VORTEX,
    "rift here": PER_RIFT,
}


class Parser:
    """Reads an effect word by word; the first word that does not fit is the one it complains about."""

    def __init__(self, text: str) -> None:
        self.words = re.findall(r"[\w'-]+|[^\w\s]", text)
        self.at = 0
        self.patterns: set[str] = set()

    # -- words ------------------------------------------------------------------------------------
    def peek(self, ahead: int = 0) -> str:
        """The word `ahead` places on, in lower case; empty at the end."""
        index = self.at + ahead
        return self.words[index].lower() if index < len(self.words) else ""

    def accept(self, phrase: str) -> bool:
        """Read these words if they come next."""
        words = phrase.split()
        if [self.peek(i) for i in range(len(words))] != words:
            return False
        self.at += len(words)
        return True

    def fail(self, expected: str) -> EffectError:
        """The error for the word that comes next."""
        word = f"{self.words[self.at]!r}" if self.at < len(self.words) else "the end"
        return EffectError(f"{word} does not fit here; expected {expected}")

    def one_of(self, *phrases: str) -> str:
        """Read one of these phrases, the longest that fits."""
        for phrase in sorted(phrases, key=len, reverse=True):
            if self.accept(phrase):
                return phrase
        # the word to blame is the first one after the longest common start
        best = max((self.common(phrase) for phrase in phrases), default=0)
        self.at += best
        raise self.fail("one of: " + ", ".join(sorted(phrases)))

    def common(self, phrase: str) -> int:
        """How many words of a phrase come next."""
        count = 0
        for i, word in enumerate(phrase.split()):
            if self.peek(i) != word:
                break
            count = i + 1
        return count

    def expect(self, *phrases: str) -> None:
        """Read one of these phrases and nothing else."""
        self.one_of(*phrases)

    def number(self) -> int:
        """Read an amount."""
        if not self.peek().isdigit() or not 1 <= int(self.peek()) <= MAX_AMOUNT:
            raise self.fail(f"a number from 1 to {MAX_AMOUNT}")
        self.at += 1
        return int(self.words[self.at - 1])

    def place(self) -> Place:
        """Read a place."""
        words = self.one_of(*PLACE_WORDS)
        found = PLACE_WORDS[words]
        return Place(found.place, found.each, found.other_agent, words)

    # -- sentences --------------------------------------------------------------------------------
    def effect(self) -> Program:
        """The whole sentence."""
        whole = self.step()
        while self.at < len(self.words):
            self.expect(", then")
            self.patterns.add("then")
            whole = whole + self.step()
        whole = whole + Piece([(END, 0, 0, 0)])
        if len(whole.code) > MAX_LENGTH:
            raise EffectError(f"the effect is too long: {len(whole.code)} instructions, {MAX_LENGTH} fit")
        return Program(whole.code, whole.labels, self.patterns)

    def step(self) -> Piece:
        """One step, with its condition and its freedom."""
        if self.accept("if"):
            words = self.one_of(*CONDITION_WORDS)
            self.patterns.add(f"if {words}")
            self.expect(",")
            body = self.free_step()
            return Piece([(CHECK, CONDITION_WORDS[words], 0, len(body.code))]) + body
        return self.free_step()

    def free_step(self) -> Piece:
        """One step that may start with "you may"."""
        if self.accept("you may"):
            self.patterns.add("you may")
            body = self.options()
            return Piece([(ASK, 0, 0, len(body.code))]) + body
        return self.options()

    def options(self) -> Piece:
        """Actions joined by "or"; a bare place after it means the same action there."""
        start = self.at
        build, place = self.action()
        branches = [(self.said(start), build(place))]
        only_places = True
        while self.accept("or"):
            self.patterns.add("or")
            start = self.at
            if self.peek() in VERBS:
                only_places = False
                build, place = self.action()
                branches.append((self.said(start), build(place)))
            elif place is None:
                raise self.fail("an action")
            else:
                there = self.place()
                branches.append((there.words, build(there)))
        if len(branches) == 1:
            return branches[0][1]
        if len(branches) > MAX_OPTIONS:
            raise EffectError(f"{len(branches)} options are too many, {MAX_OPTIONS} fit")
        if only_places and place is not None:
            branches[0] = (place.words, branches[0][1])
        return self.fork(branches)

    def said(self, start: int) -> str:
        """The words read since `start`."""
        return " ".join(self.words[start : self.at])

    def fork(self, branches: list[tuple[str, Piece]]) -> Piece:
        """A choice, a table of jumps, and the branches, each of which ends with a jump behind the last."""
        sizes = [len(piece.code) + 1 for _, piece in branches]
        table: list[Instruction] = []
        for k in range(len(branches)):
            table.append((JUMP, 0, 0, len(branches) - 1 - k + sum(sizes[:k])))
        names = [label.removeprefix("at ") for label, _ in branches]
        whole = Piece([(PICK_OPTION, len(branches), 0, 0)], {0: names}) + Piece(table)
        for k, (_, piece) in enumerate(branches):
            whole = whole + piece + Piece([(JUMP, 0, 0, sum(sizes[k + 1 :]))])
        return whole

    # -- actions: each returns how to build it for a place, and the place it was said for ---------
    def action(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        """One action."""
        if self.peek() not in VERBS:
            raise self.fail("one of the verbs: " + ", ".join(VERBS))
        self.at += 1
        return getattr(self, "verb_" + self.words[self.at - 1].lower())()

    def simple(self, pattern: str, *code: Instruction) -> tuple[Callable[[Place | None], Piece], None]:
        """An action without a place."""
        self.patterns.add(pattern)
        piece = Piece(step_over(list(code)))
        return (lambda _: piece), None

    def cubes(self, thing: str, purpose: int, op: int, op_each: int) -> tuple[Callable[[Place | None], Piece], Place]:
        """Add energy or remove rifts, the same number wherever it happens."""
        amount = self.number()
        self.expect(*((thing,) if thing == "energy" else ("rift", "rifts")))
        place = self.place()
        per = ONCE
        if self.accept("for each"):
            words = self.one_of(*COUNT_WORDS)
            per = COUNT_WORDS[words]
            self.patterns.add("for each")

        def build(where: Place | None) -> Piece:
            assert where is not None
            self.patterns.add(f"{thing} {where.words}")
            if where.each:
                if per != ONCE:
                    raise EffectError(f"'for each' does not fit here; it cannot be said of '{where.words}'")
                return Piece([(op_each, amount, where.place, 0)])
            return Piece(step_over([*where.choose(purpose), (op, amount, per, 0)]))

        if place.words == "here" and self.peek() == "or" and self.peek(2) == "each" and self.peek(3) == "vortex":
            self.patterns.add(f"{thing} here or at each vortex")
        return build, place

    def level(self, thing: str, towards: str) -> tuple[Callable[[Place | None], Piece], Place]:
        """Add energy, or remove rifts, until the number equals another."""
        place = self.place()
        self.expect(towards)
        if thing == "energy":
            to_rifts = self.one_of("rifts", "clones") == "rifts"
            purpose = FOR_ENERGY_TO_RIFTS if to_rifts else FOR_ENERGY_TO_CLONES
            operation = (LEVEL_ENERGY, TO_RIFTS if to_rifts else TO_CLONES, 0, 0)
        else:
            to_energy = self.one_of("energy", "clones") == "energy"
            purpose = FOR_RIFTS_TO_ENERGY if to_energy else FOR_RIFTS_TO_CLONES
            operation = (LEVEL_RIFTS, TO_ENERGY if to_energy else TO_CLONES, 0, 0)
        self.patterns.add(f"level {thing}")

        def build(where: Place | None) -> Piece:
            if where is None or where.each:
                raise EffectError(f"'{where.words if where else ''}' does not fit here; level one era at a time")
            return Piece(step_over([*where.choose(purpose), operation]))

        return build, place

    def verb_add(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        if self.accept("energy"):
            return self.level("energy", "up to its")
        return self.cubes("energy", FOR_ENERGY, ENERGY, ENERGY_EACH)

    def verb_remove(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        if self.accept("rifts"):
            return self.level("rifts", "down to its")
        return self.cubes("rifts", FOR_RIFTS, RIFTS, RIFTS_EACH)

    def clones_at(
        self, verb: str, amount: int, purpose: int, each: list[Instruction]
    ) -> tuple[Callable[[Place | None], Piece], Place]:
        """Choose an era once, then a clone there again and again."""
        self.expect("clone", "clones")

        def build(where: Place | None) -> Piece:
            if where is None or where.each:
                raise EffectError(f"'{where.words if where else ''}' does not fit here; {verb} in one era at a time")
            self.patterns.add(f"{verb} here" if where.place == HERE else f"{verb} elsewhere")
            return Piece(step_over([*where.choose(purpose), *each * amount]))

        return build, self.place()

    def verb_push(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        amount = self.number()
        once: list[Instruction] = [
            (PICK_CLONE, CHOSEN, 0, 0), (PICK_TARGET, OF_CLONE, 1, 0), (MOVE_CLONE, TO_TARGET, 0, 0)
        ]  # fmt: skip
        if amount > 1:
            self.patterns.add("push several")
        return self.clones_at("push", amount, FOR_CLONES, once)

    def verb_pull(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        amount = self.number()
        self.expect("clone", "clones")
        once: list[Instruction] = [(PICK_CLONE, ADJACENT, 0, 0), (MOVE_CLONE, TO_ACTOR, 0, 0)]
        return self.simple("pull several" if amount > 1 else "pull", *once * amount)

    def verb_destroy(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        if self.accept("the newest card at each era"):
            return self.simple("destroy the newest cards", (DESTROY_NEWEST, 0, 0, 0))
        amount = self.number()
        if self.peek() in ("clone", "clones"):
            once: list[Instruction] = [(PICK_CLONE, CHOSEN, NO_SUPA_CLONE, 0), (KILL_CLONE, 0, 0, 0)]
            return self.clones_at("destroy", amount, FOR_DESTROYING, once)
        self.expect("card", "cards")
        return self.simple("destroy card", *[(PICK_HAND, ANY_CARD, 0, 0), (DESTROY, 0, 0, 0)] * amount)

    def eras(self) -> int:
        """A number of eras, or anywhere."""
        if self.accept("anywhere"):
            return ANYWHERE
        amount = self.number()
        if amount > 3:
            self.at -= 1
            raise self.fail("a number from 1 to 3")
        self.expect("era", "eras")
        return amount

    def verb_move(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        if self.peek() in ("another", "any"):
            return self.move_agent()
        distance = self.eras()
        target: Instruction = (PICK_TARGET, OF_ACTOR, distance, 0)
        if distance < ANYWHERE and self.accept("carrying 1 clone"):
            from_vortex = self.accept("from a vortex")
            path = PATH_VORTEX if from_vortex else PATH
            return self.simple(
                "carry from a vortex" if from_vortex else "carry",
                target,
                (PICK_CLONE, path, YOU_MAY, 2),  # optional; whatever happens, the agent moves
                (PICK_DROP, 0, 0, 1),
                (MOVE_CLONE, TO_CHOSEN, 0, 0),
                (MOVE_ACTOR, TO_TARGET, 0, 0),
            )
        pattern = {1: "move 1 era", ANYWHERE: "move anywhere"}.get(distance, "move several eras")
        return self.simple(pattern, target, (MOVE_ACTOR, TO_TARGET, 0, 0))

    def move_agent(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        """Move another agent, or any."""
        any_agent = self.one_of("another agent", "any agent") == "any agent"
        if not any_agent and self.accept("here"):
            return self.simple(
                "move another agent",
                (PICK_AGENT, OTHER_AGENT, FOR_ANYTHING, 0),
                (PICK_ERA, HERE, FOR_ANYTHING, 0),
                (MOVE_OTHER, TO_CHOSEN, 0, 0),
            )
        distance = self.eras()
        return self.simple(
            "move any agent" if any_agent else "move another agent",
            (PICK_AGENT, ANY_AGENT if any_agent else OTHER_AGENT, FOR_ANYTHING, 0),
            (PICK_TARGET, OF_OTHER, distance, 0),
            (MOVE_OTHER, TO_TARGET, 0, 0),
        )

    def verb_swap(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        what = self.one_of("with another agent", "a clone here with a clone", "energy with", "rifts with")
        if what == "with another agent":
            return self.simple(
                "swap agents", (PICK_AGENT, OTHER_AGENT, FOR_ANYTHING, 0), (SWAP_AGENTS, 0, 0, 0)
            )  # fmt: skip
        if what.startswith("a clone"):
            place = self.place()
            if place.each or place.other_agent:
                raise EffectError(f"'{place.words}' does not fit here; swap with one era")
            return self.simple(
                "swap clones",
                (CHECK, IF_CLONES, place.place, 4),  # nobody is asked for one clone if there is no other
                (PICK_CLONE, HERE, 0, 0),
                (PICK_SECOND, place.place, 0, 0),
                (PICK_ORDER, 0, 0, 0),  # asked only where the order matters
                (SWAP_CLONES, 0, 0, 0),
            )
        thing = what.split()[0]
        words = self.one_of("an adjacent era", "foo", "a vortex", "any era")
        place = PLACE_WORDS["at " + words]
        purpose, op = (FOR_SWAPPING_ENERGY, SWAP_ENERGY) if thing == "energy" else (FOR_SWAPPING_RIFTS, SWAP_RIFTS)
        return self.simple(f"swap {thing}", *place.choose(purpose), (op, 0, 0, 0))

    def cards(self) -> int:
        """A number of cards."""
        amount = self.number()
        self.expect("card", "cards")
        return amount

    def verb_draw(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        return self.simple("draw", (DRAW, self.cards(), 0, 0))

    def verb_discard(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        return self.simple("discard", *[(PICK_HAND, ANY_CARD, 0, 0), (DISCARD, 0, 0, 0)] * self.cards())

    def verb_ready(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        return self.simple("ready", *[(PICK_HAND, EXHAUSTED_CARD, 0, 0), (READY, 0, 0, 0)] * self.cards())

    def verb_reveal(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        return self.simple("reveal", (REVEAL, self.cards(), 0, 0))

    def verb_take(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        self.expect("a card")
        place = HERE if self.one_of("here", "anywhere") == "here" else ANY
        return self.simple(
            "take", (PICK_ERA, place, FOR_CARDS, 0), (PICK_ROW, AVAILABLE_CARDS, 0, 0), (TAKE, 0, 0, 0)
        )  # fmt: skip

    def verb_play(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        self.expect("a card")
        if self.accept("of another agent"):
            return self.simple(
                "play a card of another agent",
                (PICK_AGENT, AGENT_WITH_CARD, FOR_ANYTHING, 0),
                (PICK_ROW, AGENTS_CARDS, 0, 0),
                (PLAY_ROW, AGENTS_CARDS, 0, 0),
            )
        self.expect("available")
        place = HERE if self.one_of("here", "anywhere") == "here" else ANY
        return self.simple(
            "play an available card",
            (PICK_ERA, place, FOR_PLAYABLE, 0),
            (PICK_ROW, AVAILABLE_CARDS, 1, 0),
            (PLAY_ROW, AVAILABLE_CARDS, 0, 0),
        )

    def verb_another(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        self.expect("agent plays a card")
        return self.simple(
            "another agent plays",
            (PICK_AGENT, AGENT_WITH_CARD, FOR_ANYTHING, 0),
            (PICK_ROW, AGENTS_CARDS, 0, 0),
            (LET_PLAY, AGENTS_CARDS, 0, 0),
        )

    def verb_each(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        self.expect("player draws")
        body: list[Instruction] = [(DRAW, self.cards(), 0, 0)]
        pattern = "each player draws"
        if self.accept("and"):
            what = self.one_of("discards", "destroys")
            pattern += f" and {what}"
            operation = DISCARD if what == "discards" else DESTROY
            body += step_over([(PICK_HAND, ANY_CARD, 0, 0), (operation, 0, 0, 0)] * self.cards())
        code = [(EACH_PLAYER, 0, 0, 0), *body, (NEXT_PLAYER, 0, 0, len(body))]
        self.patterns.add(pattern)
        return (lambda _: Piece(code)), None

    def verb_exhaust(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        return self.simple("exhaust", *[(PICK_HAND, READY_CARD, 0, 0), (EXHAUST, 0, 0, 0)] * self.cards())

    def verb_lose(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        amount = self.number()
        if self.one_of("energy at each era with a clone", "damage at each open tile").startswith("energy"):
            return self.simple("lose energy", (LOSE_ENERGY, amount, 0, 0))
        return self.simple("lose damage", (LOSE_DAMAGE, amount, 0, 0))

    def verb_throw(self) -> tuple[Callable[[Place | None], Piece], Place | None]:
        self.expect("every agent back")
        amount = self.number()
        self.expect("era", "eras")
        return self.simple("throw back", (THROW_BACK, amount, 0, 0))


def compile_effect(text: str) -> Program:
    """The program of an effect; an EffectError names the first word that does not fit."""
    return Parser(text).effect()
