"""Writes a random OP2 program in Fortran, as generate.py does in C++.

fortran.py SEED [NUMBER]... prints a program without the statements of these
numbers.

Kernels read their arguments into a number v, do something random with it, and
write what follows from it. All values are small integers and every loop keeps
OP2's promises, so that results are exact and the same in any order.
"""

import random
import sys
from types import SimpleNamespace

from host import Node

KINDS = {"r8": "real(8)", "r4": "real(4)", "i4": "integer(4)",
         "i8": "integer(8)"}


def declare(kind, name, text, *attributes):
    return f"{', '.join([KINDS[kind], *attributes])} :: {name}{text}"


class Statements:
    """Random statements on `v`: integer(8), of either sign afterwards."""

    def __init__(self, pick, program, number):
        self.random, self.program = pick, program
        self.declared, self.number = [], number

    def make(self, count, depth=0):
        kinds = [self.condition, self.loop, self.while_loop, self.select,
                 self.intrinsic, self.array, self.block, self.jump]
        kinds += [self.constant] * 2 * bool(self.program.constants)
        kinds += [self.call] * 2 * bool(self.program.helpers)
        if self.program.has_host_kernels:
            kinds += [self.whole_array, self.matrix] * 2
        lines = []
        for _ in range(count):
            lines += self.random.choice(kinds)(depth)
        return lines

    def local(self, kind="i8", dims=""):
        name = f"w{self.number}_{len(self.declared)}"
        self.declared.append(declare(kind, name, dims))
        return name

    def inner(self, depth):
        return self.make(1, depth + 1) if depth < 2 else ["v = v + 1"]

    def condition(self, depth):
        pick = self.random
        test = pick.choice(["mod(v, {a}_8) == {b}", "v > {a} .and. mod(v, 5_8) /= {b}",
                            "btest(v, {b}) .or. v < {a}", ".not. v >= {a}"])
        lines = [f"if ({test.format(a=pick.randint(2, 7), b=pick.randint(0, 3))}) then",
                 *self.inner(depth)]
        if pick.random() < 0.3:
            lines += [f"else if (v == {pick.randint(0, 50)}) then", "v = v - 2"]
        if pick.random() < 0.5:
            lines += ["else", *self.inner(depth)]
        return lines + ["end if"]

    def loop(self, depth):
        i, m = self.local("i4"), self.random.randint(2, 6)
        leave = self.random.choice(["exit", "cycle"])
        bounds = self.random.choice(["1, 5", "4, 0, -2", "0, int(mod(abs(v), 4_8))"])
        return [f"do {i} = {bounds}", f"if (mod(v, {m}_8) == {i}) {leave}",
                f"v = v + {i} * {m}", *self.inner(depth),
                "v = mod(v, 10007_8)", "end do"]

    def while_loop(self, depth):
        return [f"do while (v > {self.random.randint(20, 90)})", "v = v / 3",
                f"if (mod(v, 7_8) == {self.random.randint(0, 6)}) exit", "end do"]

    def select(self, depth):
        return ["select case (mod(v, 5_8))", "case (0)", "v = v + 3",
                "case (1, 3:4)", *self.inner(depth), "case (:-1)", "v = -2 * v",
                "case default", f"v = v - {self.random.randint(1, 9)}",
                "end select"]

    def intrinsic(self, depth):
        n = self.random.randint(1, 9)
        return [self.random.choice([
            f"v = max(v, {n}_8)", f"v = min(v, {n * 100}_8)", "v = abs(v) + 1",
            "v = ieor(v, 5_8)", f"v = v + merge({n}, -1, v > 40)",
            f"v = v + floor(real(v, 8) / {n})", f"v = v + modulo(v, {n}_8)",
            f"v = v + nint(real(v, 8) / 3)", "v = ishft(abs(v), -1)",
            f"v = sign(v, {n - 5}_8)", "v = v + ibits(v, 1, 3)",
            f"v = v + int(dim(real(v, 4), {n}.0))",
            f"v = v + mod(v, 6_8)**2"])]

    def array(self, depth):
        t, i = self.local("i8", "(4)"), self.local("i4")
        return [f"do {i} = 1, 4", f"{t}({i}) = {self.random.randint(0, 5)}", "end do",
                f"{t}(2) = mod(v, 5_8)", f"do {i} = 1, 4", f"{t}(1 + iand({i} + v, 3_8)) = {i} + {t}({i})",
                "end do", self.random.choice(
                    [f"{t}(1) = {t}(4) * 2"] +
                    # By calls of flang's library.
                    [f"{t} = {t} * 2 + 1", f"{t}(2:3) = {t}(1:2)",
                     f"where ({t} > 2) {t} = 3"] * self.program.has_host_kernels),
                f"v = v + {t}(1 + iand(v, 3_8)) - {t}({self.random.randint(1, 4)})"]

    def block(self, depth):
        return ["block", "integer(8) :: w", "real(8) :: x",
                "w = mod(v, 9_8)", *self.inner(depth), "x = w", "v = v + int(x, 8)",
                "end block"] if self.random.random() < 0.5 else [
                    f"associate (w => v)", f"w = w + {self.random.randint(1, 5)}",
                    *self.inner(depth), "end associate"]

    def jump(self, depth):
        self.program.labels += 1
        label = self.program.labels
        return [f"if (mod(v, 3_8) == {self.random.randint(0, 2)}) go to {label}",
                *self.inner(depth), f"{label} continue"]

    def constant(self, depth):
        return [f"v = v + mod({self.random.choice(self.program.constants).value}, "
                "13_8)"]

    def call(self, depth):
        return [self.random.choice(self.program.helpers).call]

    # What calls flang's library without optimization.

    def whole_array(self, depth):
        t = self.local("i8", "(4)")
        return [f"{t} = [v, 3_8, mod(v, 4_8), 1_8]", self.random.choice([
            f"v = v + sum({t}(2:))", f"v = v + maxval({t}(2:)) - minval({t}(2:))",
            f"v = v + count({t} > 2)", f"if (any({t}(2:) == 3)) v = v + 1",
            f"v = v + dot_product({t}(2:3), {t}(3:4))",
            f"v = mod(v, 1009_8) + product({t}(2:3))"])]

    def matrix(self, depth):
        a, b = self.local("i8", "(2, 2)"), self.local("i8", "(2, 2)")
        return [f"{a} = reshape([mod(v, 3_8), 1_8, 2_8, mod(v, 5_8)], [2, 2])",
                self.random.choice([f"{b} = matmul({a}, {a})", f"{b} = transpose({a})",
                                    f"{b} = spread({a}(:, 1), 2, 2)"]),
                f"v = v + {b}(2, 1) - {b}(1, 2)"]


