"""Benchmarks in three forms: tasks, taskgraphs of the same tasks, and loops."""
