"""Random parallel loops in Fortran.

All values are small integers and every loop keeps OP2's promises, so that results
are exact and the same in any order.
"""

from types import SimpleNamespace

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

    has_layers = False

    def __init__(self, program, function, name, near=None):
        self.program, self.function, self.name = program, function, name
        self.random = pick = program.random
        self.kernel = SimpleNamespace(form=pick.choice(function.kernel_forms))
        self.set = near.set if near else pick.choice(list(program.sets))
        self.over = program.handle(self.set)
        if self.has_layers:
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
                not self.has_layers and pick.random() < 0.5:
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
                not self.has_layers:
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
        self.program.may_keep_rows |= use == "write" and rows > 0
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

    has_layers = True

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
