#!/usr/bin/env bash
# Sets up all that the project needs: system packages, a virtual environment, pinned packages.
# Idempotent; does nothing when nothing has changed. Usage: tools/setup.sh [icarus]
set -euo pipefail
cd "$(dirname "$0")/.."

VENV=.venv
say() { printf 'setup: %s\n' "$*"; }

# Installs Debian packages as root; otherwise prints the line to run and ends.
install() {
  [ "$#" -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    say "missing system packages; run this line, then the same command again:" >&2
    printf '  sudo apt-get install -y %s\n' "$*" >&2
    exit 1
  fi
  say "installing $*"
  local log
  log=$(mktemp)
  if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@"; } >"$log" 2>&1; then
    tail -5 "$log" >&2
    say "apt-get failed; the whole log is in $log" >&2
    exit 1
  fi
  rm -f "$log"
}

missing=()
need() { missing+=("$1"); }
command -v python3 >/dev/null || need python3
python3 -c 'import venv, ensurepip' 2>/dev/null || need python3-venv
command -v perl >/dev/null || need perl
command -v g++ >/dev/null || need g++
command -v make >/dev/null || need make
[ -e /usr/include/lz4.h ] || need liblz4-dev
[ -e /usr/include/zlib.h ] || need zlib1g-dev
if ! command -v iverilog >/dev/null; then
  # Icarus is the second simulator: wanted, but only SIM=icarus cannot do without it.
  if [ "${1:-}" = icarus ] || [ "$(id -u)" = 0 ]; then need iverilog; fi
fi
# cocotb embeds Python: a distribution's own comes without its shared library.
base=$(python3 -c 'import sys; print(f"{sys.version_info[0]}.{sys.version_info[1]}")' 2>/dev/null || true)
if [ "$(readlink -f "$(command -v python3 || echo none)")" = "/usr/bin/python$base" ] &&
  ! ldconfig -p 2>/dev/null | grep -q "libpython$base\.so" &&
  ! /sbin/ldconfig -p 2>/dev/null | grep -q "libpython$base\.so"; then
  need "libpython$base"
fi
install "${missing[@]}"

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  say "got $(python3 --version), expected Python 3.11 or newer" >&2
  exit 1
fi

# The stamp changes with anything that decides what is installed, and where.
stamp=$({ cat requirements.txt pyproject.toml tools/setup.sh; pwd; python3 --version; } | sha256sum)
if [ -e "$VENV/setup.stamp" ] && [ "$(cat "$VENV/setup.stamp")" = "$stamp" ]; then exit 0; fi
say "virtual environment in $VENV (about a minute)"
[ -x "$VENV/bin/python" ] || python3 -m venv "$VENV"
"$VENV/bin/python" -m pip install -q --disable-pip-version-check -r requirements.txt
"$VENV/bin/python" -m pip install -q --disable-pip-version-check --no-deps -e .
if ! "$VENV/bin/python" -c 'import sys, find_libpython as f; sys.exit(f.find_libpython() is None)'; then
  say "$(python3 --version) has no shared libpython, which cocotb needs; use one built with it" >&2
  exit 1
fi
printf '%s' "$stamp" >"$VENV/setup.stamp"
say "done"
