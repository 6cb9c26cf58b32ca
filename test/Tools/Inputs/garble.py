"""garble.py OP2-MESH SEED COUNT FILE...: gives op2-mesh damaged meshes.

Cuts the files off, changes bytes and numbers, repeats and drops parts. Each
must be read or refused with a message: a crash, a hang or a sanitizer's report
is a failure, and the file is kept.
"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

NUMBERS = [b"-1", b"0", b"2147483648", b"9223372036854775807", b"1e400", b"nan",
           b"99999999999999999999", b"x", b""]


def damage(data, pick):
    data = bytearray(data)
    for _ in range(pick.choice([1, 1, 2, 4])):
        if not data:
            break
        at = pick.randrange(len(data))
        kind = pick.choice(["cut", "byte", "number", "drop", "repeat", "bytes"])
        if kind == "cut":
            del data[at:]
        elif kind == "byte":
            data[at] = pick.randrange(256)
        elif kind == "bytes":
            some = pick.choice([b"\xff" * 8, b"\0" * 8, b"\xff\xff\xff\x7f"])
            data[at:at + len(some)] = some
        elif kind == "number":
            found = [m.span() for m in re.finditer(rb"-?[0-9.]+", data)]
            if found:
                begin, end = pick.choice(found)
                data[begin:end] = pick.choice(NUMBERS)
        else:
            some = data[at:at + pick.randint(1, 40)]
            data[at:at + (len(some) if kind == "drop" else 0)] = \
                b"" if kind == "drop" else some
    return bytes(data)


def main():
    tool, seed, count, *files = sys.argv[1:]
    pick, refused = random.Random(int(seed)), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(int(count)):
            source = pathlib.Path(files[number % len(files)])
            bad = pathlib.Path(folder) / ("bad" + source.suffix)
            bad.write_bytes(damage(source.read_bytes(), pick))
            run = subprocess.run([tool, "info", bad], capture_output=True,
                                 timeout=60)
            message = run.stderr.decode(errors="replace")
            is_refused = run.returncode == 1 and \
                message.startswith(f"op2-mesh: error: {bad}")
            is_read = run.returncode in (0, 1) and not message
            if not is_refused and not is_read:
                kept = os.path.abspath(f"garbled-{seed}-{number}{source.suffix}")
                os.replace(bad, kept)
                sys.exit(f"{kept}: exit status {run.returncode}\n{message}")
            refused += is_refused
    print(f"{count} files: {refused} refused, the others read")


main()
