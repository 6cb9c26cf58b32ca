"""Writes a random OP2 program: sets, maps, dats and loops that a seed decides.

Loops are called in main and in functions of its.

Kernels read their arguments into a number v, do something random with it (what
C++ has for that: Statements), and write what follows from it.

All values are small integers and every loop keeps OP2's promises, so that the
results are exact and the same in any order: what a loop increments, it does
nothing else with; what it writes through a map is a constant.
"""

import random

# OP2's names of types; its headers make all of them C++'s, too.
TYPES = ["double", "double", "float", "int", "uint", "ll", "ull"]


class Statements:
    """Random statements on a number `v`: long, of either sign afterwards."""

    def __init__(self, pick, helpers, constants, is_plain):
        self.random, self.helpers, self.constants = pick, helpers, constants
        self.is_plain = is_plain
        self.count = 0

    def make(self, number, depth=0):
        kinds = [self.condition, self.loop, self.while_loop, self.switch,
                 self.standard, self.short_circuit]
        if not self.is_plain:
            kinds += [self.array, self.table]
        if self.helpers:
            kinds += [self.call] * 2
        if self.constants:
            kinds.append(self.constant)
        lines = []
        for _ in range(number):
            lines += self.random.choice(kinds)(depth)
        return lines

    def inner(self, depth):
        text = " ".join(self.make(1, depth + 1)) if depth < 2 else "v += 1;"
        return f"{{ {text} }}"

    def condition(self, depth):
        a, b = self.random.randint(2, 7), self.random.randint(0, 3)
        other = f" else {self.inner(depth)}" if self.random.random() < 0.5 else ""
        return [f"if (v % {a} == {b}) {self.inner(depth)}{other}"]

    def loop(self, depth):
        n, m = self.random.randint(1, 6), self.random.randint(2, 6)
        leave = self.random.choice(["break", "continue"])
        index = self.name("i")
        return [f"for (int {index} = 0; {index} < {n}; ++{index}) {{ "
                f"if (v % {m} == {index}) {leave}; v += {index} * {m}; "
                f"{self.inner(depth)} v %= 10007; }}"]

    def while_loop(self, depth):
        limit = self.random.randint(20, 90)
        return [f"while (v > {limit}) {{ v /= 3; "
                f"if (v % 7 == {self.random.randint(0, 6)}) break; }}"]

    def switch(self, depth):
        return [f"switch (v % 4) {{ case 0: v += 3; break; "
                f"case 1: v *= 2; [[fallthrough]]; case 2: {self.inner(depth)} "
                f"break; default: v -= {self.random.randint(1, 9)}; }}"]

    def array(self, depth):
        t, i = self.name("t"), self.name("i")
        return [f"long {t}[4] = {{v % 3, {self.random.randint(0, 5)}, v % 5, 2}};",
                f"for (int {i} = 0; {i} < 4; ++{i}) {t}[({i} + v) & 3] += {i};",
                f"v += {t}[v & 3] - {t}[{self.random.randint(0, 3)}];"]

    def table(self, depth):
        m = self.name("m")
        return [f"int {m}[2][3] = {{{{1, 2, {self.random.randint(0, 5)}}}, "
                f"{{4, 5, 6}}}};",
                f"{m}[v & 1][(v & 1023) % 3] += {self.random.randint(1, 4)};",
                f"v += {m}[1][(v & 511) % 3] + {m}[0][1];"]

    def standard(self, depth):
        return [self.random.choice([
            f"v = std::max(v, {self.random.randint(0, 9)}L);",
            f"v = std::min(v, {self.random.randint(500, 900)}L);",
            "v = std::abs(v) + 1;", "v ^= 5;",
            f"v += long(std::floor(double(v) / {self.random.randint(2, 8)}));"])]

    def short_circuit(self, depth):
        a, b = self.random.randint(1, 40), self.random.randint(2, 5)
        return [f"v += v > {a} && v % {b} ? {self.random.randint(1, 9)} : -1;"]

    def call(self, depth):
        return [self.random.choice(self.helpers)]

    def constant(self, depth):
        return [f"v += {self.random.choice(self.constants)} % 13;"]

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"


