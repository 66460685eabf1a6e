"""Learns the shape of the waits while it runs: counts in, tables of the score out."""

from unison.learning.layout import CLASSES
from unison.learning.learner import LearnedTables, Learner

__all__ = ["CLASSES", "LearnedTables", "Learner"]
