"""The machine: sampling against the exact distribution, risk against counting."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from loop_env.the_loop import machine
from loop_env.the_loop.board import drop_rifts
from loop_env.the_loop.names import ERAS

from .helpers import table

SPLITS = [((0.3, 0.4, 0.3), 0.0), ((0.3, 0.4, 0.3), 0.4), ((0.1, 0.2, 0.7), 0.9), ((0.0, 1.0, 0.0), 0.2)]


def by_enumeration(cubes: int, split: tuple[float, ...], clumping: float) -> dict[tuple[int, ...], float]:
    """Every order in which cubes can fall, one after the other."""
    table: dict[tuple[int, ...], float] = {}
    for order in product(range(3), repeat=cubes):
        counts, chance = [0, 0, 0], 1.0
        for fallen, chute in enumerate(order):
            weight = (1 - clumping) * split[chute] + clumping * counts[chute]
            chance *= weight / ((1 - clumping) + clumping * fallen)
            counts[chute] += 1
        key = tuple(counts)
        table[key] = table.get(key, 0) + chance
    return table


@pytest.mark.parametrize(("split", "clumping"), SPLITS)
@pytest.mark.parametrize("cubes", [0, 1, 2, 5])
def test_drop_probabilities_are_exact(cubes, split, clumping):
    exact = machine.drop_probabilities(cubes, split, clumping)
    counted = by_enumeration(cubes, split, clumping)
    assert sum(exact.values()) == pytest.approx(1)
    for drop, chance in exact.items():
        assert chance == pytest.approx(counted.get(drop, 0), abs=1e-12)


@pytest.mark.parametrize(("split", "clumping"), SPLITS)
def test_chute_probabilities_are_the_margins_of_the_drop(split, clumping):
    for chute in range(3):
        margin = np.zeros(6)
        for drop, chance in machine.drop_probabilities(5, split, clumping).items():
            margin[drop[chute]] += chance
        assert machine.chute_probabilities(5, split[chute], clumping) == pytest.approx(margin)


def distance(counts: dict[tuple[int, ...], int], exact: dict, total: int) -> float:
    """Chi-square per drop that can happen."""
    assert set(counts) <= {drop for drop, chance in exact.items() if chance > 0}
    cells = [(counts.get(drop, 0), chance * total) for drop, chance in exact.items() if chance * total > 5]
    return sum((seen - expected) ** 2 / expected for seen, expected in cells) / max(len(cells), 1)


@pytest.mark.parametrize(("split", "clumping"), SPLITS)
def test_numpy_sampling_follows_the_exact_distribution(split, clumping):
    total, cubes = 40_000, 4
    drops = machine.sample(np.random.default_rng(7), np.full((total // 10, 10), cubes), split, clumping)
    assert drops.shape == (total // 10, 10, 3)
    kinds, seen = np.unique(drops.reshape(-1, 3), axis=0, return_counts=True)
    counts = {tuple(int(n) for n in kind): int(count) for kind, count in zip(kinds, seen, strict=True)}
    assert distance(counts, machine.drop_probabilities(cubes, split, clumping), total) < 2.5


@pytest.mark.parametrize(("split", "clumping"), SPLITS)
def test_the_engines_drop_follows_the_exact_distribution(split, clumping):
    env = table(foo="industrial")
    g, r = env.record, env.batch.rules[0]
    r.split[:], r.clumping = split, clumping
    counts: dict[tuple[int, ...], int] = {}
    total, cubes = 20_000, 4
    for _ in range(total):
        g.fallen[:], g.rift_supply = 0, 30
        drop_rifts(g, r, cubes)
        drop = tuple(int(n) for n in g.fallen[2:5])
        counts[drop] = counts.get(drop, 0) + 1
    assert distance(counts, machine.drop_probabilities(cubes, split, clumping), total) < 2.5


def test_different_numbers_of_cubes_at_once():
    cubes = np.arange(30)
    assert (machine.sample(np.random.default_rng(0), cubes).sum(-1) == cubes).all()


def test_spawn_probabilities_are_hypergeometric():
    assert machine.spawn_probabilities(10, 3, 2) == pytest.approx([21 / 45, 21 / 45, 3 / 45])
    assert machine.spawn_probabilities(1, 1, 3) == pytest.approx([0, 1])
    assert machine.spawn_probabilities(0, 0, 3) == pytest.approx([1])


def risk_by_hand(foo_left, rifts, clones, bag, new_clones):
    """Every Foo card, every pair of new clones, every drop: added up."""
    risk = np.zeros(7)
    tokens = [era for era in range(7) for _ in range(bag[era])]
    draws = [(t,) for t in range(len(tokens))] if new_clones == 1 else [()]
    for foo in np.flatnonzero(foo_left):
        for draw in draws:
            standing = clones[foo] + sum(tokens[t] == foo for t in draw)
            for drop, chance in machine.drop_probabilities(2 + int(standing)).items():
                for chute, fallen in enumerate(drop):
                    era = (foo + chute - 1) % 7
                    if rifts[era] + fallen > 3:
                        risk[era] += chance / len(draws) / sum(foo_left)
    return risk


@pytest.mark.parametrize("new_clones", [0, 1])
def test_vortex_risk_is_exact(new_clones):
    foo_left, rifts = [1, 0, 1, 1, 0, 0, 1], [3, 2, 0, 1, 3, 3, 2]
    clones, bag = [2, 0, 1, 0, 3, 0, 0], [2, 4, 3, 4, 1, 4, 4]
    exact = machine.vortex_risk(foo_left, rifts, clones, bag, new_clones=new_clones)
    assert exact == pytest.approx(risk_by_hand(foo_left, rifts, clones, bag, new_clones))


def test_vortex_risk_of_many_games_at_once():
    one = machine.vortex_risk([1] * 7, [3, 0, 0, 2, 0, 0, 1], [1] * 7, [3] * 7, new_clones=2)
    many = machine.vortex_risk(np.ones((5, 2, 7)), [3, 0, 0, 2, 0, 0, 1], [1] * 7, [3] * 7, new_clones=2)
    assert many.shape == (5, 2, 7)
    assert (many == one).all()


@pytest.mark.parametrize("cycle", [1, 2, 3])
def test_the_records_risk_is_the_machines(cycle):
    clones = [("end", "dawn"), ("end", "medieval"), ("dawn", "end"), ("robots", "dawn")]
    rifts = {"end": 3, "dawn": 2, "robots": 3, "industrial": 1}
    for left in (ERAS[2:], ("end",), ()):
        env = table(foo="dawn", foo_left=left, cycle=cycle, clones=clones, rifts=rifts)
        g = env.record
        following = cycle if left else cycle + 1
        if following > 3:
            assert (g.risk == 0).all()
            continue
        expected = machine.vortex_risk(
            g.foo_deck if left else np.ones(7), g.rifts, g.clones, g.bag, new_clones=following, supply=g.rift_supply
        )
        assert g.risk == pytest.approx(expected, abs=1e-6)


def test_the_risk_is_how_often_it_happens():
    words = {
        "foo": "dawn",
        "foo_left": ["end", "robots"],
        "rifts": {"end": 3, "robots": 2},
        "clones": [("end", "dawn")] * 2,
    }
    expected = table(**words).view()["risk"]
    seen = dict.fromkeys(ERAS, 0)
    games = 3000
    for seed in range(games):
        env = table(seed=seed, active="mister_time", **words)
        env.act("stop")
        if env.view()["phase"] == "foo":
            env.act("no")
        for era in env.view()["vortices"]:
            seen[era] += 1
    for era, chance in expected.items():
        assert seen[era] / games == pytest.approx(chance, abs=4.5 * (chance * (1 - chance) / games) ** 0.5 + 1e-9)