class Dat:
    def __init__(self, name, set_name, dim, type_name, is_dynamic):
        self.name, self.set, self.dim = name, set_name, dim
        self.type, self.is_dynamic = type_name, is_dynamic

    def dim_text(self):
        return f"({self.dim} + zero)" if self.is_dynamic else str(self.dim)


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.places = random.Random(f"places {seed}")
        # Nothing that keeps loops from waiting for each other.
        self.is_plain = self.places.random() < 0.5
        self.sets, self.maps, self.dats = {}, [], []
        self.kernels, self.body = [], []
        self.helpers, self.helper_calls, self.constants = [], [], []

    # What kernels use

    def make_helpers(self):
        """Functions that call one another, and constants that change."""
        pick = self.random
        for number in range(pick.randint(0, 2)):
            self.constants.append(f"c{number}")
            self.helpers.append(f"static int c{number} = {pick.randint(1, 99)};")
            self.body.append(f'op_decl_const(1, "int", &c{number});')
        for number in range(pick.randint(0, 3)):
            lines = Statements(pick, self.helper_calls[:], self.constants,
                               self.is_plain).make(pick.randint(1, 3))
            body = "".join(f"  {line}\n" for line in lines)
            form, head, leave, call = pick.choice([
                ("value", "static long h{0}(long v)", "return v;", "v = h{0}(v);"),
                ("reference", "static inline void h{0}(long &v)", "", "h{0}(v);"),
                ("pointer", "static void h{0}(long *p)", "*p = v;", "h{0}(&v);"),
                ("template", "template <class T, int N> static T h{0}(T v)",
                 "return v + N;", "v = h{0}<long, 3>(v);")])
            first = "  long v = *p;\n" if form == "pointer" else ""
            self.helpers.append(f"{head.format(number)} {{\n{first}{body}"
                                f"  v %= 100003;\n  {leave}\n}}")
            self.helper_calls.append(call.format(number))

    # Meshes

    def make_mesh(self):
        pick = self.random
        for number in range(pick.randint(2, 4)):
            size = pick.choice([0, 1, 2, 13, 33, 64, 90, 150, 257])
            self.sets[f"s{number}"] = size
        self.sets["s1"] = max(self.sets["s1"], 5)
        for name, size in self.sets.items():
            self.body.append(f'op_set {name} = op_decl_set({size}, "{name}");')
        for number in range(pick.randint(2, 4)):
            self.make_map(f"m{number}")
        for name in self.sets:
            for number in range(pick.randint(2, 3)):
                self.make_dat(f"{name}d{number}", name)

    def make_map(self, name):
        pick = self.random
        source = pick.choice(list(self.sets))
        targets = [s for s, size in self.sets.items()
                   if size > 0 or self.sets[source] == 0]
        target = pick.choice(targets)
        size, arity = self.sets[target], pick.randint(1, 4)
        # Few targets of high valence, or all of them.
        reach = max(1, pick.choice([1, 3, size, size]))
        values = [pick.randrange(min(reach, size)) if size else 0
                  for _ in range(self.sets[source] * arity)]
        table = ", ".join(map(str, values)) or "0"
        self.body.append(f"int t_{name}[] = {{{table}}};")
        self.body.append(f'op_map {name} = op_decl_map({source}, {target}, '
                         f'{arity}, t_{name}, "{name}");')
        self.maps.append((name, source, target, arity))

    def make_dat(self, name, set_name):
        pick = self.random
        dat = Dat(name, set_name, pick.choice([1, 1, 2, 3, 4, 5]),
                  pick.choice(TYPES), pick.random() < 0.15 and not self.is_plain)
        self.body.append(
            f"op_dat {name} = makeDat<{dat.type}>({set_name}, "
            f'{dat.dim_text()}, "{dat.type}", "{name}", {pick.randint(1, 9)});')
        self.dats.append(dat)

    # Loops

    def make_loop(self, number, set_name=None):
        loop = Loop(self, f"k{number}", set_name)
        loop.make()
        self.kernels.append(loop.kernel_text())
        if self.constants and self.random.random() < (
                0.05 if self.is_plain else 0.3):
            name = self.random.choice(self.constants)
            # Declared again or not: kernels see the new value.
            loop.before.append(f"{name} += {self.random.randint(1, 9)};")
        return loop

    def make_loops(self):
        """Some of them again and again, as in a time loop; there often several
        on one set with nothing between them, some of which are fused."""
        number, count = 0, self.random.randint(4, 7)
        while number < count:
            chain = self.random.randint(1, 4) if self.random.random() < 0.5 else 0
            is_quiet = chain > 1 and self.random.random() < 0.8
            common = self.random.choice(list(self.sets)) if is_quiet else None
            if chain:
                self.body.append("for (int step = 0; step < 3; ++step) {")
            loops = [self.make_loop(number + n, common)
                     for n in range(max(chain, 1))]
            number += len(loops)
            parts = ["setup", "call", "output"]
            if is_quiet:
                self.add_parts(parts, loops)
            else:
                for loop in loops:
                    self.add_parts(parts, [loop])
            if chain:
                self.body.append("}")

    def make_chains(self):
        """Again and again, and nothing is looked at before the end."""
        for first in range(0, self.random.choice([4, 8]), 4):
            loops = [self.make_loop(first + n)
                     for n in range(self.random.randint(2, 4))]
            self.add_parts(["setup"], loops)
            self.body.append("for (int step = 0; step < 10; ++step) {")
            self.add_parts(["call"], loops)
            self.body.append("}")
            self.add_parts(["output"], loops)

    def add_parts(self, parts, loops):
        for part in parts:
            self.body += [line for loop in loops for line in loop.text_of(part)]

    def text(self):
        return PROLOGUE + "\n".join(self.helpers + self.kernels) + MAIN + \
            "\n".join("  " + line for line in self.body) + "\n  op_exit();\n}\n"


