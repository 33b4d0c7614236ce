"""The table as a picture: what it shows, that nothing overlaps or is cut off, and the pixels made of it."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import loop_env  # noqa: F401 (the ids)
from loop_env import raster
from loop_env.errors import UserError
from loop_env.svg import clip, measure, wrap
from loop_env.the_loop import TheLoopEnv, position
from loop_env.the_loop.changes import changes
from loop_env.the_loop.names import ERAS
from loop_env.the_loop.options import read_data
from loop_env.the_loop.picture import draw_picture

DATA = read_data(None)
SETUPS = [
    {"agents": 2},
    {"agents": 3, "mode": "supa_clones", "level": 2},
    {"agents": 4, "mode": "centrifuges", "level": 3},
    {"agents": 4, "mode": "ultramachina", "level": 3, "solo": True},
]


def random_game(env, seed=0, most=400):
    """Every position of a game."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    yield env
    for _ in range(most):
        if env.is_over():
            return
        env.step(rng.choice(np.flatnonzero(env.action_masks())))
        yield env


def crowded():
    """A table on which there is far too much of everything."""
    seats = ["robot_404", "cztwyzzek", "time_prowler", "mister_time"]
    before = position(seats, foo="robots", at=dict.fromkeys(seats, "robots")).view()
    cards = [card.name for card in DATA.artefacts]
    view = before | {
        "machina": "Express Cloning",
        "rifts": dict.fromkeys(ERAS, 3),
        "energy": dict.fromkeys(ERAS, 30),
        "eternal": dict.fromkeys(ERAS, 5),
        "clones": [("robots", era) for era in ERAS for _ in range(4)],
        "supa_clones": [("robots", era) for era in ERAS],
        "centrifuges": list(ERAS),
        "vortices": ["dawn"],
        "tiles": dict.fromkeys(ERAS, "clones_everywhere") | {"dawn": None},
        "damage": {era: list(ERAS) for era in ERAS},
        "available": cards[40:],
        "hand": {seat: cards[10 * i : 10 * i + 10] for i, seat in enumerate(seats)},
        "exhausted": cards[:20],
        "deck": dict.fromkeys(seats, 79),
        "discard": dict.fromkeys(seats, cards),
        "risk": dict.fromkeys(ERAS, 1.0),
        "draft": cards[:5],
        "foo_left": list(ERAS),
        "turn": 21,
        "cycle": 3,
    }
    return view, before


