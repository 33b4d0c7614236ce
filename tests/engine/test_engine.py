"""What every game shares."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from loop_env.engine import jit
from loop_env.engine.luck import draw_below, draw_unit, seed_streams, shuffle
from loop_env.engine.masks import allow, allow_nothing, count_bits, is_legal, pick_legal, write_mask
from loop_env.engine.piles import NO_CARD, append, close_up, pick, put, put_on_top
from loop_env.engine.records import record
from loop_env.engine.tables import Table

PILES, CARDS = 3, 8
TOY = record(
    ("luck", "u8", 1), ("legal", "u8", 2),
    ("place", "i1", CARDS), ("known", "i1", CARDS), ("pile_size", "i1", PILES), ("known_size", "i1", PILES),
)  # fmt: skip


@pytest.fixture
def toy():
    games = np.zeros(1, TOY)
    games[0].pile_size[0] = CARDS
    seed_streams(games[0].luck, np.uint64(3))
    return games[0]


# -- luck ------------------------------------------------------------------------------------------
def test_numbers_are_even(toy):
    counts = np.bincount([draw_below(toy.luck, 0, 7) for _ in range(14_000)], minlength=7)
    assert (abs(counts - 2000) < 5 * np.sqrt(2000)).all()
    units = np.array([draw_unit(toy.luck, 0) for _ in range(10_000)])
    assert (units >= 0).all()
    assert (units < 1).all()
    assert abs(units.mean() - 0.5) < 0.02


def test_streams_of_one_seed_differ():
    luck = np.zeros(5, np.uint64)
    seed_streams(luck, np.uint64(0))
    assert len(set(luck.tolist())) == 5


def test_every_shuffle_is_equally_likely(toy):
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        items = np.arange(3)
        shuffle(toy.luck, 0, items, 3)
        seen[tuple(items)] = seen.get(tuple(items), 0) + 1
    assert len(seen) == 6
    assert all(abs(count - 1000) < 5 * np.sqrt(1000) for count in seen.values())


# -- piles -----------------------------------------------------------------------------------------
def test_a_card_is_in_one_pile(toy):
    put(toy, 5, 1)
    put(toy, 5, 2)
    assert toy.pile_size.tolist() == [CARDS - 1, 0, 1]
    assert toy.place[5] == 2


def test_known_cards_come_off_the_top_in_order(toy):
    for card in (4, 2, 6):
        put_on_top(toy, card, 1)
    put(toy, 7, 1)  # somewhere below, who knows where
    drawn = []
    for _ in range(4):
        card = pick(toy, 1, 0)
        put(toy, card, 2)
        drawn.append(card)
    assert drawn == [6, 2, 4, 7]
    assert toy.known_size.tolist() == [0, 0, 0]


def test_unknown_cards_come_at_random(toy):
    counts = np.bincount([pick(toy, 0, 0) for _ in range(8000)], minlength=CARDS)
    assert (abs(counts - 1000) < 5 * np.sqrt(1000)).all()


def test_rows_close_up():
    row = np.full(4, NO_CARD, np.int8)
    for length, card in enumerate((7, 8, 9)):
        append(row, length, card)
    close_up(row, 3, 1)
    assert row.tolist() == [7, 9, NO_CARD, NO_CARD]


# -- masks -----------------------------------------------------------------------------------------
def test_masks(toy):
    allow_nothing(toy)
    for action in (0, 63, 64, 100):
        allow(toy, action)
    masks = np.ones((2, 101), np.int8)
    write_mask(toy, masks, 1)
    assert np.flatnonzero(masks[1]).tolist() == [0, 63, 64, 100]
    assert masks[0].all()
    assert is_legal(toy, 64)
    assert not is_legal(toy, 65)
    assert not is_legal(toy, -1)
    assert not is_legal(toy, 128)
    luck = np.zeros(1, np.uint64)
    picked = np.bincount([pick_legal(toy, luck, 0) for _ in range(4000)])
    assert set(np.flatnonzero(picked)) == {0, 63, 64, 100}
    assert (abs(picked[[0, 63, 64, 100]] - 1000) < 160).all()


@pytest.mark.parametrize("bits", [0, 1, 0b1011, 2**63, 2**64 - 1])
def test_count_bits(bits):
    assert count_bits(np.uint64(bits)) == bits.bit_count()


# -- tables and records ----------------------------------------------------------------------------
def test_tables_lay_blocks_end_to_end():
    table = Table(("one", (), "a number"), ("grid", (2, 3), "a grid"), ("row", 4, "a row"))
    assert table.size == 11
    assert table["grid"].slice == slice(1, 7)
    assert table.starts("grid", "row") == (1, 7)
    assert table.block_of(8) == (table["row"], 1)
    with pytest.raises(IndexError):
        table.block_of(11)
    with pytest.raises(ValueError, match="two blocks"):
        Table(("one", (), ""), ("one", (), ""))


def test_records_have_no_gaps():
    kind = record(("wide", "u8"), ("small", "i1", 3))
    assert kind.itemsize == 16
    assert sum(kind[name].itemsize for name in kind.names) == 16
    with pytest.raises(ValueError, match="'wide' is not aligned"):
        record(("small", "i1"), ("wide", "u8"))


# -- the compiler's cache --------------------------------------------------------------------------
def test_an_edited_rule_is_never_run_in_its_old_form(tmp_path):
    """The caller stands in another file, and keeps its cached machine code: the trap that the cache key avoids."""
    package = tmp_path / "loop_env"
    shutil.copytree(Path(jit.__file__).parent, package / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").write_text("")
    head = "from loop_env.engine.jit import njit\n"
    (package / "callee.py").write_text(head + "@njit\ndef answer():\n    return 1\n")
    (package / "caller.py").write_text(
        head + "from loop_env.callee import answer\n@njit\ndef ask():\n    return answer()\n"
    )

    def run() -> str:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        code = "from loop_env.caller import ask; print(ask(), sum(ask.stats.cache_hits.values()))"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert run() == "1 0"
    assert run() == "1 1"  # from the cache
    callee = package / "callee.py"
    callee.write_text(callee.read_text().replace("return 1", "return 2"))
    assert run() == "2 0"


def test_old_caches_are_forgotten(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for age in range(9):
        old = tmp_path / "loop_env" / f"old{age}"
        old.mkdir(parents=True)
        os.utime(old, (age, age))
    newest = jit.open_cache()
    left = sorted(path.name for path in (tmp_path / "loop_env").iterdir())
    assert left == sorted(["old5", "old6", "old7", "old8", newest.name])
