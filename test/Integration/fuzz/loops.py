"""Random parallel loops.

All values are small integers and every loop keeps OP2's promises, so that the
results are exact and the same in any order: what a loop increments, it does
nothing else with; what it writes through a map is a constant. With FUZZ_ROUNDED
what programs add to floats is rounded (PART), and the order shows.
"""

from types import SimpleNamespace

import matrices
import pointers
from kernels import Kernel, Parameter
from statements import Statements

# OP2's names of types; its headers make all of them C++'s, too.
TYPES = ["double"] * 4 + ["float", "int", "uint", "ll", "ull"] * 2 + [
    "char", "uchar", "short", "ushort"]
FLOATS = ["double", "double", "float"]


def spell(pick, type_name):
    """One of C++'s names of an OP2 type."""
    return pick.choice({"ll": ["ll", "long"], "ull": ["ull", "unsigned long"],
                        "uint": ["uint", "unsigned"],
                        "char": ["signed char", "char", "int8_t"],
                        "uchar": ["unsigned char", "uint8_t"],
                        "ushort": ["unsigned short"]}.get(type_name,
                                                          [type_name]))


class Dat:
    def __init__(self, name, set_name, size, dim, type_name, kind, is_dynamic):
        self.name, self.set, self.size, self.dim = name, set_name, size, dim
        self.type, self.kind, self.is_dynamic = type_name, kind, is_dynamic
        self.own = None  # the program's array
        self.level_dim = 0  # of a level, if it has some

    @property
    def count(self):
        return self.size * self.dim

    def dim_text(self):
        return f"({self.dim} + zero)" if self.is_dynamic else str(self.dim)


class Variable:
    """What op_arg_gbl points to."""

    def __init__(self, name, type_name, kind, dim, place, values):
        self.name, self.type, self.kind, self.dim = name, type_name, kind, dim
        self.place = place
        self.values = values
        self.is_known = place in ("file", "class")  # to kernels

    def pointer(self):
        return {"member": f"o_{self.name}.values", "heap": f"{self.name}.data()",
                "class": f"{self.name}::values", "smart": f"{self.name}.get()",
                "reference": f"&{self.name}"}.get(self.place, self.name)

    def value(self, component):
        if self.place == "reference":
            return self.name
        if self.place in ("member", "class"):
            return f"{self.pointer()}[{component}]"
        return f"{self.name}[{component}]"

    def declaration(self):
        values = ", ".join(map(str, self.values))
        kind, name, dim = self.kind, self.name, self.dim
        return {
            "local": f"{kind} {name}[{dim}] = {{{values}}};",
            "static": f"static {kind} {name}[{dim}] = {{{values}}};",
            "file": f"static {kind} {name}[{dim}] = {{{values}}};",
            "class": f"struct {name} {{ static inline {kind} values[{dim}] = "
                     f"{{{values}}}; }};",
            "member": f"struct {{ {kind} values[{dim}]; int other; }} "
                      f"o_{name} = {{{{{values}}}, 1}};",
            "heap": f"std::vector<{kind}> {name}{{{values}}};",
            "smart": f"std::unique_ptr<{kind}[]> {name}(new {kind}[{dim}]"
                     f"{{{values}}});",
            "reference": f"{kind} r_{name} = {self.values[0]}, &{name} = "
                         f"r_{name};"}[self.place]