class Dummy:
    """A kernel's dummy argument of `rows` rows of `dim` values each."""

    def __init__(self, pick, kind, name, dim, intent, rows=0, is_optional=False,
                 is_module=True):
        self.kind, self.name, self.dim = kind, name, dim
        forms = ["({0})", "({0})", "(0:{1})", "(-1:{2})"]
        if not rows:
            forms += ["(*)"] + ["", ""] * (dim == 1)
        form = pick.choice(forms)
        self.low = {"(0:{1})": 0, "(-1:{2})": -1}.get(form, 1)
        self.is_scalar = form == ""
        attributes = [f"intent({intent})"] if pick.random() < 0.7 else []
        attributes += ["optional"] * is_optional
        attributes += ["target"] * (pick.random() < 0.05 and not is_optional and
                                    is_module)
        shape = form.format(dim, dim - 1, dim - 2)
        if rows:
            shape = f"{shape[:-1]}, {rows})"
        self.declaration = declare(kind, name, shape, *attributes)

    def place(self, component, row=None):
        if self.is_scalar:
            return self.name
        text = str(self.low + component) if isinstance(component, int) else component
        return f"{self.name}({text})" if row is None else f"{self.name}({text}, {row})"

    @property
    def all(self):
        """Bounds of a loop over components."""
        return f"{self.low}, {self.low + self.dim - 1}"


