#!/usr/bin/env bash
# Makes this checkout ready to run: Debian packages that are missing, npm packages, and the Node they bring along.
# Says each step; does nothing, at once, when nothing is left to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '[setup] %s\n' "$*"; }
fail() { printf '[setup] %s\n' "$*" >&2; exit 1; }

mkdir -p .setup
log=.setup/setup.log

# Runs a command with its output in the log, says how long it took, and shows the log's end when it fails.
step() {
  local title=$1 started=$SECONDS pid
  shift
  say "$title ..."
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  local ticks=0
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.2
    ticks=$((ticks + 1))
    [ $((ticks % 100)) -ne 0 ] || say "  still at it after $((SECONDS - started)) s"
  done
  trap - INT TERM
  if ! wait "$pid"; then
    tail -n 40 "$log" >&2
    fail "$title: failed after $((SECONDS - started)) s; the end of its output is above"
  fi
  say "$title: done in $((SECONDS - started)) s"
}

present() {
  case $1 in
    lib:*) PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null | grep -F "${1#lib:} " >/dev/null ;;
    *) PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null 2>&1 ;;
  esac
}

missing_packages() {
  local probe package _
  while read -r probe package _; do
    case $probe in '' | '#'*) continue ;; esac
    present "$probe" || printf '%s\n' "$package"
  done <scripts/system-needs.txt | sort -u
}

# Of `a|b`, the first that this release of Debian has.
choose() {
  local name
  for name in ${1//|/ }; do
    if apt-cache show "$name" >/dev/null 2>&1; then
      printf '%s\n' "$name"
      return
    fi
  done
  printf '%s\n' "${1%%|*}"
}

system_packages() {
  local wanted=() names=() as_root=() name
  mapfile -t wanted < <(missing_packages)
  [ ${#wanted[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    say "missing on this machine: ${wanted[*]} (Debian's names). There is no apt-get here: install them in your system's way."
    say "going on without them: what needs them will say so"
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    # Asked for here, since a step has no terminal.
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
      for name in "${wanted[@]}"; do names+=("$(choose "$name")"); done
      say "missing on this machine, and installing needs root. Run:  apt-get update && apt-get install -y ${names[*]}"
      say "going on without them: what needs them will say so"
      return 0
    fi
    as_root=(sudo -n)
  fi
  # A broken list of some other source is no reason to stop: what matters is whether the installation works.
  step "refreshing the list of Debian packages" ${as_root[@]+"${as_root[@]}"} sh -c 'apt-get update -q || true'
  for name in "${wanted[@]}"; do names+=("$(choose "$name")"); done
  step "installing Debian packages (${names[*]})" ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=120 install -y -q --no-install-recommends "${names[@]}"
  mapfile -t wanted < <(missing_packages)
  [ ${#wanted[@]} -eq 0 ] || fail "still missing after the installation: ${wanted[*]}"
}

npm_packages() {
  local stamp pnpm version
  stamp=$(cat pnpm-lock.yaml pnpm-workspace.yaml scripts/setup.sh | sha256sum | cut -d' ' -f1)
  if [ "$(cat .setup/stamp 2>/dev/null)" = "$stamp" ] && [ -x node_modules/.bin/node ] && [ -x node_modules/.bin/vitest ]; then
    return 0
  fi
  command -v npx >/dev/null || fail "npm is missing. Install Node 20 or newer with npm, then run this again."
  pnpm=$(sed -n 's/.*"packageManager": "\(pnpm@[^"]*\)".*/\1/p' package.json)
  # CI keeps pnpm from asking questions that nobody would answer.
  step "installing npm packages with $pnpm" env CI=true npx -y "$pnpm" install --frozen-lockfile
  version=$(node_modules/.bin/node -p 'process.versions.node') || fail "the Node that npm installed does not start"
  case $version in
    22.1[2-9].* | 22.[2-9]?.* | 2[3-9].* | [3-9]?.*) ;;
    *) fail "node_modules/.bin/node is $version; 22.12 or newer is needed. Is \`node\` still allowed to build in pnpm-workspace.yaml?" ;;
  esac
  say "Node $version in node_modules/.bin"
  printf '%s\n' "$stamp" >.setup/stamp
}

# The shell computer's isolate is bundled from sources that change without the lock file; it is quick when nothing did.
shell_bundle() {
  node_modules/.bin/node packages/computer/scripts/shell-bundle/build.ts >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    fail "bundling the shell failed; the end of its output is above"
  }
}

system_packages
npm_packages
shell_bundle
