# What the benchmark drivers share: where and on what they ran, and how figures
# are kept.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

BENCHMARKS = pathlib.Path(__file__).resolve().parent
REPOSITORY = BENCHMARKS.parent


def fail(message):
    """Ends the program with one line."""
    print(f"error: {message}", file=sys.stderr)
    sys.exit(1)


def run(command, env=None, cwd=None):
    """Runs a command and returns what it printed; fails loudly."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **(env or {})},
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    except OSError as error:
        fail(f"cannot run {command[0]}: {error.strerror}")
    if done.returncode:
        sys.stderr.write(done.stdout[-2000:] + done.stderr[-2000:])
        fail(f"exit status {done.returncode}: {' '.join(command)}")
    return done.stdout


def git(*arguments):
    try:
        return subprocess.run(
            ["git", "-C", str(REPOSITORY), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ).stdout.strip()
    except OSError:
        return ""


def add_run_arguments(parser, iterations=None):
    """What every driver takes that runs programs."""
    parser.add_argument("--bin", default=REPOSITORY / "build" / "bin",
                        type=pathlib.Path, help="folder of the built programs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=iterations)
    parser.add_argument("--threads", type=int,
                        default=len(os.sched_getaffinity(0)))
    parser.add_argument("--output", help="JSON file; default: in results/")


def check_run_arguments(parser, options):
    if min(options.rounds, options.threads, *options.size) < 1:
        parser.error("sizes, rounds and threads must be positive")
    if options.iterations < 2:
        parser.error("at least 2 iterations: the first one is not counted")


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def circumstances():
    """When, which commit, which processor; never the machine's name."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(
            timespec="seconds"
        ),
        "commit": git("rev-parse", "--short=12", "HEAD") or "unknown",
        "modified": bool(git("status", "--porcelain", "--untracked-files=no")),
        "processor": processor(),
        "cpus": len(os.sched_getaffinity(0)),
        "load_at_start": round(os.getloadavg()[0], 2),
    }


def print_table(header, rows):
    """A Markdown table; all columns but the first are right-aligned."""
    print("| " + " | ".join(header) + " |")
    print("|---" + "|--:" * (len(header) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def write_json(path, name, data):
    """Writes `data` to `path`, or to results/ under a name with the date."""
    if path is None:
        stamp = data["date"][:19].replace("-", "").replace(":", "")
        path = BENCHMARKS / "results" / f"{name}-{stamp}-{data['commit']}.json"
    path = pathlib.Path(path)
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(data, indent=1) + "\n")
        part.replace(path)
    except OSError as error:
        fail(f"cannot write {path}: {error.strerror}")
    print(f"Written: {os.path.relpath(path)}")
