"""The `unison` command."""

import argparse
import os
import sys
from typing import NoReturn

from unison import __version__
from unison.cli.bench import add_bench_parser
from unison.cli.compare import add_compare_parser
from unison.cli.exp import add_exp_parser
from unison.cli.fidelity import add_fidelity_parser
from unison.cli.policies import add_policies_parser
from unison.cli.report import add_report_parser
from unison.cli.run import add_run_parser
from unison.cli.timeline import add_timeline_parser
from unison.traces.cli import add_trace_parser
from unison.traces.errors import TraceError


class _Parser(argparse.ArgumentParser):
    """Usage errors in one line, exit code 2; subcommands inherit it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(prog="unison", description="Session ranking for KV caches.")
    top.add_argument("--version", action="version", version=f"unison {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add_trace_parser(commands)
    add_run_parser(commands)
    add_compare_parser(commands)
    add_fidelity_parser(commands)
    add_policies_parser(commands)
    add_exp_parser(commands)
    add_bench_parser(commands)
    add_timeline_parser(commands)
    add_report_parser(commands)
    return top


def main(argv: list[str] | None = None) -> int:
    """Run a command. User errors: one line on stderr, exit code 2."""
    args = parser().parse_args(argv)
    try:
        return args.handler(args)
    except BrokenPipeError:
        # The reader (head, less) has seen enough; keep the interpreter's exit flush quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (TraceError, ValueError, OSError) as error:
        text = " ".join(str(error).split())
        print(f"unison {args.command}: {text}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
