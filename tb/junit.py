"""JUnit XML of an invocation: one case a run, so that a crash shows up in CI too."""

import re
from pathlib import Path
from xml.etree import ElementTree

from tb.launch import Outcome

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd]")


def write(path: Path, suite: str, outcomes: list[Outcome]) -> None:
    """Write `path`; a case fails with all its problems and the detail as text."""
    failed = sum(bool(o.problems) for o in outcomes)
    root = ElementTree.Element("testsuites")
    node = ElementTree.SubElement(
        root,
        "testsuite",
        name=suite,
        tests=str(len(outcomes)),
        failures=str(failed),
        errors="0",
    )
    for o in outcomes:
        seconds = str(o.result.get("seconds", 0))
        case = ElementTree.SubElement(node, "testcase", name=o.label, classname=suite, time=seconds)
        if o.problems:
            message = _NOT_XML.sub("?", "; ".join(o.problems))
            failure = ElementTree.SubElement(case, "failure", message=message)
            failure.text = _NOT_XML.sub("?", o.detail)
    path.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(root).write(path, encoding="unicode", xml_declaration=True)