class Loop:
    """One loop; `reads` are the kernel's reads, `writes` what it then does."""

    def __init__(self, program, name, set_name=None):
        self.program, self.name, self.random = program, name, program.random
        self.set = set_name or self.random.choice(list(program.sets))
        self.maps = [m for m in program.maps if m[1] == self.set]
        self.parameters, self.arguments = [], []
        self.reads, self.writes, self.changed = [], [], []
        self.before, self.setup, self.results = [], [], []
        self.form = self.random.choice(["function"] * 3 + ["template", "lambda"])
        self.place = program.places.choice(
            ["here"] * 3 + ["reference", "nested", "own", "lost"])

    def make(self):
        pick = self.random
        dats = [d for d in self.program.dats
                if d.set == self.set or any(m[2] == d.set for m in self.maps)]
        pick.shuffle(dats)
        for dat in dats[:pick.randint(1, 5)]:
            can_be_direct = dat.set == self.set
            maps = [m for m in self.maps if m[2] == dat.set]
            uses = ["read"] * 2 + (["direct"] if can_be_direct else []) + \
                (["inc", "inc"] if maps else []) + \
                (["rw", "least", "write"]
                 if maps and not self.program.is_plain else [])
            use = pick.choice(uses)
            if use == "direct":
                self.change_directly(dat)
                continue
            for _ in range(pick.randint(1, 3)):
                if use == "read":
                    self.add_read(dat, can_be_direct, maps)
                else:
                    self.change_through_map(dat, use, pick.choice(maps))
        if pick.random() < 0.4:
            self.add_index()
        for _ in range(pick.choice([0, 0, 0, 1] if self.program.is_plain
                                   else [0, 1, 2])):
            self.add_global()

    def add(self, kind, argument):
        name = f"a{len(self.parameters)}"
        self.parameters.append(f"{kind}{name}")
        self.arguments.append(argument)
        return name

    def dat_argument(self, dat, slot, map_name, access):
        flag, call = "", "op_arg_dat("
        if self.random.random() < 0.15 and not self.program.is_plain:
            flag = f"f{self.name}_{len(self.parameters)}"
            self.setup.append(f"int {flag} = {self.random.randint(0, 1)} + zero;")
            call = f"op_opt_arg_dat({flag}, "
        # A handle that the compiler cannot tell to be the same as another.
        handle = f"same({dat.name})" if self.random.random() < 0.2 else dat.name
        text = (f'{call}{handle}, {slot}, {map_name}, {dat.dim_text()}, '
                f'"{dat.type}", {access})')
        return text, bool(flag)

    def pick_slots(self, map_entry):
        """The index argument, and the number of rows for a vector."""
        arity = map_entry[3]
        if arity > 1 and self.random.random() < 0.35:
            rows = self.random.randint(2, arity)
            return -rows, rows
        return self.random.randrange(arity), 0

    def add_read(self, dat, can_be_direct, maps):
        if can_be_direct and (not maps or self.random.random() < 0.5):
            slot, rows, map_name = -1, 0, "OP_ID"
        else:
            entry = self.random.choice(maps)
            slot, rows = self.pick_slots(entry)
            map_name = entry[0]
        text, is_optional = self.dat_argument(dat, slot, map_name, "OP_READ")
        if rows:
            name = self.add(f"const {dat.type} **", text)
            terms = [f"(long){name}[{row}][{c}] * {row + 2}"
                     for row in range(rows) for c in range(dat.dim)]
        else:
            name = self.add(f"const {dat.type} *", text)
            terms = [f"(long){name}[{c}] * {c + 1}" for c in range(dat.dim)]
        guard = f"if ({name}) " if is_optional else ""
        self.reads.append(f"{guard}v += {' + '.join(terms)};")

    def change_directly(self, dat):
        access = self.random.choice(["OP_WRITE", "OP_RW", "OP_INC"])
        text, is_optional = self.dat_argument(dat, -1, "OP_ID", access)
        name = self.add(f"{dat.type} *", text)
        value = {"OP_WRITE": "{0} = {1}((v + c) % 5);",
                 "OP_RW": "{0} = {1}(((long){0} * 3 + v + c) % 101);",
                 "OP_INC": "{0} += {1}((v + c) % 4);"}[access]
        self.write(dat, name, [name], value, is_optional)

    def change_through_map(self, dat, use, entry):
        slot, rows = self.pick_slots(entry)
        access = {"inc": "OP_INC", "write": "OP_WRITE",
                  "least": "OP_MIN"}.get(use, "OP_RW")
        text, is_optional = self.dat_argument(dat, slot, entry[0], access)
        name = self.add(f"{dat.type} **" if rows else f"{dat.type} *", text)
        value = {"inc": "{0} += {1}((v + c) % 4);",
                 "rw": "{0} = {0} + {1}((v + 2 * c) % 3);",
                 "least": "if ({1}(v % 9) < {0}) {0} = {1}(v % 9);",
                 "write": "{0} = {1}(c + 2);"}[use]
        targets = [f"{name}[{row}]" for row in range(rows)] or [name]
        self.write(dat, name, targets, value, is_optional)

    def write(self, dat, name, targets, value, is_optional):
        lines = "".join(" " + value.format(f"{target}[c]", dat.type)
                        for target in targets)
        guard = f"if ({name}) " if is_optional else ""
        self.writes.append(f"{guard}for (int c = 0; c < {dat.dim}; ++c) "
                           f"{{{lines} }}")
        if dat not in self.changed:
            self.changed.append(dat)

    def add_index(self):
        slot, map_name = -1, "OP_ID"
        if self.maps and self.random.random() < 0.5:
            entry = self.random.choice(self.maps)
            slot, map_name = self.random.randrange(entry[3]), entry[0]
        name = self.add("const int *", f"op_arg_idx({slot}, {map_name})")
        self.reads.append(f"v += *{name} % 7;")

    def declare_global(self, kind, dim):
        variable = f"g{self.name}_{len(self.parameters)}"
        values = ", ".join(str(self.random.randint(0, 9)) for _ in range(dim))
        self.setup.append(f"{kind} {variable}[{dim}] = {{{values}}};")
        self.results += [f'op_printf("{self.name} {variable} %.17g\\n", '
                         f"double({variable}[{c}]));" for c in range(dim)]
        return variable

    def add_global(self):
        pick = self.random
        kind, dim = pick.choice(TYPES), pick.choice([1, 1, 2, 3])
        access = pick.choice(["OP_READ", "OP_INC", "OP_MIN", "OP_MAX",
                              "OP_WRITE", "OP_WORK"])
        is_plain = self.program.is_plain
        if is_plain and access in ("OP_WRITE", "OP_WORK"):
            access = "OP_INC"
        variable = self.declare_global(kind, dim)
        call = "op_arg_gbl("
        is_optional = pick.random() < 0.2 and not is_plain
        if is_optional:
            call = f"op_opt_arg_gbl({pick.randint(0, 1)} + zero, "
        qualifier = "const " if access == "OP_READ" else ""
        name = self.add(f"{qualifier}{kind} *",
                        f'{call}{variable}, {dim}, "{kind}", {access})')
        guard = f"if ({name}) " if is_optional else ""
        if access == "OP_READ":
            self.reads += [f"{guard}v += (long){name}[{c}];"
                           for c in range(dim)]
            return
        value = {"OP_INC": "{0}[c] += {1}(v % 5 + c);",
                 "OP_MIN": "if ({1}(v % 50 - c) < {0}[c]) {{ "
                           "{0}[c] = {1}(v % 50 - c);{2} }}",
                 "OP_MAX": "if ({1}(v % 50 + c) > {0}[c]) {{ "
                           "{0}[c] = {1}(v % 50 + c);{2} }}",
                 "OP_WRITE": "if (v % 3 == c) {0}[c] = {1}(c + 20);",
                 "OP_WORK": "{0}[c] = {1}(v % 5); v += (long){0}[c] - v % 5;"}
        infos = ""
        if access in ("OP_MIN", "OP_MAX") and not is_optional and not is_plain:
            infos = "".join(self.add_info(name, dim)
                            for _ in range(pick.choice([0, 0, 1, 2])))
        self.writes.append(
            f"{guard}for (int c = 0; c < {dim}; ++c) "
            f"{{ {value[access].format(name, kind, infos)} }}")

    def add_info(self, value, dim):
        """What the value determines: equal ones of two elements agree."""
        kind, share = self.random.choice(TYPES), self.random.randint(1, 3)
        variable = self.declare_global(kind, dim * share)
        name = self.add(f"{kind} *",
                        f'op_arg_info({variable}, {dim * share}, "{kind}", '
                        f"{value[1:]})")
        return "".join(f" {name}[{share} * c + {i}] = {kind}({value}[c] * 2 + {i});"
                       for i in range(share))

    def kernel_text(self):
        pick = self.random
        steps = Statements(pick, self.program.helper_calls,
                           self.program.constants,
                           self.program.is_plain).make(pick.randint(0, 4))
        # Who leaves early has not written what it promised to.
        if pick.random() < 0.2 and "OP_WRITE" not in " ".join(self.arguments):
            steps.append(f"if (v % 5 == {pick.randint(0, 4)}) return;")
        body = "".join(f"  {line}\n" for line in
                       ["long v = 1;", *self.reads, *steps, "v %= 100003;",
                        "v = v < 0 ? -v : v;", *self.writes])
        self.body = f"({', '.join(self.parameters)}) {{\n{body}}}"
        if self.form == "lambda":
            return ""
        head = "template <int N> " if self.form == "template" else ""
        return f"{head}static void {self.name}{self.body}\n"

    def text_of(self, part):
        """Its variables, the call, what is printed of it."""
        has_own = self.place in ("own", "lost")
        if part == "setup":
            return [*([] if has_own else self.setup), *self.make_functions()]
        if part == "output":
            return [f'print<{dat.type}>("{self.name}", {dat.name});'
                    for dat in self.changed] + ([] if has_own else self.results)
        return {"here": self.call_text(),
                "nested": [f"by_{self.name}(zero);", f"by_{self.name}(1);"]}.get(
                    self.place, [f"in_{self.name}();"])

    def make_functions(self):
        """The call, with variables from outside, or with its own, whose results
        it prints or loses."""
        if self.place == "here":
            return []
        lines = self.call_text()
        if self.place == "own":
            lines = self.setup + lines + self.results
        elif self.place == "lost":
            lines = self.setup + lines
        lines = [f"auto in_{self.name} = [&] {{", *lines, "};"]
        if self.place == "nested":
            lines.append(f"auto by_{self.name} = [&](int n) {{ "
                         f"if (n > 0) in_{self.name}(); }};")
        return lines

    def call_text(self):
        arguments = "".join(f",\n      {text}" for text in self.arguments)
        kernel = {"function": self.name, "template": self.name + "<3>",
                  "lambda": "+[]" + self.body}[self.form]
        return [*self.before, f'op_par_loop({kernel}, "{self.name}", {self.set}'
                f"{arguments});"]


PROLOGUE = """#include "op_seq.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

template <class T>
static op_dat makeDat(op_set set, int dim, const char *type, const char *name,
                      int factor) {
  std::vector<T> values(size_t(set->size) * size_t(dim));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = T((int(i) * factor) % 11);
  return op_decl_dat(set, dim, type, values.data(), name);
}
[[maybe_unused]] static op_dat same(op_dat dat) { return dat; }
template <class T> static void print(const char *loop, op_dat dat) {
  std::vector<T> values(size_t(dat->set->size) * size_t(dat->dim) + 1);
  op_fetch_data(dat, values.data());
  double sum = 0, weighted = 0;
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    sum += double(values[i]);
    weighted += double(values[i]) * double(i % 31);
  }
  op_printf("%s %s %.17g %.17g\\n", loop, dat->name, sum, weighted);
}
"""

MAIN = """
int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int zero = argc > 100; // what the compiler does not know
  (void)zero;
"""


def generate(seed):
    program = Program(seed)
    program.make_mesh()
    program.make_helpers()
    if program.is_plain:
        program.make_chains()
    else:
        program.make_loops()
    return program.text()
