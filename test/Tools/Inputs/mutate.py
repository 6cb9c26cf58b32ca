"""Modules that are almost right never crash op2-opt: they are lowered or refused.

mutate.py OP2_OPT SEED COUNT FOLDER...

Of modules in the tests below the folders one to three words change: words come
from other modules, go, come twice, change places; numbers become extreme. Each
is run through a pipeline, or through the passes of its test. Mutant n of seed s
is mutant 0 of seed s + n. One that crashes, or takes longer than 60 seconds, is
printed with its command.
"""

import pathlib
import random
import re
import subprocess
import sys

PIPELINES = [["--op2-to-seq"], ["--op2-to-openmp"], ["--op2-to-gpu"],
             ["--op2-to-emulator"]]
WORD = re.compile(r'\s+|[%@#!^]?[A-Za-z_][\w.$]*|-?\d+(?:\.\d+)?|"[^"]*"|->|.',
                  re.S)
NUMBERS = ["0", "-1", "1", "2", "7", "64", "4294967296", "9223372036854775807",
           "-9223372036854775808"]


def passes(text):
    """Those of each RUN line that need nothing else."""
    found = []
    for line in re.findall(r"RUN:.*?op2-opt([^|\n]*)", text):
        options = [word for word in line.split() if word.startswith("--op2-")]
        if not any("%" in word or '"' in word for word in options):
            found.append(options)
    return found


def modules(folders):
    """(text, passes of its test)"""
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.mlir")):
            text = path.read_text()
            runs = passes(text)
            for part in text.split("// -----"):
                lines = [line for line in part.splitlines()
                         if line.strip() and not line.lstrip().startswith("//")]
                if lines:
                    yield "\n".join(lines) + "\n", runs


def mutate(pick, words, pool):
    n = pick.randrange(len(words))
    form = pick.random()
    if words[n].isspace():
        return
    if form < 0.25:
        words[n] = pick.choice(pool)
    elif form < 0.4:
        words[n] = " "
    elif form < 0.5:
        words.insert(n, words[n] + " ")
    elif form < 0.65:
        other = pick.randrange(len(words))
        words[n], words[other] = words[other], words[n]
    elif form < 0.85 and re.match(r"-?\d", words[n]):
        words[n] = pick.choice(NUMBERS)
    else:
        words[n] = pick.choice([w for w in words if w[:1] == words[n][:1]])


def main():
    op2_opt, seed, count, *folders = sys.argv[1:]
    known = list(modules(folders))
    pool = [w for text, _ in known for w in WORD.findall(text)
            if not w.isspace()]
    lowered = crashes = 0
    for number in range(int(seed), int(seed) + int(count)):
        pick = random.Random(number)
        text, runs = pick.choice(known)
        words = WORD.findall(text)
        for _ in range(pick.choice([1, 1, 1, 2, 3])):
            mutate(pick, words, pool)
        options = pick.choice(runs) if runs and pick.random() < 0.6 else \
            pick.choice(PIPELINES)
        mutant = "".join(words)
        try:
            code = subprocess.run([op2_opt, *options], input=mutant, text=True,
                                  stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL,
                                  timeout=60).returncode
        except subprocess.TimeoutExpired:
            code = "more than 60 seconds"
        lowered += code == 0
        if code not in (0, 1):
            crashes += 1
            print(f"mutant {number}: op2-opt {' '.join(options)}: {code}\n{mutant}")
    print(f"{count} mutants, {lowered} lowered, {crashes} crashes")
    sys.exit(crashes > 0)


main()
