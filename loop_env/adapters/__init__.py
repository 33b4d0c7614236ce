"""Fronts: the batched core as the tools of the field know an environment."""