class Loop:
    """One loop; `reads` are the kernel's reads, `writes` what it then does.
    `near`: the Neighbours that it is one of."""

    may_skip = True  # optional arguments

    def __init__(self, program, function, name, set_name=None, near=None):
        self.program, self.function = program, function
        self.name, self.random = name, program.random
        self.set = set_name or self.random.choice(list(program.sets))
        self.over = self.set
        if self.set in program.subsets and program.subset_random.random() < 0.4:
            self.over = program.subsets[self.set]
        if near:
            self.over = near.over
        self.near = near
        self.dats, self.through = [], []  # used, and reached through maps
        self.slots = {}  # the last one of each map
        self.maps = [m for m in program.maps if m.source == self.set]
        self.parameters, self.arguments = [], []
        self.reads, self.writes, self.changed = [], [], []
        self.variables, self.given, self.flags = [], [], []
        self.adds = self.has_least = False
        self.results = []  # in arrays of pointers
        self.is_shared = False
        self.is_sum = type(self) is Loop and self.make_sum()
        if not self.is_sum:
            self.make()
        self.kernel = self.make_kernel()

    def make_sum(self):
        """Whether it is a loop that adds next to nothing through one slot, as
        loops over rows do."""
        pick = self.program.subset_random
        maps = [m for m in self.maps if m.arity == 1]
        if not maps or pick.random() > (0.3 if self.near else 0.5):
            return False
        entry = pick.choice(maps)
        dats = [d for d in self.program.dats
                if d.set == entry.target and d.type != "bool"]
        others = [d for d in self.program.dats
                  if d.set == self.set and d not in dats]
        if not dats or not others:
            return False
        to, other = pick.choice(dats), pick.choice(others)
        self.dats, self.through, self.changed = [to, other], [to], [to]
        self.adds = True
        self.may_skip = False
        text, _ = self.dat_argument(other, -1, "OP_ID", "OP_READ")
        name = self.add(text, other.kind, other.dim, True,
                        is_pointer=other.is_dynamic)
        text, _ = self.dat_argument(to, 0, "@" + entry.name, "OP_INC")
        sum_name = self.add(text, to.kind, to.dim, False,
                            is_pointer=to.is_dynamic)
        self.writes.append(f"{sum_name}[0] += {name}[0] > ({other.kind})2 ? "
                           f"CONSTANT({to.kind}, 2) : CONSTANT({to.kind}, 1);")
        return True

    def make(self):
        pick = self.random
        dats = self.reachable((self.near or self.program).dats)
        # Of a chain: loops that add to rows of others, or to globals.
        self.is_direct = self.program.is_chain and pick.random() < 0.4
        self.is_through = self.program.is_chain and not self.is_direct
        for dat in dats[:pick.randint(2 if self.near else 1, 4)]:
            can_be_direct = dat.set == self.set
            maps = [m for m in self.maps if m.target == dat.set]
            is_number = dat.type != "bool"
            uses = ["read"] * 2 + (["direct"] if can_be_direct else []) + \
                (["inc", "inc"] if maps and is_number else []) + \
                (["rw", "least", "write"]
                 if maps and is_number and not self.program.is_plain else [])
            if self.is_direct:
                uses = [use for use in uses if use != "inc"]
            if self.near:
                uses += ["direct"] * can_be_direct + \
                    ["inc", "inc"] * (bool(maps) and is_number)
                uses, maps = self.near.limit(dat, uses, maps)
                if not uses:
                    continue
            self.dats.append(dat)
            use = pick.choice(uses)
            self.is_shared = False
            if use == "direct":
                self.change_directly(dat)
                continue
            count = pick.randint(1, 3)
            # Of several rows that a kernel changes, some may be the same.
            self.is_shared = count > 1 and use != "read"
            for _ in range(count):
                if use == "read":
                    self.add_read(dat, can_be_direct, maps)
                else:
                    self.change_through_map(dat, use, pick.choice(maps))
        self.is_shared = False
        if pick.random() < 0.3:
            self.add_index()
        for _ in range(0 if self.is_through else
                       pick.choice([0, 0, 1] if self.program.is_plain
                                   else [0, 1, 2])):
            self.add_global()
        if not self.program.is_plain and self.program.merge_random.random() < 0.4:
            self.add_merge()
        if self.near and pick.random() < 0.95:
            self.show_arities()
        if not self.near or self.near.broken:
            matrices.add_to(self)
        pointers.add_to(self)

    def reachable(self, dats):
        """Those that the loop may have arguments of, in any order."""
        found = [d for d in dats if d.set == self.set or
                 any(m.target == d.set for m in self.maps)]
        self.random.shuffle(found)
        return found

    def add(self, argument, kind, dim, is_const, rows=0, is_pointer=False,
            is_packed=False):
        name = f"a{len(self.parameters)}"
        self.program.may_keep_rows |= is_packed and "OP_WRITE" in argument
        self.parameters.append(Parameter(self.random, kind, name, dim, is_const,
                                         rows, is_pointer, self.is_shared,
                                         is_packed))
        self.arguments.append(argument)
        return name

    def dat_argument(self, dat, slot, map_name, access):
        flag, call = "", "op_arg_dat("
        if self.may_skip and self.random.random() < 0.15 and \
                not self.program.is_plain:
            flag = f"f{self.name}_{len(self.parameters)}"
            self.flags.append(f"int {flag} = {self.random.randint(0, 1)} + zero;")
            call = f"op_opt_arg_dat({flag}, "
        # A handle that the compiler cannot tell to be the same as another.
        share = 0.01 if self.near else 0.2
        last = slot if slot >= 0 else -slot - 1
        self.slots[map_name] = max(self.slots.get(map_name, 0), last)
        handle = f"same(@{dat.name})" if self.random.random() < share \
            else "@" + dat.name
        text = (f'{call}{handle}, {slot}, {map_name}, {dat.dim_text()}, '
                f'"{dat.type}", {access})')
        return text, bool(flag)

    def pick_slots(self, entry):
        """The index argument, and the number of rows for a vector."""
        arity = entry.arity
        if arity > 1 and self.random.random() < 0.35:
            rows = self.random.randint(2, arity)
            return -rows, rows
        return self.random.randrange(arity), 0

    def is_packed(self, dat, rows):
        """Whether a kernel takes several rows side by side."""
        return rows > 0 and not dat.is_dynamic and \
            self.program.packed_random.random() < 0.5

    def pick_rows(self, dat, can_be_direct, maps):
        """The index argument, the number of rows for a vector, the map, and
        whether they are packed; of neighbours often what one before reads."""
        known = self.near.pick_place(dat, maps) if self.near else None
        if known:
            return known
        slot, rows, map_name = -1, 0, "OP_ID"
        if maps and not (can_be_direct and self.random.random() < 0.5):
            entry = self.random.choice(maps)
            slot, rows = self.pick_slots(entry)
            map_name = "@" + entry.name
        place = slot, rows, map_name, self.is_packed(dat, rows)
        if self.near:
            self.near.places.setdefault(dat, []).append(place)
        return place

    def add_read(self, dat, can_be_direct, maps):
        slot, rows, map_name, is_packed = self.pick_rows(dat, can_be_direct, maps)
        if map_name != "OP_ID":
            self.through.append(dat)
        text, is_optional = self.dat_argument(dat, slot, map_name, "OP_READ")
        name = self.add(text, dat.kind, dat.dim, True, rows,
                        is_optional or dat.is_dynamic, is_packed)
        guard = f"if ({name}) " if is_optional else ""
        place = self.parameters[-1].place
        if is_packed and self.program.packed_random.random() < 0.5:
            self.reads.append(
                f"{guard}for (int r = 0; r < {rows}; ++r) for (int c = 0; "
                f"c < {dat.dim}; ++c) v += (long){place('r', 'c')} * (r + 2);")
            return
        if rows:
            terms = [f"(long){place(row, c)} * {row + 2}"
                     for row in range(rows) for c in range(dat.dim)]
        else:
            terms = [f"(long){name}[{c}] * {c + 1}" for c in range(dat.dim)]
        self.reads.append(f"{guard}v += {' + '.join(terms)};")

    def change_directly(self, dat):
        accesses = ["OP_WRITE"] + ["OP_RW"] * (not self.is_through) + \
            ["OP_INC"] * (dat.type != "bool")
        access = self.random.choice(accesses)
        text, is_optional = self.dat_argument(dat, -1, "OP_ID", access)
        name = self.add(text, dat.kind, dat.dim, False, 0,
                        is_optional or dat.is_dynamic)
        value = {"OP_WRITE": "{0} = ({1})((v + c) % 5);",
                 "OP_RW": "{0} = ({1})(((long){0} * 3 + v + c) % 101);",
                 "OP_INC": "{0} += PART({1}, (v + c) % 4);"}[access]
        self.write(dat, name, [name], value, is_optional)

    def change_through_map(self, dat, use, entry):
        slot, rows = self.pick_slots(entry)
        access = {"inc": "OP_INC", "write": "OP_WRITE",
                  "least": "OP_MIN"}.get(use, "OP_RW")
        self.through.append(dat)
        self.adds |= use != "write"
        text, is_optional = self.dat_argument(dat, slot, "@" + entry.name, access)
        if self.is_packed(dat, rows):
            self.change_packed(dat, use, rows, text, is_optional)
            return
        name = self.add(text, dat.kind, dat.dim, False, rows,
                        is_optional or dat.is_dynamic)
        value = {"inc": "{0} += PART({1}, (v + c) % 4);",
                 "rw": "{0} = {0} + PART({1}, (v + 2 * c) % 3);",
                 "least": "if (({1})(v % 9) < {0}) {0} = ({1})(v % 9);",
                 "write": "{0} = ({1})(c + 2);"}[use]
        targets = [f"{name}[{row}]" for row in range(rows)] or [name]
        self.write(dat, name, targets, value, is_optional)

    def change_packed(self, dat, use, rows, text, is_optional):
        """Copies of rows, or zeros, with which a kernel does what it likes."""
        name = self.add(text, dat.kind, dat.dim, False, rows, is_optional, True)
        pick, place = self.program.packed_random, self.parameters[-1].place
        # Of two slots that lead to one row one alone may be changed.
        guard = {"rw": f"r == {pick.randrange(rows)}"}.get(use)
        if use != "rw" and pick.random() < 0.3:
            guard = pick.choice(["v % 2", "(v + r) % 3", f"v % {rows} == r"])
        value = {"inc": pick.choice(
                     ["{0} += PART({1}, (v + c) % 4);",
                      "{0} = PART({1}, (v + r + c) % 4);",
                      "{0} = PART({1}, (v + c) % 4); {0} *= ({1})2; "
                      "{0} -= ({1})(v % 2);",
                      "{0} += ({1})1; {0} = {0} + {0};",
                      "{0} += ({1})(r + 1); if ({0} > ({1})1) {2} = ({1})"
                      "(v % 3);"]),
                 "rw": pick.choice(["{0} = {0} + PART({1}, (v + 2 * c) % 3);",
                                    "{0} += PART({1}, v % 4); {0} -= ({1})(c % 2);"]),
                 "least": "if (({1})(v % 9) < {0}) {0} = ({1})(v % 9);",
                 "write": "{0} = ({1})(c + 2);"}[use]
        value = value.format(place("r", "c"), dat.kind, place(f"({rows} - 1 - r)",
                                                              "c"))
        there = f"if ({name}) " if is_optional else ""
        inner = f"if ({guard}) {{ {value} }}" if guard else value
        self.writes.append(
            f"{there}for (int r = 0; r < {rows}; ++r) for (int c = 0; "
            f"c < {dat.dim}; ++c) {{ {inner} }}")
        if dat not in self.changed:
            self.changed.append(dat)

    def write(self, dat, name, targets, value, is_optional):
        lines = "".join(" " + value.format(f"{target}[c]", dat.kind)
                        for target in targets)
        guard = f"if ({name}) " if is_optional else ""
        self.writes.append(f"{guard}for (int c = 0; c < {dat.dim}; ++c) "
                           f"{{{lines} }}")
        if dat not in self.changed:
            self.changed.append(dat)

    def show_arities(self):
        """Loops do not become one if a map has more slots than one of them seems
        to know."""
        for entry in self.maps:
            if self.slots.get("@" + entry.name, entry.arity) < entry.arity - 1:
                self.add_index_argument(entry.arity - 1, "@" + entry.name)

    def add_index(self):
        slot, map_name = -1, "OP_ID"
        if self.maps and self.random.random() < 0.5:
            entry = self.random.choice(self.maps)
            slot = self.random.randrange(entry.arity)
            map_name = "@" + entry.name
        self.add_index_argument(slot, map_name)

    def add_index_argument(self, slot, map_name):
        name = self.add(f"op_arg_idx({slot}, {map_name})", "int", 1, True,
                        is_pointer=True)
        self.reads.append(f"v += *{name} % 7;")

    def find_variable(self, type_name, dim, access):
        """One of the function's, sometimes of an earlier loop."""
        pick = self.random
        known = [v for v in self.function.variables + self.program.variables
                 if v.type == type_name and v.dim == dim
                 and v not in self.variables
                 and (not self.near or self.near.may_have(v, access))
                 and (v.place not in ("file", "class")
                      or v.file == self.function.file)]
        variable = pick.choice(known) if known and pick.random() < 0.4 else \
            self.function.make_variable(type_name, dim)
        self.variables.append(variable)
        return variable

    def add_global(self):
        pick = self.random
        types = self.near.types if self.near else self.program.types
        type_name, dim = pick.choice(types), pick.choice([1, 1, 2, 3])
        access = pick.choice(["OP_READ", "OP_INC", "OP_MIN", "OP_MAX",
                              "OP_WRITE", "OP_WORK"])
        is_plain = self.program.is_plain
        if is_plain and access in ("OP_WRITE", "OP_WORK"):
            access = "OP_INC"
        if access in ("OP_MIN", "OP_MAX"):
            if self.near and not self.near.may_have_least():
                access = "OP_INC"
            self.has_least |= access != "OP_INC"
        variable = self.find_variable(type_name, dim, access)
        kind = variable.kind
        call = "op_arg_gbl("
        is_optional = pick.random() < 0.2 and not is_plain
        if is_optional:
            call = f"op_opt_arg_gbl({pick.randint(0, 1)} + zero, "
        name = self.add(f'{call}{variable.pointer()}, {dim}, "{type_name}", '
                        f'{access})', kind, dim, access == "OP_READ",
                        is_pointer=is_optional)
        guard = f"if ({name}) " if is_optional else ""
        if access == "OP_READ":
            self.given.append(variable)
            self.reads += [f"{guard}v += (long){name}[{c}];"
                           for c in range(dim)]
            return
        value = {"OP_INC": "{0}[c] += PART({1}, v % 5 + c);",
                 "OP_MIN": "if (({1})(v % 50 + 3 - c) < {0}[c]) {{ "
                           "{0}[c] = ({1})(v % 50 + 3 - c);{2} }}",
                 "OP_MAX": "if (({1})(v % 50 + c) > {0}[c]) {{ "
                           "{0}[c] = ({1})(v % 50 + c);{2} }}",
                 "OP_WRITE": "if (v % 3 == c) {0}[c] = ({1})(c + 20);",
                 "OP_WORK": "{0}[c] = ({1})(v % 5); v += (long){0}[c] - v % 5;"}
        infos = ""
        if access in ("OP_MIN", "OP_MAX") and not is_optional and not is_plain:
            infos = "".join(self.add_info(name, dim)
                            for _ in range(pick.choice([0, 0, 1, 2])))
        self.writes.append(
            f"{guard}for (int c = 0; c < {dim}; ++c) "
            f"{{ {value[access].format(name, kind, infos)} }}")

    def add_info(self, value, dim):
        """What the value determines: equal ones of two elements agree."""
        type_name, share = self.random.choice(TYPES), self.random.randint(1, 3)
        variable = self.function.make_variable(type_name, dim * share)
        self.variables.append(variable)
        kind = variable.kind
        name = self.add(f'op_arg_info({variable.pointer()}, {dim * share}, '
                        f'"{type_name}", {value[1:]})', kind, dim * share, False)
        return "".join(f" {name}[{share} * c + {i}] = "
                       f"({kind})({value}[c] * 2 + {i});" for i in range(share))

    def add_merge(self):
        """A reduction by a function of the program."""
        program = self.program
        # Numbers of programs without stay what they were.
        saved, program.random = program.random, program.merge_random
        variable = self.function.make_variable("uint", 4)
        program.random = saved
        self.variables.append(variable)
        by = f"Merge<{'true' if program.merges_commute else 'false'}>"
        name = self.add(f'op_arg_reduce({variable.pointer()}, 4, "uint", '
                        f"{by}::merge, {by}::identity)", variable.kind, 4, False,
                        is_pointer=True)
        self.writes.append(f"{{ unsigned f[4] = {{unsigned(v), 1, 2, unsigned"
                           f"(v % 7)}}; {by}::merge({name}, f); }}")

    def make_kernel(self):
        pick, program = self.random, self.program
        known = [f"(long){v.value(pick.randrange(v.dim))}"
                 for v in program.variables
                 if v not in self.variables and v.is_known
                 and v.file == self.function.file]
        is_host_only = program.has_host_kernels and pick.random() < 0.3
        # A dat's storage by the name that the program has for it.
        known += [f"(long){d.own.value(pick.randrange(d.count))}"
                  for d in program.dats
                  if d.own and program.is_raw and d.count
                  and d not in self.changed
                  and (d.own.is_array or program.has_host_kernels)]
        pick.shuffle(known)
        constants = program.constant_values() + known[:2]
        helpers = [] if self.function.file else program.helper_calls
        if program.is_chain:
            constants, helpers = [], []
        count = pick.randint(0, 4)
        if self.near and not self.near.is_free("lanes"):
            count //= 2
        steps = Statements(pick, helpers, constants, program.is_plain,
                           is_host_only).make(count)
        followed = pointers.steps(self)
        steps = [] if self.is_sum else followed + steps
        # Who leaves early has not written what it promised to.
        if pick.random() < (0.05 if self.near else 0.2) and "OP_WRITE" not in " ".join(self.arguments):
            steps.append(f"if (v % 5 == {pick.randint(0, 4)}) return;")
        body = ["long v = 1;", *self.reads, *steps, "v %= 100003;",
                "v = v < 0 ? -v : v;", *self.writes]
        if self.is_sum:
            body = self.writes
        options = SimpleNamespace(
            is_template=self.function.form == "template",
            is_simple=count == 0 and not program.is_plain and not followed,
            is_apart=program.is_chain,
            is_near=bool(self.near) and pick.random() < 0.8)
        return Kernel(pick, self.name, self.parameters, body, options)

    def call(self):
        arguments = "".join(f",\n      {text}" for text in self.arguments)
        lines = [*self.flags, *self.kernel.before,
                 f'op_par_loop({self.kernel.expression}, "{self.name}", '
                 f"@{self.over}{arguments});"]
        if self.flags or self.kernel.before:
            return ["{", *lines, "}"]
        return lines