class Loop:
    """`near`: the first of several loops one behind the other, of the same set
    and dats, which may become one."""

    def __init__(self, program, function, name, near=None):
        self.program, self.function, self.name = program, function, name
        self.random = pick = program.random
        self.kernel = SimpleNamespace(form=pick.choice(function.kernel_forms))
        self.set = near.set if near else pick.choice(list(program.sets))
        self.over = program.handle(self.set)
        if isinstance(self, LayerLoop):
            self.set, self.over = program.layers.set, "layers"
        elif self.set in program.subsets and pick.random() < 0.4:
            self.over = f"part_{self.set}"
        if near:
            self.over = near.over
        self.maps = [m for m in program.maps if m.source == self.set]
        self.dummies, self.arguments = [], []
        self.reads, self.writes, self.has_write = [], [], False
        dats = [d for d in program.dats if d.set == self.set or
                any(m.target == d.set for m in self.maps)]
        pick.shuffle(dats)
        self.dats = near.dats if near else dats[:pick.randint(1, 4)]
        for dat in self.dats:
            if not near or pick.random() < 0.8:
                self.use(dat)
        if program.matrix and program.matrix.map in self.maps and \
                not isinstance(self, LayerLoop) and pick.random() < 0.5:
            self.add_matrix()
        if pick.random() < 0.3:
            self.add_index()
        for _ in range(pick.choice([0, 0, 1, 1, 2])):
            self.add_global()
        if not self.arguments:
            self.add_index()
        self.make_kernel()

    def add(self, argument, kind, dim, intent, rows=0, is_optional=False):
        dummy = Dummy(self.random, kind, f"a{len(self.dummies) + 1}", dim, intent,
                      rows, is_optional, self.kernel.form != "external")
        self.dummies.append(dummy)
        self.arguments.append(argument)
        return dummy

    def dat_argument(self, dat, slot, map_name, access):
        text = (f"{self.program.handle(dat.name)}, {slot}, {map_name}, {dat.dim}, "
                f"'{self.program.spell(dat.kind)}', {access})")
        if self.kernel.form == "module" and self.random.random() < 0.1 and \
                not isinstance(self, LayerLoop):
            flag = self.random.choice([".true.", ".false.", "flag", ".not. flag"])
            return f"op_opt_arg_dat({flag}, {text}", True
        return f"op_arg_dat({text}", False

    def use(self, dat):
        pick = self.random
        maps = [m for m in self.maps if m.target == dat.set]
        uses = ["read"] * 2 + ["direct"] * 2 * (dat.set == self.set) + \
            ["inc"] * 3 * bool(maps) + ["write"] * bool(maps)
        use = pick.choice(uses)
        if use == "direct":
            self.change_directly(dat)
            return
        for _ in range(pick.randint(1, 3)):
            entry = pick.choice(maps) if maps else None
            if use == "read" and dat.set == self.set and \
                    (not entry or pick.random() < 0.5):
                entry = None
            self.through_map(dat, use, entry)

    def through_map(self, dat, use, entry):
        pick = self.random
        slot, rows, map_name = -1, 0, "OP_ID"
        if entry:
            slot, map_name = pick.randint(1, entry.arity), \
                self.program.handle(entry.name)
            if entry.arity > 1 and pick.random() < 0.35:
                rows = pick.randint(2, entry.arity)
                slot = -rows
        access = {"read": "OP_READ", "inc": "OP_INC", "write": "OP_WRITE"}[use]
        text, is_optional = self.dat_argument(dat, slot, map_name, access)
        # What is written to several rows at once is the same for all.
        intent = "in" if use == "read" else "inout"
        dummy = self.add(text, dat.kind, dat.dim, intent, rows, is_optional)
        lines = []
        if use == "read":
            for row in range(1, rows + 1) if rows else [None]:
                lines.append("v = v + " + " + ".join(
                    f"int({dummy.place(c, row)}, 8) * {c + (row or 0) + 1}"
                    for c in range(dat.dim)))
            self.reads += self.guard(dummy, is_optional, lines)
            return
        self.has_write |= use == "write"
        value = {"inc": "{0} = {0} + mod(v + {1}, 4_8)",
                 "write": "{0} = {1} + 2"}[use]
        for row in range(1, rows + 1) if rows else [None]:
            lines += [value.format(dummy.place(c, row), c)
                      for c in range(dat.dim)]
        self.writes += self.guard(dummy, is_optional, lines)

    @staticmethod
    def guard(dummy, is_optional, lines):
        if not is_optional:
            return lines
        return [f"if (present({dummy.name})) then", *lines, "end if"]

    def change_directly(self, dat):
        access = self.random.choice(["OP_WRITE", "OP_RW", "OP_INC"])
        text, is_optional = self.dat_argument(dat, -1, "OP_ID", access)
        intent = "out" if access == "OP_WRITE" and self.random.random() < 0.3 \
            else "inout"
        dummy = self.add(text, dat.kind, dat.dim, intent, 0, is_optional)
        self.has_write |= access == "OP_WRITE"
        value = {"OP_WRITE": "{0} = mod(v + {1}, 5_8)",
                 "OP_RW": "{0} = mod(int({0}, 8) * 3 + v + {1}, 101_8)",
                 "OP_INC": "{0} = {0} + mod(v + {1}, 4_8)"}[access]
        if not dummy.is_scalar and self.random.random() < 0.4:
            lines = [f"do c = {dummy.all}", value.format(dummy.place("c"), "c"),
                     "end do"]
        else:
            lines = [value.format(dummy.place(c), c) for c in range(dat.dim)]
        self.writes += self.guard(dummy, is_optional, lines)

    def add_index(self):
        pick = self.random
        text = "op_arg_idx(-1, OP_ID)"
        if self.maps and pick.random() < 0.5:
            entry = pick.choice(self.maps)
            text = (f"op_arg_idx({pick.randint(1, entry.arity)}, "
                    f"{self.program.handle(entry.name)})")
        dummy = self.add(text, "i4", 1, "in")
        self.reads.append(f"v = v + {dummy.place(0)}")

    def add_matrix(self):
        pick, entry = self.random, self.program.matrix.map
        slots = [pick.randint(-entry.arity, -2), pick.randint(-entry.arity, -1)]
        pick.shuffle(slots)
        rows, cols = (-slot for slot in slots)
        name = self.program.handle(entry.name)
        dummy = self.add(f"op_arg_mat(matrix, {slots[0]}, {name}, {slots[1]}, {name}, "
                         f"1, 1, 'real(8)', OP_INC)", "r8", cols, "inout", rows)
        for row in range(1, rows + 1):
            self.writes += [f"{dummy.place(c, row)} = {dummy.place(c, row)} + "
                            f"mod(v + {c + row}, 5_8)" for c in range(cols)]

    def add_global(self):
        pick, program = self.random, self.program
        dim = pick.choice([1, 1, 2, 3])
        access = pick.choice(["OP_READ", "OP_INC", "OP_INC", "OP_MIN", "OP_MAX"])
        variable = self.function.find_variable(pick, dim, access == "OP_READ",
                                               self.arguments)
        if not variable:
            return
        text = (f"{variable.text}, {dim}, '{program.spell(variable.kind)}', "
                f"{access})")
        is_optional = self.kernel.form == "module" and pick.random() < 0.1
        if is_optional:
            text = f"op_opt_arg_gbl({pick.choice(['.true.', 'flag'])}, {text}"
        else:
            text = f"op_arg_gbl({text}"
        dummy = self.add(text, variable.kind, dim,
                         "in" if access == "OP_READ" else "inout", 0, is_optional)
        kind = variable.kind
        as_kind = f"{'int' if kind[0] == 'i' else 'real'}({{}}, {kind[1]})"
        value = {"OP_READ": "v = v + int({0}, 8) * {1}",
                 "OP_INC": "{0} = {0} + " + as_kind.format("mod(v + {1}, 7_8)"),
                 "OP_MIN": "{0} = min({0}, " + as_kind.format("mod(v, 90_8) - {1}") + ")",
                 "OP_MAX": "if (mod(v, 91_8) > {0}) {0} = " +
                           as_kind.format("mod(v, 91_8)")}[access]
        lines = [value.format(dummy.place(c), c + 1) for c in range(dim)]
        lines = self.guard(dummy, is_optional, lines)
        if access == "OP_READ":
            self.reads += lines
        elif access in ("OP_MIN", "OP_MAX") and dim == 1 and not is_optional \
                and pick.random() < 0.4:
            self.add_info(dummy, access, as_kind.format("mod(v, 91_8)"))
        else:
            self.writes += lines

    def add_info(self, found, access, value):
        """What goes with the least or the greatest."""
        dim = self.random.choice([1, 2])
        variable = self.function.find_variable(self.random, dim, False,
                                               self.arguments)
        dummy = self.add(f"op_arg_info({variable.text}, {dim}, "
                         f"'{self.program.spell(variable.kind)}', "
                         f"{len(self.arguments)})", variable.kind, dim, "inout")
        sign = "<" if access == "OP_MIN" else ">"
        self.writes += [f"if ({value} {sign} {found.place(0)}) then",
                        f"{found.place(0)} = {value}",
                        # The same for all elements that have found it.
                        *[f"{dummy.place(c)} = {found.place(0)} * 2 + {c}"
                          for c in range(dim)], "end if"]

    def make_kernel(self):
        pick = self.random
        statements = Statements(pick, self.program, len(self.program.loops))
        steps = statements.make(pick.randint(0, 4))
        if not self.has_write and pick.random() < 0.2:
            steps.append(f"if (mod(v, 5_8) == {pick.randint(0, 4)}) return")
        if self.kernel.form == "internal" and self.program.main_integers:
            steps.append(f"v = v + {pick.choice(self.program.main_integers)}")
        names = ", ".join(d.name for d in self.dummies)
        form = self.kernel.form
        is_pure = form != "external" and pick.random() < 0.3 and \
            all("intent" in d.declaration and "target" not in d.declaration
                for d in self.dummies)
        uses = ["use fuzz_constants", "implicit none"] if form == "external" else []
        self.text = [
            f"{'pure ' * is_pure}subroutine {self.name}({names})", *uses,
            *[d.declaration for d in self.dummies], "integer(8) :: v",
            "integer :: c", *statements.declared, "v = 1", *self.reads, *steps,
            "v = abs(mod(v, 100003_8))", "c = 0", *self.writes,
            f"end subroutine {self.name}"]

    def call(self):
        given = "".join(f", &\n      {text}" for text in self.arguments)
        return [f"call op_par_loop_{len(self.arguments)}({self.name}, "
                f"{self.over}{given})"]


