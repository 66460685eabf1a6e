#!/usr/bin/env bash
# Sets up all that the project needs: system packages, a virtual environment, pinned packages.
# Idempotent; does nothing when nothing has changed. Usage: tools/setup.sh [icarus]
set -euo pipefail
cd "$(dirname "$0")/.."

VENV=.venv
say() { printf 'setup: %s\n' "$*"; }

# Debian packages of which something is missing.
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
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing ${missing[*]}"
    log=$(mktemp)
    if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
      tail -5 "$log" >&2
      say "apt-get failed; the whole log is in $log" >&2
      exit 1
    fi
    rm -f "$log"
  else
    say "missing system packages; run this line, then the same command again:" >&2
    printf '  sudo apt-get install -y %s\n' "${missing[*]}" >&2
    exit 1
  fi
fi

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  say "got $(python3 --version), expected Python 3.11 or newer" >&2
  exit 1
fi

# The stamp changes with anything that decides what is installed, and where.
stamp=$(cat requirements.txt pyproject.toml tools/setup.sh | cat - <(pwd) <(python3 --version) | sha256sum)
if [ -e "$VENV/setup.stamp" ] && [ "$(cat "$VENV/setup.stamp")" = "$stamp" ]; then exit 0; fi
say "virtual environment in $VENV (about a minute)"
[ -x "$VENV/bin/python" ] || python3 -m venv "$VENV"
"$VENV/bin/python" -m pip install -q --disable-pip-version-check -r requirements.txt
"$VENV/bin/python" -m pip install -q --disable-pip-version-check --no-deps -e .
printf '%s' "$stamp" >"$VENV/setup.stamp"
say "done"
