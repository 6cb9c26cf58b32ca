"""api_names.py PROGRAM SOURCE BUILD: the public names of the Fortran modules, the
names that docs/compatibility.md lists, and those that PROGRAM uses are the same.

Of a generic name only that counts, not its procedures, one of which may have it,
too; of op_par_loop_1 and so on one. Names are compared in small letters.
"""

import pathlib
import re
import sys

program, source, build = map(pathlib.Path, sys.argv[1:])


def small(path):
    return path.read_text().lower()


def loop_name(name):
    return re.sub(r"^op_par_loop_\d+$", "op_par_loop_n", name)


def module_names():
    folders = [source / "lib/Fortran", build / "lib/Fortran/sources"]
    names, specific, generics = set(), set(), set()
    for path in [p for folder in folders for p in sorted(folder.glob("*.F90"))]:
        text = re.sub(r"!.*", "", small(path)).replace("&\n", " ")
        for line in text.splitlines():
            line = line.strip()
            if line.startswith("end"):
                continue
            generic = re.match(r"interface (\w+)", line)
            if generic:
                generics.add(generic[1])
            match = (re.match(r"(?:pure )?(?:[\w ]*(?:\([\w=]*\))? )?(?:function|subroutine) (\w+)", line)
                     or re.match(r"type(?:, bind\(c\))? :: (\w+)$", line))
            if match:
                names.add(match[1])
            elif line.startswith("module procedure"):
                specific |= set(re.findall(r"\w+", line)) - {"module", "procedure"}
            elif re.match(r"(integer|type).*(parameter|save)\b.*::", line):
                names |= set(re.findall(r"\b(?:op|max|bsize)_\w+", line.split("::")[1]))
    return {loop_name(n) for n in (names - specific) | generics if not n.startswith("op2f_")}


def documented_names():
    chapter = small(source / "docs/compatibility.md").split("\n## the fortran api\n")[1]
    chapter = chapter.split("\n## ")[0]
    rows = [line.split("|")[1] for line in chapter.splitlines() if line.startswith("|")]
    return {loop_name(n) for row in rows for n in re.findall(r"`(\w+)", row)}


def used_names():
    text = re.sub(r"(?m)^\s*!.*", "", small(program))
    text = re.sub(r"\"[^\"]*\"|'[^']*'", "", text)
    return {loop_name(n) for n in re.findall(r"\w+", text)}


def report(what, names):
    for name in sorted(names):
        print(f"{name}: {what}")
    return bool(names)


modules, documented, used = module_names(), documented_names(), used_names()
failed = report("in a module, not in docs/compatibility.md", modules - documented)
failed |= report("in docs/compatibility.md, in no module", documented - modules)
failed |= report(f"in a module, not in {program.name}", modules - used)
if len(modules) < 130:
    failed = report(f"{len(modules)} names in all", {"expected more"})
sys.exit(failed)
