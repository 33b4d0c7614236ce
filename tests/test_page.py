"""A game as a web page, in a real browser."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import torch
from playwright.sync_api import Browser, Page, sync_playwright

from agents.network import Network
from agents.page import page as make_page
from agents.page import tell_game, write_page
from agents.policy import Policy
from agents.registry import load
from agents.settings import Network as Shape
from agents.sight import Sight
from agents.story import play_game
from agents.table import make_setup
from loop_env import replay
from loop_env.__main__ import main
from loop_env.games import find
from loop_env.replay import Replay

PHONE, DESK = (400, 800), (1400, 900)
SETUP = make_setup("the_loop", None, None, None, False, None)
NAMES = ("chromium", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a window. Without it these tests fail: a page that nobody has opened is not tested."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.fail("there is no chromium here: `make browser` installs it (as root), or: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def game() -> Replay:
    """A lost game that is soon over."""
    return play_game("random", "the_loop", SETUP, 4)


@pytest.fixture(scope="module")
def told(game) -> dict[str, Any]:
    """What its page knows."""
    return tell_game(game, load("planner@100", "the_loop"))


@pytest.fixture(scope="module")
def file(told, tmp_path_factory) -> Path:
    """Its page."""
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(make_page(told))
    return path


class Opened:
    """A page in the browser, with all that went wrong on it."""

    def __init__(self, browser: Browser, path: Path, size: tuple[int, int], scheme: str = "light") -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, offline=True
        )
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())

    @property
    def frame(self) -> int:
        return int(self.page.evaluate("document.body.dataset.frame"))

    @property
    def board(self) -> str:
        return str(self.page.evaluate("document.querySelector('#board svg').innerHTML"))

    def is_too_wide(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))

    def close(self) -> None:
        """No errors, and nothing from anywhere else."""
        self.context.close()
        assert self.faults == []
        assert len(self.requests) == 1


@pytest.fixture(params=[PHONE, DESK], ids=["400 px", "1400 px"])
def opened(request, browser, file) -> Iterator[Opened]:
    """The page at each width."""
    page = Opened(browser, file, request.param)
    yield page
    page.close()


def test_it_plays_to_the_end(opened, game):
    boards = {opened.board}
    opened.page.select_option("#speed", "8")
    opened.page.click("#play")
    assert opened.page.get_attribute("body", "data-playing") == "true"
    while opened.frame < len(game.actions):
        before = opened.frame
        opened.page.wait_for_function("before => document.body.dataset.frame > before", arg=before, timeout=20_000)
        boards.add(opened.board)
    assert len(boards) > len(game.actions) // 2
    assert opened.page.get_attribute("body", "data-playing") == "false"
    assert "The end: " in opened.page.inner_text("#status")
    assert not opened.is_too_wide()


def test_it_can_be_paused(opened):
    opened.page.click("#play")
    opened.page.wait_for_function("() => document.body.dataset.frame > 0")
    opened.page.click("#play")
    at = opened.frame
    opened.page.wait_for_timeout(1200)
    assert opened.frame == at


def test_buttons_and_slider(opened, game):
    page = opened.page
    page.click("#next")
    page.click("#next")
    page.click("#back")
    assert opened.frame == 1
    page.click("#last")
    assert opened.frame == len(game.actions)
    page.click("#next")  # there is nothing after the end
    assert opened.frame == len(game.actions)
    page.click("#first")
    assert opened.frame == 0
    page.evaluate("s => { s.value = 7; s.dispatchEvent(new Event('input')) }", page.query_selector("#slider"))
    assert opened.frame == 7
    assert page.inner_text("#place") == f"7 of {len(game.actions)}"


def test_keyboard(opened, game):
    page = opened.page
    for key, frame in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", len(game.actions)), ("Home", 0)):
        page.keyboard.press(key)
        assert opened.frame == frame
    page.keyboard.press("PageDown")
    assert page.input_value("#turn") == "2"
    page.keyboard.press("PageUp")
    assert opened.frame == 0
    page.click("#next")  # and after a click the keys work as before
    page.keyboard.press("Space")
    assert page.get_attribute("body", "data-playing") == "true"
    page.keyboard.press("Space")
    assert page.get_attribute("body", "data-playing") == "false"


def test_jumps(opened):
    page = opened.page
    page.select_option("#turn", "3")
    assert "Turn 3." in page.inner_text("#status")
    line = page.locator("#log button").nth(10)
    line.click()
    assert opened.frame == 11
    assert line.get_attribute("aria-current") == "true"
    assert page.locator("#log [aria-current]").count() == 1
    chart = page.locator("#chart")
    box = chart.bounding_box()
    chart.click(position={"x": box["width"] - 13, "y": 30})
    assert opened.frame == int(page.get_attribute("#slider", "max"))
    page.locator("#lost button").first.click()
    assert page.locator("#status .fell").count() >= 1


def test_the_log_has_every_decision_by_turn(opened, game, told):
    moments = told["moments"]
    lines = opened.page.locator("#log button").all_inner_texts()
    assert len(lines) == len(game.actions)
    assert all(moment["words"] in line for moment, line in zip(moments, lines, strict=False))
    headings = opened.page.locator("#log h3").all_inner_texts()
    assert [int(re.findall(r"\d+", heading)[0]) for heading in headings] == sorted({m["turn"] for m in moments[:-1]})


def test_the_board_is_that_of_the_game(opened, game):
    wanted = {0, 5, len(game.actions)}
    for i, env in enumerate(game.play()):
        if i in wanted:
            words = "".join(ElementTree.fromstring(env.picture().svg()).itertext())
            opened.page.evaluate("n => { const s = document.getElementById('slider'); s.value = n; "
                                 "s.dispatchEvent(new Event('input')) }", i)  # fmt: skip
            assert opened.page.evaluate("document.querySelector('#board svg').textContent") == words


def test_lost_chances_are_marked(opened):
    marks = opened.page.locator("#chart .fall").count()
    assert 1 <= marks <= 5
    assert opened.page.locator("#lost li").count() == marks
    assert opened.page.locator("#log .fell").count() == marks


def test_it_fits(opened):
    for key in ("Home", "End"):
        opened.page.keyboard.press(key)
        assert not opened.is_too_wide()
    for name in ("#play", "#slider", "#turn", "#speed"):  # the controls are always at hand
        box = opened.page.locator(name).bounding_box()
        size = opened.page.viewport_size
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]


def test_the_board_can_be_enlarged(opened):
    page = opened.page
    before = page.locator("#board svg").bounding_box()["width"]
    page.click("#board")
    assert page.locator("#board svg").bounding_box()["width"] >= max(1200, before)
    assert not opened.is_too_wide()
    page.click("#board")
    assert page.locator("#board svg").bounding_box()["width"] == before


def test_light_and_dark(browser, file):
    colours = {}
    for scheme in ("light", "dark"):
        opened = Opened(browser, file, DESK, scheme)
        colours[scheme] = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
        opened.close()
    assert colours["light"] != colours["dark"]


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Networks that look at one position at a time only get into each other's way."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("one_thread")
def test_a_policys_probabilities_are_bars(browser, game, tmp_path):
    rules = find("the_loop").game()
    policy = Policy(Network(rules, Shape(layers=1, width=16, row=8), Sight(rules, 0)), Sight(rules, 0))
    page = tell_game(game, policy)
    (tmp_path / "policy.html").write_text(make_page(page))
    told = page["moments"]
    number = next(i for i, moment in enumerate(told) if 2 <= moment["possible"] <= 8)
    assert sum(option["chance"] for option in told[number]["options"]) == pytest.approx(1, abs=0.01)
    opened = Opened(browser, tmp_path / "policy.html", DESK)
    for _ in range(number):
        opened.page.keyboard.press("ArrowRight")
    rows = opened.page.locator("#options .option:not(.heading)")
    assert rows.count() == told[number]["possible"]
    assert "how likely" in opened.page.inner_text("#options")
    widths = [float(bar.get_attribute("style").split(":")[1].rstrip("%")) for bar in rows.locator("i").all()]
    assert widths == [pytest.approx(100 * option["chance"], abs=0.1) for option in told[number]["options"]]
    assert rows.locator("xpath=self::*[contains(@class, 'did')]").count() == 1
    opened.close()


def test_a_decision_that_is_none_is_folded(browser, game, told, tmp_path):
    told = deepcopy(told)
    for moment in told["moments"]:
        moment["possible"] = 1
    (tmp_path / "forced.html").write_text(make_page(told))
    opened = Opened(browser, tmp_path / "forced.html", DESK)
    assert opened.page.locator("#options .option").count() == 0
    assert "Only one thing is possible" in opened.page.inner_text("#options")
    assert opened.page.locator("#log button.forced").count() == len(game.actions)
    opened.close()


def test_words_are_words(browser, game, tmp_path):
    evil = "</script><script>document.title = 'caught'</script><b>&amp;"
    write_page(tmp_path / "evil.html", replace(game, player=evil), load("random", "the_loop"))
    opened = Opened(browser, tmp_path / "evil.html", DESK)
    assert evil in opened.page.inner_text("h1")
    assert opened.page.title() == f"The Loop: {evil}"
    opened.close()


# -- the file --------------------------------------------------------------------------------------
def test_a_long_game_is_a_small_file(tmp_path, capsys):
    path = tmp_path / "pages" / "game.html"
    assert main(["watch", "planner", "--seed", "7", "--agents", "4", "--html", str(path)]) == 0
    assert "game.html (0." in capsys.readouterr().out
    told = json.loads(re.search(r'id="game">(.*?)</script>', path.read_text())[1])
    assert len(told["moments"]) > 150
    assert path.stat().st_size < 1_000_000
    assert not re.search(r'(src|href)="(?!data:)', path.read_text().split("<script type")[0])


def test_a_saved_game_becomes_a_page(game, tmp_path):
    replay.save(tmp_path / "games.jsonl", [replace(game, actions=game.actions[:5], outcome="")])
    path = tmp_path / "game.html"
    assert main(["watch", str(tmp_path / "games.jsonl"), "--html", str(path), "--advisor", "random"]) == 0
    text = path.read_text()
    assert "The game is not over yet." in text
    assert '"chance":' in text
    assert main(["watch", str(tmp_path / "games.jsonl"), "--html", str(path)]) == 0
    assert '"chance":' not in path.read_text()  # nobody knows how likely an unknown player was to do it


def test_where_no_page_can_be_written(game, tmp_path, capsys):
    replay.save(tmp_path / "games.jsonl", [game])
    assert main(["watch", str(tmp_path / "games.jsonl"), "--html", str(tmp_path)]) == 2
    assert "is a folder" in capsys.readouterr().err
    assert main(["watch", str(tmp_path / "games.jsonl"), "--html", str(tmp_path / "games.jsonl" / "x.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err
