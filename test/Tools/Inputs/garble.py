"""garble.py PROGRAM SEED COUNT FILE...: gives a program damaged files.

PROGRAM is op2-mesh, or one that takes a file and reads it as programs of OP2
do. Cuts the files off, changes bytes and numbers, repeats and drops parts. Each
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
import time

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


def breaks_library(bad):
    """Does HDF5's own tool crash, too?"""
    if bad.suffix != ".h5":
        return False
    done = subprocess.run(["h5dump", "-A", bad], capture_output=True)
    return done.returncode < 0


def main():
    tool, seed, count, *files = sys.argv[1:]
    pick, refused, broken = random.Random(int(seed)), 0, 0
    start = time.time()
    is_mesh = os.path.basename(tool) == "op2-mesh"
    with tempfile.TemporaryDirectory() as folder:
        for number in range(int(count)):
            source = pathlib.Path(files[number % len(files)])
            bad = pathlib.Path(folder) / ("bad" + source.suffix)
            bad.write_bytes(damage(source.read_bytes(), pick))
            command = [tool, "info", bad] if is_mesh else [tool, bad]
            run = subprocess.run(command, capture_output=True, timeout=60)
            message = run.stderr.decode(errors="replace")
            while message.startswith(f"op2-mesh: warning: {bad}: "):
                message = message.partition("\n")[2]
            begin = f"op2-mesh: error: {bad}" if is_mesh else "op2 error: "
            is_refused = run.returncode == 1 and message.startswith(begin)
            # op2-mesh info finds something wrong in the mesh: 1.
            # A map or dat that an HDF5 file lacks is said, and no error.
            is_read = run.returncode in (0, 1) and not message if is_mesh else \
                run.returncode == 0 and (not message or message[:3] == "op2")
            if run.returncode < 0 and breaks_library(bad):
                broken += 1
            elif not is_refused and not is_read:
                kept = os.path.abspath(f"garbled-{seed}-{number}{source.suffix}")
                os.replace(bad, kept)
                sys.exit(f"{kept}: exit status {run.returncode}\n{message}")
            refused += is_refused
    rate = int(count) / max(time.time() - start, 1e-3)
    print(f"{count} files: {refused} refused, the others read"
          f"{f', {broken} break libhdf5' if broken else ''}; {rate:.0f} a second")


main()