# -- what it shows ---------------------------------------------------------------------------------
def words_of(picture, part=None):
    svg = picture.svg() if part is None else picture.parts[part]
    return [re.sub(r"&amp;", "&", words) for words in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def test_the_last_action_and_what_it_changed():
    env = position(at={"mister_time": "robots"}, rifts={"robots": 3}, hand={"mister_time": ["Spartan Shield"]})
    assert 'class="new"' not in env.picture().svg()
    env.act("play: Spartan Shield")
    picture = env.picture()
    assert words_of(picture, "last")[0] == "Mister Time: play: Spartan Shield"
    assert words_of(picture, "last")[1] == "rifts in Robots 3 → 1; Spartan Shield exhausted"
    changed = [name for name, part in picture.parts.items() if 'class="new"' in part]
    assert changed == ["era robots", "hand mister_time"]
    assert env.picture(before=env.view(), last="look").parts["era robots"] != picture.parts["era robots"]


@pytest.mark.parametrize("forget", ["reset", "restore", "illegal"])
def test_a_new_position_has_no_last_action(forget):
    env = position(energy={"industrial": 1})
    blob = env.save()
    env.act("move: globalization")
    assert "Mister Time: Industrial → Globalization" in env.picture().parts["last"]
    {"reset": env.reset, "restore": lambda: env.restore(blob), "illegal": lambda: env.step(-1)}[forget]()
    assert words_of(env.picture(), "last") == ["the table as it stands"]


def test_everything_on_the_table_can_be_seen():
    env = position(
        ["v_girl", "robot_404"], foo="industrial", at={"v_girl": "dawn"}, rifts={"dawn": 2}, energy={"dawn": 3},
        clones=[("dawn", "robots"), ("dawn", "end")], vortices=["end"],
        tiles={"dawn": "loops_at_foo", "medieval": None}, damage={"dawn": 2}, archived=1, available=["Spartan Shield"],
        foo_left=["dawn"], hand={"v_girl": ["War Horse"]}, exhausted=["War Horse"],
    )  # fmt: skip
    picture = env.picture()
    dawn = picture.parts["era dawn"]
    assert [dawn.count(f'class="{kind}"') for kind in ("energy", "slot")] == [3, 1 + 2]  # a slot, two pips
    assert dawn.count('class="rift"') == 2 + 2
    for words in ("Dawn of Time", "loops at Foo", "2 of 4", "Spartan Shield", "remove 2 rifts here", "Ro", "En", "VG"):
        assert words in words_of(picture, "era dawn"), words
    assert "Foo is still to come" in dawn
    assert "Foo is still to come" not in picture.parts["era robots"]
    assert "VORTEX" in words_of(picture, "era end")
    assert sum("VORTEX" in part for part in picture.parts.values()) == 1
    assert "tile archived" in words_of(picture, "era medieval")
    assert "tile face down" in words_of(picture, "era robots")
    assert "Doctor Foo" in picture.parts["era industrial"]
    assert "Doctor Foo" not in dawn
    assert words_of(picture, "machine") == ["30 %", "30 %", "machine"]
    assert "faded" in picture.parts["hand v_girl"]
    assert "faded" not in picture.parts["hand robot_404"]
    assert f"risk {100 * env.view()['risk']['dawn']:.0f} %" in words_of(picture, "era dawn")


@pytest.mark.parametrize(("outcome", "words"), [("won", "WON"), ("out_of_time", "LOST")])
def test_a_game_that_is_over(outcome, words):
    view = position().view() | {"outcome": outcome, "phase": "over"}
    assert words in words_of(draw_picture(DATA, view, None, ""), "now")


def test_changes_of_all_kinds():
    view, before = crowded()
    told = "; ".join(change.words for change in changes(DATA, before, view))
    for words in (
        "a VORTEX opens in Dawn", "clones everywhere opens in Robots", "rifts in End 0 → 3",
        "energy in Medieval 0 → 30",
        "clones in Robots 0 → 28", "supa clones in Robots 0 → 7", "ultramachina: Express Cloning", "cycle 3 begins",
        "turn 21 begins", "draws",
    ):  # fmt: skip
        assert words in told
    assert changes(DATA, view, view) == []


# -- layout ----------------------------------------------------------------------------------------
def texts(node, x=0.0, y=0.0, scale=1.0):
    """Every text of an SVG with where it begins and ends."""
    for child in node:
        moved = re.match(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", child.get("transform", ""))
        if moved:
            inner = scale * float(moved[3] or 1)
            yield from texts(child, x + scale * float(moved[1]), y + scale * float(moved[2]), inner)
            continue
        if child.tag.endswith("text"):
            bold = "b" in child.get("class", "").split()
            wide = measure(child.text, float(child.get("font-size")), bold)
            left = float(child.get("x")) - raster.SHARE[child.get("text-anchor", "start")] * wide
            yield child.text, x + scale * left, x + scale * (left + wide), y + scale * float(child.get("y"))
        yield from texts(child, x, y, scale)


def boxes(picture):
    """Every text with the panel or sheet it belongs to: it must lie inside, clear of the edge."""
    for name, part in picture.parts.items():
        root = ET.fromstring(f"<svg>{part}</svg>")
        panel = next((e for e in root.iter("rect") if e.get("class") in ("panel", "active")), None)
        moved = re.match(r"translate\((\S+) (\S+)\)", root[0].get("transform", ""))
        inside = panel is not None and moved and name not in ("machine",)
        left, right = (float(moved[1]), float(moved[1]) + float(panel.get("width"))) if inside else (0, picture.width)
        for words, begins, ends, y in texts(root):
            yield name, words, left <= begins and ends <= right and 0 < y < picture.height


def assert_all_inside(picture):
    ET.fromstring(picture.svg())
    outside = [(name, words) for name, words, fits in boxes(picture) if not fits]
    assert outside == []


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.get("mode", "sabotage"))
def test_nothing_is_cut_off_and_all_frames_are_alike(setup):
    env = TheLoopEnv(**setup)
    seen = set()
    for number, _ in enumerate(random_game(env)):
        picture = env.picture()
        seen.add((picture.width, picture.height, tuple(picture.parts)))
        if number % 5 == 0 or env.is_over():
            assert_all_inside(picture)
    assert len(seen) == 1


def test_a_crowded_table_fits():
    view, before = crowded()
    assert_all_inside(draw_picture(DATA, view, before, "a very <long> & winding sentence " * 10))


def test_the_longest_cards_and_missions_fit():
    view = position().view()
    for i in range(0, len(DATA.artefacts) - 3, 3):
        cards = [card.name for card in DATA.artefacts[i : i + 3]]
        shown = view | {"available": cards, "hand": {"mister_time": cards, "time_prowler": cards[::-1]}}
        for mission in DATA.missions:
            shown["tiles"] = dict.fromkeys(ERAS, mission.id)
            shown["damage"] = dict.fromkeys(ERAS, list(ERAS) if mission.where == "each_era" else 0)
        assert_all_inside(draw_picture(DATA, shown, None, ""))


def test_missions_are_never_clipped():
    for mission in DATA.missions:
        tiles = {"dawn": mission.id}
        assert mission.id.replace("_", " ").replace("foo", "Foo") in words_of(
            position(tiles=tiles).picture(), "era dawn"
        )


def test_text_is_measured():
    assert measure("WWW", 10) > measure("iii", 10)
    assert clip("short", 100, 12) == "short"
    cut = clip("a long sentence that has no room", 80, 12)
    assert cut.endswith("…")
    assert measure(cut, 12) <= 80
    assert clip("word", 1, 12) == "…"
    found = wrap("one two three four five six seven", 60, 12, 3)
    assert len(found) == 3
    assert all(measure(line, 12) <= 60 for line in found)
    assert " ".join(wrap("one two three", 60, 12, 9)) == "one two three"


# -- outputs ---------------------------------------------------------------------------------------
def test_html_for_notebooks_is_light_and_dark():
    html = position()._repr_html_()
    assert html.count("<svg") == 1
    assert "prefers-color-scheme:dark" in html
    assert all(
        rule.lstrip().startswith((".loop-env-table", "@media"))
        for rule in re.findall(r"[^{}]+(?=\{)", html.split("<style>")[1].split("</style>")[0])
    )


def test_pixels():
    env = position(vortices=["dawn"])
    drawn = env.picture().rgb()
    assert drawn.dtype == np.uint8
    assert drawn.shape == (env.picture().height, 1000, 3)
    assert env.picture().rgb(400).shape[1:] == (400, 3)
    env.act("stop")
    assert (env.picture().rgb() != drawn).any()


def test_a_png_file_holds_the_same_pixels():
    image = pytest.importorskip("PIL.Image")
    from io import BytesIO

    picture = position().picture()
    opened = np.asarray(image.open(BytesIO(picture.png(500))).convert("RGB")).astype(int)
    assert np.abs(opened - picture.rgb(500)).mean() < 2  # few colours, near the right ones
    assert len(picture.png(900)) < 120_000


def test_text_shows_without_fonts_on_the_machine():
    """Fonts come from a package, so the machine need not have any."""
    blank = raster.pixels('<rect width="200" height="60" class="paper"/>', ".x .paper{fill:#fff}", 200, 60)
    words = '<text x="100" y="40" font-size="30" text-anchor="middle">Loop</text>'
    drawn = raster.pixels('<rect width="200" height="60" class="paper"/>' + words, ".x .paper{fill:#fff}", 200, 60)
    dark = np.argwhere((drawn < 128).all(2))
    assert (blank == 255).all()
    assert len(dark) > 100
    assert abs(dark[:, 1].mean() - 100) < 6  # in the middle


def test_style_sheets_are_read_in_light_colours():
    style = ".t{--ink:#111;--b:#222}@media (prefers-color-scheme:dark){.t{--ink:#eee}}"
    style += ".t .x{fill:var(--ink);stroke:red}.t text.b{font-weight:bold}"
    plain = raster.in_plain_words('<g><rect class="x"/><text x="1" y="2" class="b">a &amp; b</text></g>', style)
    assert '<rect fill="#111" stroke="red"/>' in plain
    assert 'font-family="DejaVuSans-Bold">a & b</text>' in plain


def test_without_the_packages_there_is_a_sentence(monkeypatch):
    raster.engine_with_fonts.cache_clear()
    monkeypatch.setitem(sys.modules, "thorvg_python", None)
    with pytest.raises(UserError, match=r"pip install 'loop_env\[watch\]'"):
        position().picture().rgb()
    raster.engine_with_fonts.cache_clear()


# -- tools of the field ----------------------------------------------------------------------------
def test_rgb_array_passes_gymnasiums_checker():
    check_env(gym.make("loop_env/TheLoop-v0", render_mode="rgb_array").unwrapped)


def test_rgb_array_frames_have_one_size():
    env = gym.make("loop_env/TheLoop-v0", agents=3, render_mode="rgb_array").unwrapped
    assert {env.render().shape for _ in random_game(env, most=30)} == {env.render().shape}


def test_a_video_is_recorded(tmp_path):
    pytest.importorskip("moviepy")
    env = gym.make("loop_env/TheLoop-v0", render_mode="rgb_array")
    video = gym.wrappers.RecordVideo(env, str(tmp_path), episode_trigger=lambda _: True, disable_logger=True)
    info = video.reset(seed=1)[1]
    for _ in range(6):
        info = video.step(video.action_space.sample(info["action_mask"]))[4]
    video.close()
    (file,) = tmp_path.glob("*.mp4")
    assert file.stat().st_size > 10_000


def test_sb3_makes_the_environment_by_its_id():
    contrib = pytest.importorskip("sb3_contrib")
    model = contrib.MaskablePPO("MlpPolicy", "loop_env/TheLoop-v0", n_steps=8, batch_size=8, n_epochs=1)
    assert model.get_env().render_mode == "rgb_array"
    assert model.learn(8).num_timesteps == 8