class LayerLoop(Loop):
    """Of dats without levels columns are read, and added to."""

    def use(self, dat):
        levels = self.program.levels.get(dat.name)
        if not levels:
            maps = [m for m in self.maps if m.target == dat.set]
            use = self.random.choice(["read", "inc"]) if maps else "read"
            entry = self.random.choice(maps) if maps else None
            if dat.set == self.set and use == "read" and self.random.random() < 0.5:
                entry = None
            self.through_map(dat, use, entry)
            return
        self.take_levels(dat, levels)

    def take_levels(self, dat, levels):
        pick, dim = self.random, dat.dim // levels
        maps = [m for m in self.maps if m.target == dat.set]
        is_own = dat.set == self.set and (not maps or pick.random() < 0.5)
        access = pick.choice(["OP_READ", "OP_INC"] + ["OP_RW", "OP_WRITE"] * is_own)
        count = 1 if access in ("OP_RW", "OP_WRITE") else pick.choice([1, 2, 2])
        first = pick.randint(0, 2 - count)
        slot, rows, map_name = -1, 0, "OP_ID"
        if not is_own:
            entry = pick.choice(maps)
            slot, map_name = pick.randint(1, entry.arity), \
                self.program.handle(entry.name)
            if entry.arity > 1 and pick.random() < 0.5:
                rows = pick.randint(2, entry.arity)
                slot = -rows
        text = (f"op_arg_dat_layers({self.program.handle(dat.name)}, {slot}, "
                f"{map_name}, {first}, {count}, {dim}, "
                f"'{self.program.spell(dat.kind)}', {access})")
        dummy = self.add(text, dat.kind, dim * count,
                         "in" if access == "OP_READ" else "inout", rows)
        self.has_write |= access == "OP_WRITE"
        value = {"OP_READ": "v = v + int({0}, 8) * {1}",
                 "OP_INC": "{0} = {0} + mod(v + {1}, 4_8)",
                 "OP_WRITE": "{0} = mod(v + {1}, 5_8)",
                 "OP_RW": "{0} = mod(int({0}, 8) * 3 + v + {1}, 101_8)"}[access]
        lines = [value.format(dummy.place(c, row), c + 1)
                 for row in (range(1, rows + 1) if rows else [None])
                 for c in range(dim * count)]
        if access == "OP_READ":
            self.reads += lines
        else:
            self.writes += lines


class Function:
    """The main program, or a subroutine that it calls."""

    def __init__(self, program, form):
        self.program, self.form = program, form
        self.name = program.new_name("run")
        self.kernel_forms = ["module"] * 3 + ["external"]
        if form in ("main", "internal"):
            self.kernel_forms += ["internal"] * 2
        self.declared, self.variables, self.nodes = [], [], []
        if form == "main":
            self.kernel_forms = ["module", "module", "internal", "external"]

    def find_variable(self, pick, dim, is_read, used):
        """A global that no other argument is."""
        known = [v for v in self.variables if v.dim == dim
                 and not any(v.root in text for text in used)]
        if known and pick.random() < 0.5:
            return pick.choice(known)
        name, kind = self.program.new_name("g"), pick.choice(list(KINDS))
        first = pick.randint(0, 9)
        forms = ["plain"] * 3 + ["save", "part", "component", "allocatable",
                                 "pointer", "section"]
        form = pick.choice(forms)
        extent = f"({dim})"
        start, text, root = [f"{name} = {first}"], name, name
        if form == "plain":
            extent = pick.choice(["", "", "(1)"]) if dim == 1 else extent
            self.declared.append(declare(kind, name, extent))
        elif form == "save":
            self.declared.append(declare(kind, name, extent, "save"))
        elif form == "part":  # where the sequence of values begins
            self.declared.append(declare(kind, name, f"({dim + 3})"))
            text = f"{name}(2)" if dim == 1 else f"{name}(2:{dim + 1})"
        elif form == "component":
            self.declared += [f"type :: of_{name}", "integer :: before = 3",
                              declare(kind, "x", extent), "integer :: after = 4",
                              f"end type of_{name}", f"type(of_{name}) :: {name}"]
            text, start = f"{name}%x", [f"{name}%x = {first}"]
        elif form == "allocatable":
            self.declared.append(declare(kind, name, "(:)", "allocatable"))
            start = [f"allocate({name}({dim}))", *start]
        elif form == "pointer":
            self.declared += [declare(kind, f"of_{name}", "(5)", "target"),
                              declare(kind, name, "(:)", "pointer")]
            start = [f"of_{name} = 1", f"{name} => of_{name}(2:{dim + 1})", *start]
        elif form == "section":
            self.declared.append(declare(kind, name, f"({dim}, 3)"))
            text = f"{name}(:, 2)"
        variable = SimpleNamespace(name=name, kind=kind, dim=dim, text=text,
                                   root=name, form=form,
                                   is_array=extent != "")
        self.start = getattr(self, "start", []) + start
        self.variables.append(variable)
        return variable

    def show(self, variable):
        text = variable.text if "(" in variable.text and ":" in variable.text \
            or variable.form in ("component", "allocatable", "pointer", "save") \
            else f"[{variable.text}]"
        return f"call show('{variable.name}', {text})"

    def dummy(self):
        return "(mesh)" if self.program.form == "dummy" else "()"


