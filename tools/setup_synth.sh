#!/usr/bin/env bash
# What the silicon flow needs on top of tools/setup.sh: OpenSTA and a default Liberty library of
# Debian, Yosys and nextpnr in the virtual environment. Idempotent. LIB= set: no default library.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
command -v sta >/dev/null || missing+=(opensta)
if [ -z "${LIB:-}" ] && [ ! -e /usr/share/qflow/tech/osu018/osu018_stdcells.lib ]; then
  missing+=(qflow-tech-osu018)
fi
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "setup: missing system packages; run this line, then the same command again:" >&2
    echo "  sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  echo "setup: installing ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    >/dev/null
fi

stamp=$(sha256sum <requirements-synth.txt)
if [ ! -e .venv/synth.stamp ] || [ "$(cat .venv/synth.stamp)" != "$stamp" ]; then
  echo "setup: Yosys and nextpnr"
  .venv/bin/python -m pip install -q --disable-pip-version-check -r requirements-synth.txt
  printf '%s' "$stamp" >.venv/synth.stamp
fi
