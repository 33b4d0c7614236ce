"""A game as a web page: one file that needs nothing else, not even a server.

Most of a picture stays as it is from one decision to the next. So every piece of it is stored once: an element of SVG,
a fragment (a list of elements) and a frame (a list of fragments) are each told by numbers.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from agents.advice import Option
from agents.base import Agent
from agents.play import title
from agents.story import Moment, lost_chances, tell
from loop_env.picture import CLASS, Picture
from loop_env.replay import Replay, write_text

WEB = Path(__file__).parent / "web"
SHOWN = 6  # actions of a decision, and the one that was done
LOST = 5  # chances that are marked
DIGITS = 3


def write_page(path: Path, game: Replay, adviser: Agent) -> None:
    """Write a game's page."""
    write_text(path, page(tell_game(game, adviser)))


def page(told: dict[str, Any]) -> str:
    """The page, from its template."""
    pieces = {
        "title": html.escape(told["title"]),
        "style": (WEB / "page.css").read_text(encoding="utf-8"),
        "script": (WEB / "page.js").read_text(encoding="utf-8"),
        "game": json.dumps(told, separators=(",", ":")).replace("<", "\\u003c"),  # nothing may look like a tag's end
    }
    template = (WEB / "page.html").read_text(encoding="utf-8")
    return re.sub(r"{{(\w+)}}", lambda found: pieces[found[1]], template)


def tell_game(game: Replay, adviser: Agent) -> dict[str, Any]:
    """All that the page knows."""
    film, moments, setting = Film(), list[Moment](), ""
    for env, moment in tell(game, adviser):
        film.add(env.picture())
        moments.append(moment)
        setting = setting or describe(env.setting())
    ending = f"The end: {game.outcome.replace('_', ' ')}." if game.outcome else "The game is not over yet."
    return {
        "title": f"{title(game.game)}: {game.player or 'a game'}",
        "about": f"{setting} · seed {game.seed} · {len(game.actions)} decisions · {ending}",
        "ending": ending,
        "adviser": adviser.name,
        "moments": [moment_told(moment) for moment in moments],
        "lost": [vars(drop) | {"size": round(drop.size, DIGITS)} for drop in lost_chances(moments, LOST)],
        **film.told(),
    }


def describe(setting: dict[str, Any]) -> str:
    """What is played, in a line."""
    words = []
    for key, value in setting.items():
        if isinstance(value, list):
            words.append(", ".join(title(str(each)) for each in value))
        elif value is True:
            words.append(key)
        elif value is not False:
            words.append(f"{key} {value}".replace("_", " "))
    return " · ".join(words)


def moment_told(moment: Moment) -> dict[str, Any]:
    """A moment: the likeliest or best actions, and which of them was done."""
    options = moment.advice.options if moment.advice else []
    shown = [each for i, each in enumerate(options) if i < SHOWN or each is moment.option]
    return {
        "turn": moment.turn,
        "agent": title(moment.agent),
        "words": moment.words,
        "possible": moment.possible,
        "win": round(moment.win, DIGITS),
        "did": shown.index(moment.option) if moment.option else -1,
        "options": [option_told(each) for each in shown],
    }


def option_told(option: Option) -> dict[str, Any]:
    """A possible action."""
    chance = {} if option.chance is None else {"chance": round(option.chance, DIGITS)}
    return {"name": option.name, "win": round(option.win, DIGITS), **chance}


class Film:
    """Pictures, with everything that repeats stored once."""

    def __init__(self) -> None:
        self.elements: dict[str, int] = {}
        self.fragments: dict[str, int] = {}
        self.frames: list[list[int]] = []
        self.picture: Picture | None = None

    def add(self, picture: Picture) -> None:
        """One more frame."""
        self.picture = self.picture or picture
        self.frames.append([self.fragments.setdefault(part, len(self.fragments)) for part in picture.parts.values()])

    def told(self) -> dict[str, Any]:
        """The film for the page: each fragment is cut where an element begins."""
        assert self.picture is not None  # a game has a beginning
        fragments = [
            [self.elements.setdefault(piece, len(self.elements)) for piece in re.findall(r"^[^<]+|<[^<]*", fragment)]
            for fragment in self.fragments
        ]
        return {
            "class": CLASS,
            "width": self.picture.width,
            "height": self.picture.height,
            "style": self.picture.style,
            "parts": list(self.picture.parts),
            "elements": list(self.elements),
            "fragments": fragments,
            "frames": self.frames,
        }