class Program:
    has_own = is_raw = may_declare_blocks = False
    end = "op_exit();"  # as programs in C++ have it

    def __init__(self, seed, ranks=False, rounded=False):
        self.seed = seed
        self.random = pick = random.Random(f"fortran {seed}")
        self.has_host_kernels = pick.random() < 0.4
        self.has_chain = False
        self.noise = pick.choice([0, 0.05, 0.3])
        self.has_two_files = pick.random() < 0.4
        self.form = pick.choice(["module", "object", "dummy", "arrays"])
        self.nodes = self.names = self.labels = 0
        self.base = pick.randint(0, 1)
        self.sets, self.maps, self.dats = {}, [], []
        self.declare, self.tables = [], []
        self.subsets, self.matrix = [], None
        self.layers, self.levels = None, {}
        self.main_integers = []
        self.constants, self.helpers = [], []
        self.make_mesh()
        self.make_constants()
        self.make_helpers()
        self.functions, self.loops = [], []
        self.loops_left = pick.randint(3, 8)
        self.main = Function(self, "main")
        self.main_integers = [self.new_name("n") for _ in range(2)]
        while self.loops_left > 0:
            self.main.nodes += self.make_block(self.main, 0)

    def count_node(self):
        self.nodes += 1
        return self.nodes

    def new_name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def spell(self, kind):
        letter, size = kind
        word = {"r": "real", "i": "integer"}[letter]
        return self.random.choice([f"{word}({size})", f"{word}*{size}", kind])

    def handle(self, name):
        if self.form in ("object", "dummy"):
            return f"mesh%{name}"
        if self.form == "arrays":
            number = self.order.setdefault(name[0], []).index(name) + 1
            return {"s": "sets", "m": "maps", "d": "dats"}[name[0]] + f"({number})"
        return name

    def make_mesh(self):
        pick = self.random
        for number in range(pick.randint(2, 4)):
            self.sets[f"s{number}"] = pick.choice([0, 1, 2, 13, 33, 64, 90, 257])
        self.sets["s1"] = max(self.sets["s1"], 5)
        for number in range(pick.randint(2, 4)):
            source = pick.choice(list(self.sets))
            target = pick.choice([s for s, size in self.sets.items()
                                  if size or not self.sets[source]])
            self.maps.append(SimpleNamespace(name=f"m{number}", source=source,
                                             target=target,
                                             arity=pick.randint(1, 4)))
        for name in self.sets:
            for _ in range(pick.randint(2, 3)):
                self.dats.append(SimpleNamespace(
                    name=f"d{len(self.dats)}", set=name, kind=pick.choice(
                        ["r8", "r8"] + list(KINDS)), dim=pick.choice([1, 1, 2, 3, 4])))
        self.make_layers()
        self.order = {"s": list(self.sets), "m": [m.name for m in self.maps],
                      "d": [d.name for d in self.dats]}
        for name, size in self.sets.items():
            self.declare.append(f"call op_decl_set({size}, {self.handle(name)}, "
                                f"'{name}')")
        for entry in self.maps:
            self.declare_map(entry)
        for dat in self.dats:
            count = self.sets[dat.set] * dat.dim
            self.tables += [declare(dat.kind, f"v_{dat.name}", f"({max(count, 1)})"),
                            "integer :: i_" + dat.name]
            self.declare += [
                f"v_{dat.name} = [(mod(i_{dat.name} * {pick.randint(1, 9)}, 7), "
                f"i_{dat.name} = 1, {max(count, 1)})]",
                f"call op_decl_dat({self.handle(dat.set)}, {dat.dim}, "
                f"'{self.spell(dat.kind)}', v_{dat.name}, {self.handle(dat.name)}, "
                f"'{dat.name}')"]
        self.make_subsets()
        self.make_matrix()
        self.declare_layers()

    def make_layers(self):
        """Columns on one set, and dats with levels, one more than layers."""
        pick = self.random
        if pick.random() < 0.6:
            return
        number = pick.choice([0, 1, 2, 5, 9])
        self.layers = SimpleNamespace(set=pick.choice([m.source for m in self.maps]),
                                      number=number)
        for dat in self.dats:
            if pick.random() < 0.6:
                dat.dim = (number + 1) * pick.choice([1, 1, 2])
                self.levels[dat.name] = number + 1

    def declare_layers(self):
        if not self.layers:
            return
        pick, number = self.random, self.layers.number
        over = self.handle(self.layers.set)
        size = self.sets[self.layers.set]
        if pick.random() < 0.5 or not size:
            self.declare.append(f"call op_decl_layers({over}, 1, {number}, layers, "
                                "'layers')")
            return
        # Of different depths, some without.
        begins = [pick.randint(1, number + 1) for _ in range(size)]
        ranges = [(first, pick.randint(first - 1, number)) for first in begins]
        lines = [", ".join(f"{a}, {b}" for a, b in ranges[n:n + 10])
                 for n in range(0, size, 10)]
        values = ", &\n      ".join(lines)
        self.declare.append(f"call op_decl_layers_varying({over}, reshape([{values}], "
                            f"[2, {size}]), layers, 'layers')")

    def make_subsets(self):
        pick = self.random
        for name, size in self.sets.items():
            if pick.random() < 0.4:
                count = pick.choice([0, 1, size // 3, size]) if size else 0
                numbers = [str(pick.randrange(size) + self.base)
                           for _ in range(count)] or ["1"]
                lines = [", ".join(numbers[n:n + 20])
                         for n in range(0, len(numbers), 20)]
                self.subsets.append(name)
                values = ", &\n      ".join(lines)
                self.declare.append(f"call op_decl_subset({self.handle(name)}, "
                                    f"{count}, [{values}], part_{name}, 'part')")

    def make_matrix(self):
        """Of a map, whose product with a dat the program looks at."""
        pick = self.random
        maps = [m for m in self.maps if self.sets[m.source] and m.arity in (2, 3)]
        if not maps or pick.random() < 0.6:
            return
        entry = pick.choice(maps)
        self.matrix = SimpleNamespace(map=entry)
        name, size = self.handle(entry.name), self.sets[entry.target]
        self.tables += [f"real(8) :: v_matrix({size}) = 3",
                        "type(op_sparsity) :: pairs", "type(op_dat) :: factor, times"]
        self.declare += [
            f"call op_decl_sparsity({name}, {name}, pairs, 'pairs')",
            "call op_decl_mat(pairs, 1, 1, 'real(8)', matrix, 'matrix')",
            *[f"call op_decl_dat({self.handle(entry.target)}, 1, 'r8', v_matrix, "
              f"{dat}, '{dat}')" for dat in ("factor", "times")]]

    def multiply(self):
        if not self.matrix:
            return []
        return ["call op_mat_mult(matrix, factor, times)",
                "call op_fetch_data(times, v_matrix)",
                "call show('times', v_matrix)"]

    def declare_map(self, entry):
        pick, size = self.random, self.sets[entry.target]
        count = self.sets[entry.source] * entry.arity
        reach = min(size, pick.choice([1, 3, size, size]))
        is_near = pick.random() < 0.4 and size
        numbers = [(min(size - 1, max(0, n * size // max(count, 1) +
                                      pick.randint(-2, 2))) if is_near else
                    pick.randrange(reach)) + self.base for n in range(count)] or [0]
        lines = [", ".join(map(str, numbers[n:n + 20]))
                 for n in range(0, len(numbers), 20)]
        shape = f"({entry.arity}, {self.sets[entry.source]})" \
            if count and pick.random() < 0.5 else f"({len(numbers)})"
        self.tables.append(f"integer(4) :: t_{entry.name}{shape}")
        values = ", &\n      ".join(lines)
        self.declare += [
            f"t_{entry.name} = reshape([{values}], shape(t_{entry.name}))",
            f"call op_decl_map({self.handle(entry.source)}, "
            f"{self.handle(entry.target)}, {entry.arity}, t_{entry.name}, "
            f"{self.handle(entry.name)}, '{entry.name}')"]

    def make_constants(self):
        """Variables of a module that kernels read."""
        pick = self.random
        for number in range(pick.randint(0, 3)):
            name, kind = f"c{number}", pick.choice(list(KINDS))
            a, b = pick.randint(1, 99), pick.randint(1, 99)
            text, value, change = pick.choice([
                (declare(kind, name, f" = {a}"), f"int({name}, 8)",
                 f"{name} = {name} + 3"),
                (declare(kind, name, f"(2) = [{a}, {b}]"),
                 f"int({name}(1 + iand(v, 1_8)), 8)", f"{name}(2) = {b} + 1"),
                (declare(kind, name, f"(0:3) = [{a}, 1, {b}, 5]", "parameter"),
                 f"int({name}(iand(v, 3_8)), 8)", ""),
                (declare(kind, name, f"(2, 2) = reshape([{a}, 1, {b}, 5], [2, 2])",
                         "save"),
                 f"int({name}(1 + iand(v, 1_8), 2), 8)", f"{name}(:, 2) = {a}")])
            self.constants.append(SimpleNamespace(text=text, value=value,
                                                  change=change))

    def make_helpers(self):
        pick = self.random
        for number in range(pick.randint(0, 2)):
            statements = Statements(pick, self, 100 + number)
            body = statements.make(pick.randint(1, 2))
            name, end = f"h{number}", "v = mod(v, 10007_8)"
            form = pick.choice(["subroutine", "function", "value"])
            if form == "subroutine":
                lines = [f"pure subroutine {name}(v)", "integer(8), intent(inout) :: v",
                         *statements.declared, *body, end, f"end subroutine {name}"]
                call = f"call {name}(v)"
            else:
                passed = "integer(8), intent(in) :: x" if form == "function" \
                    else "integer(8), value :: x"
                lines = [f"pure function {name}(x) result(v)", passed,
                         "integer(8) :: v", *statements.declared, "v = x", *body,
                         end, f"end function {name}"]
                call = f"v = {name}(v)"
            self.helpers.append(SimpleNamespace(lines=lines, call=call))

    # Statements

    def make_block(self, function, depth, weight=1):
        pick, nodes = self.random, []
        for _ in range(pick.randint(1, 4)):
            if self.loops_left <= 0:
                break
            kind = pick.random()
            if depth < 3 and kind < 0.35 and weight < 20:
                nodes.append(self.make_structure(function, depth, weight))
            elif function.form == "main" and kind < 0.5 and len(self.functions) < 4:
                nodes.append(self.make_call(weight))
            else:
                nodes += self.make_neighbours(function) \
                    if pick.random() < 0.4 else [self.make_loop(function)]
            if pick.random() < self.noise:
                nodes.append(Node(self, self.make_host(function)))
            if pick.random() < 0.1:
                nodes += self.make_arithmetic(function)
        return nodes

    def make_neighbours(self, function):
        first = self.make_loop(function)
        others = [] if isinstance(first.loop, LayerLoop) else [
            self.make_loop(function, first.loop)
            for _ in range(self.random.randint(1, 2))]
        index = self.new_name("i")
        function.declared.append(f"integer :: {index}")
        return [Node(self, [f"do {index} = 1, 3"], [first, *others], ["end do"])]

    def make_loop(self, function, near=None):
        self.loops_left -= 1
        kind = Loop
        if self.layers and not near and self.random.random() < 0.3:
            kind = LayerLoop
        loop = kind(self, function, self.new_name("k"), near)
        self.loops.append(loop)
        return Node(self, [], loop=loop)

    def make_call(self, weight):
        pick = self.random
        function = Function(self, pick.choice(["internal", "module", "module",
                                               "external"]))
        function.nodes = self.make_block(function, 1, weight)
        self.functions.append(function)
        call = f"call {function.name}{function.dummy()}"
        return Node(self, [call] * pick.choice([1, 1, 2]), calls=function)

    def make_structure(self, function, depth, weight):
        pick = self.random
        form = pick.choice(["time"] * 4 + ["if", "while", "block"])
        times = pick.choice([2, 3, 3, 8])
        kids = self.make_block(function, depth + 1,
                               weight * (times if form in ("time", "while") else 1))
        index = self.new_name("i")
        if form == "time":
            function.declared.append(f"integer :: {index}")
            if pick.random() < 0.3:
                leave = pick.choice(["exit", "cycle"])
                kids.insert(pick.randint(0, len(kids)), Node(
                    self, [f"if ({index} > 1 .and. {self.condition(function)}) "
                           f"{leave}"]))
            return Node(self, [f"do {index} = 1, {times}"], kids, ["end do"])
        if form == "while":
            function.declared.append(f"integer :: {index}")
            return Node(self, [f"{index} = 0", f"do while ({index} < {times})",
                               f"{index} = {index} + 1"], kids, ["end do"])
        if form == "block":
            return Node(self, ["block", f"integer(8) :: {index} = 3",
                               f"{index} = {index} + h", f"h = {index}"], kids,
                        ["end block"])
        return Node(self, [f"if ({self.condition(function)}) then"], kids,
                    ["end if"])

    def condition(self, function):
        pick = self.random
        known = [v for v in function.variables if v.dim == 1 and
                 v.form in ("plain", "save")]
        if known and pick.random() < 0.6:
            return f"any([{pick.choice(known).text}] > {pick.randint(0, 40)})"
        return f"mod(h, 3_8) == {pick.randint(0, 2)}"

    def make_host(self, function):
        pick = self.random
        changes = [c.change for c in self.constants if c.change]
        kinds = ["look", "show", "count"] + ["multiply"] * (
            bool(self.matrix) and function.form == "main") + ["change"] * bool(changes) + \
            ["set"] * bool(function.variables) + ["integers"] * (
                function.form in ("main", "internal"))
        kind = pick.choice(kinds)
        if kind == "look":
            return self.look(pick.choice(self.dats), "look")
        if kind == "multiply":
            return self.multiply()
        if kind == "change":
            return [pick.choice(changes)]
        if kind == "integers":
            name = pick.choice(self.main_integers) if self.main_integers else "h"
            return [f"{name} = {name} + 1"]
        if kind == "count" or not function.variables:
            return ["h = mod(h * 31 + 7, 10007_8)"]
        variable = pick.choice(function.variables)
        if kind == "show":
            return [function.show(variable)]
        return [f"{variable.text} = {pick.randint(0, 9)}"]

    def make_arithmetic(self, function):
        """What follows from results, for a later loop."""
        pick = self.random
        known = [v for v in function.variables if v.dim == 1 and
                 v.form in ("plain", "component")]
        if len(known) < 2:
            return []
        a, b = pick.sample(known, 2)
        form = pick.choice(["mod(int({0} + {1}, 8), 11_8)", "{0} + 1",
                            "merge(3, 4, {0} > {1})", "min(int({0}), int({1}))"])
        value = form.format(*(f"{v.text}(1)" if v.is_array else v.text
                              for v in (a, b)))
        return [Node(self, [f"{a.text} = {value}"])]

    def look(self, dat, word):
        count = max(self.sets[dat.set] * dat.dim, 1)
        return ["block", declare(dat.kind, "fetched", f"({count})"), "fetched = 0",
                f"call op_fetch_data({self.handle(dat.name)}, fetched)",
                f"call show('{word} {dat.name}', fetched)", "end block"]


class Writer:
    """The text of a program, without nodes of some numbers."""

    def __init__(self, program, dropped=()):
        self.program, self.dropped = program, set(dropped)
        self.used, self.loops, self.bodies = set(), [], {}
        self.bodies[program.main] = self.lines_of(program.main.nodes)
        for function in reversed(program.functions):
            if function in self.used:
                self.bodies[function] = self.lines_of(function.nodes)

    def lines_of(self, nodes):
        lines = []
        for node in nodes:
            if node.number in self.dropped:
                continue
            if node.calls:
                self.used.add(node.calls)
            if node.loop:
                self.loops.append(node.loop)
                lines += node.loop.call()
            lines += [f"! {node.number}"] * bool(node.head) + node.head
            lines += self.lines_of(node.kids) + node.tail
        return lines

    def kernels(self, *forms):
        return [line for loop in self.loops if loop.kernel.form in forms
                for line in loop.text]

    def uses(self, function):
        seed = self.program.seed
        return ["use op2_fortran_declarations", "use op2_fortran_reference",
                "use fuzz_support", f"use fuzz{seed}_mesh", "use fuzz_constants",
                *[f"use fuzz{seed}_kernels"], "implicit none"] \
            if function.form in ("main", "external") else []

    def procedure(self, function):
        """A subroutine with loops."""
        outside = sorted({loop.name for loop in self.loops
                          if loop.function is function
                          and loop.kernel.form == "external"})
        lines = [f"subroutine {function.name}{function.dummy()}",
                 *self.uses(function)]
        if self.program.form == "dummy":
            lines.append("type(mesh_type) :: mesh")
        lines += [*function.declared, "integer(8) :: h", "logical :: flag",
                  *[f"external :: {name}" for name in outside],
                  f"h = {len(function.name)}", "flag = .true.",
                  *getattr(function, "start", []), *self.bodies[function]]
        lines += [function.show(v) for v in function.variables]
        return lines + self.free(function) + [f"end subroutine {function.name}"]

    @staticmethod
    def free(function):
        return [f"deallocate({v.name})" for v in function.variables
                if v.form == "allocatable"]

    def procedures(self, form):
        return [line for f in self.program.functions
                if f in self.bodies and f.form == form for line in self.procedure(f)]

    def mesh_module(self):
        program = self.program
        lines = [f"module fuzz{program.seed}_mesh", "use op2_fortran_declarations",
                 "implicit none"]
        kinds = (("op_set", "s", "sets"), ("op_map", "m", "maps"),
                 ("op_dat", "d", "dats"))
        if program.form == "arrays":
            lines += [f"type({kind}) :: {array}({len(program.order[letter])})"
                      for kind, letter, array in kinds]
        else:
            handles = [f"type({kind}) :: {', '.join(program.order[letter])}"
                       for kind, letter, _ in kinds]
            if program.form == "module":
                lines += handles
            else:
                lines += ["type :: mesh_type", *handles, "end type mesh_type"]
            if program.form == "object":
                lines.append("type(mesh_type) :: mesh")
        lines += [f"type(op_subset) :: part_{name}" for name in program.subsets]
        lines += ["type(op_mat) :: matrix"] * bool(program.matrix)
        lines += ["type(op_layers) :: layers"] * bool(program.layers)
        return lines + [f"end module fuzz{program.seed}_mesh"]

    def kernel_module(self):
        seed = self.program.seed
        return ["module fuzz_constants", "implicit none",
                *[c.text for c in self.program.constants], "contains",
                *[line for h in self.program.helpers for line in h.lines],
                "end module fuzz_constants",
                f"module fuzz{seed}_kernels", "use fuzz_constants",
                "implicit none", "contains",
                *self.kernels("module"), f"end module fuzz{seed}_kernels"]

    def host_module(self):
        program = self.program
        name = f"fuzz{program.seed}_hosts"
        main = SimpleNamespace(form="main")
        return [f"module {name}", *self.uses(main), "contains",
                *self.procedures("module"), f"end module {name}"]

    def main_program(self):
        program, main = self.program, self.program.main
        uses = self.uses(main)
        uses.insert(-1, f"use fuzz{program.seed}_hosts")
        outside = sorted({loop.name for loop in self.loops
                          if loop.kernel.form == "external" and
                          loop.function.form == "main"})
        lines = ["program fuzz", *uses]
        if program.form == "dummy":
            lines.append("type(mesh_type) :: mesh")
        lines += [*program.tables, *main.declared, "integer(8) :: h = 5",
                  "logical :: flag = .true.",
                  f"integer(8) :: {', '.join(program.main_integers)}",
                  *[f"external :: {f.name}" for f in program.functions
                    if f.form == "external" and f in self.bodies
                    and program.form != "dummy"],
                  *[f"external :: {name}" for name in outside]]
        if program.form == "dummy":
            lines += [line for f in program.functions
                      if f.form == "external" and f in self.bodies
                      for line in ("interface", f"subroutine {f.name}(mesh)",
                                   "import :: mesh_type", "type(mesh_type) :: mesh",
                                   f"end subroutine {f.name}", "end interface")]
        lines += [f"{name} = {n + 3}" for n, name in enumerate(program.main_integers)]
        lines += [f"call op_init_base(0, {program.base})", *program.declare,
                  *getattr(main, "start", []), *self.bodies[main]]
        for dat in program.dats:
            lines += program.look(dat, "dat")
        lines += program.multiply()
        lines += [main.show(v) for v in main.variables]
        lines += ["call show('h', [h])", *self.free(main), "call op_exit()",
                  "contains", *self.procedures("internal"),
                  *self.kernels("internal"), "end program fuzz"]
        # What stands outside is a procedure of its own.
        return lines + self.procedures("external") + self.kernels("external")

    def texts(self):
        """A header without anything, and the texts of one file or two."""
        kernels = "\n".join(self.kernel_module()) + "\n"
        rest = "\n".join([*self.mesh_module(), *self.host_module(),
                          *self.main_program()]) + "\n"
        seed = f"fuzz{self.program.seed}_constants"
        texts = [kernels, rest] if self.program.has_two_files else [kernels + rest]
        return ["! nothing\n"] + [text.replace("fuzz_constants", seed)
                                  for text in texts]


def generate(seed, dropped=(), ranks=False, rounded=False):
    """The program, and the texts of its files."""
    program = Program(seed, ranks, rounded)
    return program, Writer(program, dropped)


if __name__ == "__main__":
    for text in generate(int(sys.argv[1]), map(int, sys.argv[2:]))[1].texts():
        print(text)
