"""The text of a random program: its files, and what they share."""

import matrices


class Writer:
    """The text of a program, without nodes of some numbers."""

    comment, step = "//", "  "

    def __init__(self, program, dropped=()):
        self.program, self.dropped = program, set(dropped)
        self.used, self.loops = set(), []
        self.bodies = {}
        self.bodies[program.main] = self.lines_of(program.main.nodes, 0)
        # Callees are created before their callers are complete.
        for function in reversed(program.functions):
            if function in self.used:
                self.bodies[function] = self.lines_of(function.nodes, 0)

    def lines_of(self, nodes, depth):
        lines, indent = [], self.step * depth
        for node in nodes:
            if node.number in self.dropped:
                continue
            if node.calls:
                self.used.add(node.calls)
            if node.loop:
                self.loops.append(node.loop)
                lines += [indent + line for line in node.loop.call()]
            if node.head:
                lines.append(f"{indent}{self.comment} {node.number}")
            lines += [indent + line for line in node.head]
            lines += self.lines_of(node.kids, depth + 1)
            lines += [indent + line for line in node.tail]
        return lines

    def replace(self, text):
        return text.replace("@", self.program.handles.prefix)

    def handles(self):
        program, parts = self.program, []
        for kind, names in (("op_set", program.sets),
                            ("op_map", [m.name for m in program.maps]),
                            ("op_subset", program.subsets.values()),
                            ("op_mat", [m.name for m in program.matrices]),
                            ("op_layers", [of.name for of in program.layers]),
                            ("op_dat", [d.name for d in program.dats] + [
                                d for m in program.matrices for d in m.vectors()])):
            if names:
                parts.append(f"{kind} {', '.join(names)};")
        return parts

    def shared(self):
        """What both files know."""
        program, form = self.program, self.program.handles.form
        lines = ['#include "fuzz.h"', '#include "storage.h"', "extern int zero;"]
        handles = self.handles()
        if program.handles.is_struct:
            lines += ["struct Mesh {", *handles, "};"]
            lines += ["extern Mesh mesh;"] * (form == "object")
        elif form == "global":
            lines += ["extern " + line for line in handles]
        lines += [d.own.extern() for d in program.dats if d.own]
        if program.has_two_files:
            lines.append("unsigned long lookInOtherFile(op_dat dat, int n);")
        lines += [f.head() + ";" for f in program.functions
                  if f.form in ("other", "extern")]
        lines += [text for text, _ in program.constants]
        lines += [pointer.declaration() for pointer in program.pointers]
        return "\n".join(lines) + "\n"

    def file(self, number):
        program = self.program
        text = [v.declaration() + "\n" for v in program.variables
                if v.file == number]
        if number == 0:
            text += program.helpers
        text += [loop.kernel.text for loop in program.loops
                 if loop in self.loops and loop.function.file == number]
        text += [f.text(self.bodies[f]) for f in program.functions
                 if f in self.bodies and f.file == number and f.form != "lambda"]
        return "".join(text)

    def definitions(self):
        program, form = self.program, self.program.handles.form
        lines = ["int zero;"]
        if form == "global":
            lines += self.handles()
        lines += ["Mesh mesh;"] * (form == "object")
        lines += [d.own.declaration() for d in program.dats if d.own]
        if program.has_own and program.is_raw:
            looks = "".join(f" h = h * 31 + sumOf((unsigned char *)"
                            f"{d.own.pointer()}, {d.count} * sizeof({d.kind}));"
                            for d in program.dats if d.count)
            lines += [f"static struct AtEnd {{ ~AtEnd() {{ unsigned long h = 1;"
                      f"{looks} std::printf(\"end %lu\\n\", h); }} }} atEnd;"]
        return "\n".join(lines) + "\n"

    def main(self):
        program, form = self.program, self.program.handles.form
        option = "(char *)\"OP_NO_REALLOC\"" if program.has_own else "nullptr"
        lines = [f"char *options[] = {{argv[0], {option}, nullptr}};",
                 f"op_init({2 if program.has_own else 1}, options, kDiags);",
                 "zero = argc > 100; // what the compiler does not know",
                 "unsigned long h = 5; int depth = 0; (void)depth;"]
        if form in ("reference", "const"):
            lines.append("Mesh all, &mesh = all;")
        elif form == "pointer":
            lines.append("Mesh all, *mesh = &all;")
        elif form == "local":
            lines += self.handles()
        main = program.main
        lines += [*program.declare, *[v.declaration() for v in main.variables],
                  *main.saved, *main.first]
        text = "int main(int argc, char **argv) {\n" + \
            "".join(f"  {line}\n" for line in lines)
        text += "".join(f.text(self.bodies[f]) for f in program.functions
                        if f in self.bodies and f.form == "lambda")
        end = [f'show<{dat.kind}>("dat", @{dat.name});' for dat in program.dats]
        if not program.is_raw:
            end += [f"{d.own.check()};" for d in program.dats if d.own]
        end += [matrices.show(program, matrix) for matrix in program.matrices]
        end += [f'op_printf("{v.name} %lu\\n", sumOf({v.pointer()}, {v.dim}));'
                for v in main.variables + program.variables if v.file == 0]
        end += ['op_printf("h %lu\\n", h);',
                *[f"RAW_READ(@{d.name});" for d in program.dats if d.own],
                program.end]
        return text + "".join(f"  {line}\n" for line in self.bodies[main] + end) \
            + "}\n"

    def texts(self):
        """The text of a header that all files include, and those of one file or
        two."""
        program = self.program
        texts = ["#pragma once\n" + self.shared(),
                 self.definitions() + self.file(0) + self.main()]
        if program.has_two_files:
            texts.append("unsigned long lookInOtherFile(op_dat dat, "
                         "int n) { return word(((double *)dat->data)[n]); }\n" +
                         self.file(1))
        return [self.replace(text) for text in texts]
