"""The rulebook's words: one list for each kind of thing, and the small numbers by which rules and records know them."""

from __future__ import annotations

ERAS = ("dawn", "medieval", "renaissance", "industrial", "globalization", "robots", "end")
ERA_TITLES = ("Dawn of Time", "Medieval", "Renaissance", "Industrial", "Globalization", "Robots", "End of Times")
DIMENSIONS = ("spiral", "star", "stripe", "black hole")  # a LOOP takes any but the last
LOOP_DIMENSIONS = 3

PHASES = ("foo", "action", "take", "archive", "draft", "over", "deal")  # "deal" is for solo games
FOO_PHASE, ACTION_PHASE, TAKE_PHASE, ARCHIVE_PHASE, DRAFT_PHASE, GAME_OVER, DEAL_PHASE = range(7)

OUTCOMES = ("running", "won", "second_vortex", "fourth_vortex", "out_of_time")
RUNNING, WON, SECOND_VORTEX, FOURTH_VORTEX, OUT_OF_TIME = range(5)

EVENTS = ("rift", "loop", "clone", "energy", "pincer", "clean_era")  # what damages a tile
RIFT_REMOVED, LOOP_MADE, CLONE_DESTROYED, ENERGY_ADDED, PINCER, CLEAN_ERA = range(6)
SCOPES = ("foo", "each_era", "tile")  # and where
AT_FOO, EACH_ERA_ONCE, AT_TILE = range(3)

CHOICES = ("nothing", "era", "clone", "agent", "hand", "row", "option", "yes_no")  # what an effect waits for
NO_CHOICE, CHOOSE_ERA, CHOOSE_CLONE, CHOOSE_AGENT, CHOOSE_HAND, CHOOSE_ROW, CHOOSE_OPTION, YES_NO = range(8)
