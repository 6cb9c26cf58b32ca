"""Writes a random OP2 program: sets, maps, dats and loops that a seed decides.

All values are small integers and every loop keeps OP2's promises, so that the
results are exact and the same in any order: what a loop increments, it does
nothing else with; what it writes through a map is a constant.
"""

import random

TYPES = {"double": "double", "float": "float", "int": "int"}


class Dat:
    def __init__(self, name, set_name, dim, type_name, is_dynamic):
        self.name, self.set, self.dim = name, set_name, dim
        self.type, self.is_dynamic = type_name, is_dynamic

    def dim_text(self):
        return f"({self.dim} + zero)" if self.is_dynamic else str(self.dim)


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sets, self.maps, self.dats = {}, [], []
        self.kernels, self.body = [], []

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
                  pick.choice(list(TYPES)), pick.random() < 0.15)
        self.body.append(
            f"op_dat {name} = makeDat<{dat.type}>({set_name}, "
            f'{dat.dim_text()}, "{dat.type}", "{name}", {pick.randint(1, 9)});')
        self.dats.append(dat)

    # Loops

    def make_loop(self, number):
        loop = Loop(self, f"k{number}")
        loop.make()
        self.kernels.append(loop.kernel_text())
        self.body += loop.call_text()

    def text(self):
        return PROLOGUE + "\n".join(self.kernels) + MAIN + \
            "\n".join("  " + line for line in self.body) + "\n  op_exit();\n}\n"


class Loop:
    """One loop; `reads` are the kernel's reads, `writes` what it then does."""

    def __init__(self, program, name):
        self.program, self.name, self.random = program, name, program.random
        self.set = self.random.choice(list(program.sets))
        self.maps = [m for m in program.maps if m[1] == self.set]
        self.parameters, self.arguments = [], []
        self.reads, self.writes, self.changed = [], [], []
        self.setup, self.results = [], []

    def make(self):
        pick = self.random
        dats = [d for d in self.program.dats
                if d.set == self.set or any(m[2] == d.set for m in self.maps)]
        pick.shuffle(dats)
        for dat in dats[:pick.randint(1, 5)]:
            can_be_direct = dat.set == self.set
            maps = [m for m in self.maps if m[2] == dat.set]
            uses = ["read"] * 2 + (["direct"] if can_be_direct else []) + \
                (["inc", "inc", "rw", "least", "write"] if maps else [])
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
        for _ in range(pick.randint(0, 2)):
            self.add_global()

    def add(self, kind, argument):
        name = f"a{len(self.parameters)}"
        self.parameters.append(f"{kind}{name}")
        self.arguments.append(argument)
        return name

    def dat_argument(self, dat, slot, map_name, access):
        flag, call = "", "op_arg_dat("
        if self.random.random() < 0.15:
            flag = f"f{self.name}_{len(self.parameters)}"
            self.setup.append(f"int {flag} = {self.random.randint(0, 1)} + zero;")
            call = f"op_opt_arg_dat({flag}, "
        text = (f'{call}{dat.name}, {slot}, {map_name}, {dat.dim_text()}, '
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
        access = {"inc": "OP_INC", "write": "OP_WRITE"}.get(use, "OP_RW")
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

    def add_global(self):
        pick = self.random
        kind, dim = pick.choice(list(TYPES)), pick.choice([1, 1, 2, 3])
        access = pick.choice(["OP_READ", "OP_INC", "OP_MIN", "OP_MAX"])
        variable = f"g{self.name}_{len(self.parameters)}"
        values = ", ".join(str(pick.randint(0, 9)) for _ in range(dim))
        self.setup.append(f"{kind} {variable}[{dim}] = {{{values}}};")
        qualifier = "const " if access == "OP_READ" else ""
        name = self.add(f"{qualifier}{kind} *",
                        f'op_arg_gbl({variable}, {dim}, "{kind}", {access})')
        if access == "OP_READ":
            self.reads += [f"v += (long){name}[{c}];" for c in range(dim)]
            return
        value = {"OP_INC": "{0}[c] += {1}(v % 5 + c);",
                 "OP_MIN": "if ({1}(v % 50 - c) < {0}[c]) "
                           "{0}[c] = {1}(v % 50 - c);",
                 "OP_MAX": "if ({1}(v % 50 + c) > {0}[c]) "
                           "{0}[c] = {1}(v % 50 + c);"}[access]
        self.writes.append(f"for (int c = 0; c < {dim}; ++c) "
                           f"{{ {value.format(name, kind)} }}")
        self.results += [f'op_printf("{self.name} {variable} %.17g\\n", '
                         f"double({variable}[{c}]));" for c in range(dim)]

    def kernel_text(self):
        body = "".join(f"  {line}\n" for line in
                       ["long v = 1;", *self.reads,
                        "v = v < 0 ? -v : v;", *self.writes])
        return (f"static void {self.name}({', '.join(self.parameters)}) "
                f"{{\n{body}}}\n")

    def call_text(self):
        arguments = "".join(f",\n      {text}" for text in self.arguments)
        prints = [f'print<{dat.type}>("{self.name}", {dat.name});'
                  for dat in self.changed]
        return [*self.setup,
                f'op_par_loop({self.name}, "{self.name}", {self.set}'
                f"{arguments});", *prints, *self.results]


PROLOGUE = """#include "op_seq.h"
#include <vector>

template <class T>
static op_dat makeDat(op_set set, int dim, const char *type, const char *name,
                      int factor) {
  std::vector<T> values(size_t(set->size) * size_t(dim));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = T((int(i) * factor) % 11);
  return op_decl_dat(set, dim, type, values.data(), name);
}
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
    for number in range(program.random.randint(4, 7)):
        program.make_loop(number)
    return program.text()
