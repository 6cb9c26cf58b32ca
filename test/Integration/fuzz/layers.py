"""Random extruded meshes: layers on the elements of a set, dats with levels, and
loops over layers, which are given whole rows, too.

Layers of a column may run in any order: what several of them change they add to,
or they write the same number.
"""

from types import SimpleNamespace

from kernels import Kernel
from loops import Loop

#: Levels that an argument of the highest layer may take.
ABOVE = 2


def make_layers(program):
    """Declares layers on one set or two, and dats that have levels."""
    pick, layers = program.layer_random, []
    if pick.random() < 0.65:
        return layers
    deepest = pick.choice([1, 2, 3, 5, 7, 8, 9])
    sets = set()
    for number in range(pick.randint(1, 2)):
        entry = pick.choice(program.maps)
        name = f"L{number}"
        layers.append(SimpleNamespace(name=name, set=entry.source))
        declare(program, name, entry.source, deepest)
        sets |= {entry.source, entry.target}
    for number, set_name in enumerate(sorted(sets)):
        for of_set in range(pick.randint(1, 3)):
            dim = pick.choice([1, 1, 2])
            dat = program.make_dat(f"v{number}d{of_set}", set_name, program.types,
                                   (deepest + ABOVE) * dim)
            dat.level_dim = dim
    program.deepest = deepest
    return layers


def declare(program, name, set_name, deepest):
    pick, size = program.layer_random, program.sets[set_name]
    if pick.random() < 0.4:
        first = pick.choice([0, 0, deepest - 1])
        program.declare.append(f"@{name} = op_decl_layers(@{set_name}, {first}, "
                               f'{deepest}, "{name}");')
        return
    ranges = [sorted(pick.randint(0, deepest) for _ in range(2))
              for _ in range(size)]
    table = ", ".join(f"{first}, {last}" for first, last in ranges) or "0"
    program.declare += [
        f"int t_{name}[] = {{{table}}};",
        f"@{name} = op_decl_layers_varying(@{set_name}, t_{name} + "
        f'blockBegin({size}) * 2, "{name}");']


class LayerLoop(Loop):
    def __init__(self, program, function, name, layers):
        super().__init__(program, function, name, layers.set)
        self.over = layers.name

    def make(self):
        pick = self.random
        # Nothing that LLVM would not vectorize along the layers.
        self.is_wide = pick.random() < 0.5
        # Rows that are side by side are always there.
        self.may_skip = pick.random() < 0.4
        dats = self.reachable(self.program.dats)
        # Those with levels first; what a column has for all its layers.
        dats.sort(key=lambda d: not d.level_dim)
        count = pick.randint(1, 3 if self.is_wide else 4)
        columns = [] if self.is_wide else \
            dats[count:][:pick.choice([0, 0, 1, 2])]
        for dat in dats[:count]:
            if dat.level_dim:
                self.add_levels(dat)
            elif not self.is_wide:
                self.add_column(dat)
        for dat in columns:
            self.add_column(dat)
        if self.is_wide:
            return
        if pick.random() < 0.3:
            self.add_index()
        for _ in range(pick.choice([0, 0, 1])):
            self.add_global()
        if pick.random() < 0.1:
            self.add_merge()

    def make_kernel(self):
        if not self.is_wide:
            return super().make_kernel()
        body = ["unsigned v = 1;", *self.reads, "v = (v ^ v >> 7) & 1023;",
                *self.writes]
        return Kernel(self.random, self.name, self.parameters, body,
                      SimpleNamespace(is_template=self.function.form == "template",
                                      is_simple=False, is_apart=False,
                                      is_near=False))

    def pick_slots(self, entry):
        """More often several of them, which may lead to one row."""
        if entry.arity > 1 and self.random.random() < 0.5:
            return -entry.arity, entry.arity
        return super().pick_slots(entry)

    def is_packed(self, dat, rows):
        return not self.may_skip and super().is_packed(dat, rows)

    def add_column(self, dat):
        """A whole row, which all layers are given."""
        can_be_direct = dat.set == self.set
        maps = [m for m in self.maps if m.target == dat.set]
        uses = ["read"] * 3
        if dat.type != "bool":
            uses += ["direct"] * can_be_direct + ["inc"] * bool(maps)
            uses += ["write", "least"] * (bool(maps) and not self.program.is_plain)
        use = self.random.choice(uses)
        self.dats.append(dat)
        if use == "read":
            self.add_read(dat, can_be_direct, maps)
        elif use == "direct":
            name = self.add(f"op_arg_dat(@{dat.name}, -1, OP_ID, {dat.dim_text()}, "
                            f'"{dat.type}", OP_INC)', dat.kind, dat.dim, False,
                            is_pointer=dat.is_dynamic)
            self.write(dat, name, [name], "{0} += PART({1}, (v + c) % 4);", False)
        else:
            self.change_through_map(dat, use, self.random.choice(maps))

    def add_levels(self, dat):
        pick = self.random
        maps = [m for m in self.maps if m.target == dat.set]
        is_direct = dat.set == self.set and (not maps or pick.random() < 0.5)
        slot, rows, map_name = -1, 0, "OP_ID"
        if not is_direct:
            entry = pick.choice(maps)
            slot, rows = self.pick_slots(entry)
            map_name = "@" + entry.name
        levels = pick.randint(1, ABOVE + 1)
        first = pick.randint(0, ABOVE + 1 - levels)
        use = pick.choice(["read"] * 3 + ["inc"] * 3 + ["write", "rw", "least"])
        access = {"read": "OP_READ", "inc": "OP_INC", "write": "OP_WRITE",
                  "rw": "OP_RW", "least": "OP_MIN"}[use]
        dim = levels * dat.level_dim
        is_packed = rows > 0 and pick.random() < 0.5
        self.is_shared = rows > 1 and use != "read"
        name = self.add(
            f"op_arg_dat_layers(@{dat.name}, {slot}, {map_name}, {first}, "
            f'{levels}, {dat.level_dim}, "{dat.type}", {access})', dat.kind, dim,
            use == "read", rows, is_packed=is_packed)
        self.is_shared = False
        self.dats.append(dat)
        place = self.parameters[-1].place

        def value(row, component):
            return place(row, component) if rows else f"{name}[{component}]"
        head = (f"for (int r = 0; r < {max(rows, 1)}; ++r) "
                f"for (int c = 0; c < {dim}; ++c) ")
        if use == "read":
            number = "(unsigned)(int)" if self.is_wide else "(long)"
            self.reads.append(f"{head}v += {number}{value('r', 'c')} * "
                              "(r + c + 2);")
            return
        self.changed.append(dat)
        # Who alone has what it changes.
        is_alone = is_direct and levels == 1
        forms = {
            "inc": self.inc_forms(),
            "write": ["{0} = ({1})(c % {2} + 2);"] +
                     ["{0} = ({1})((v + c) % 5);"] * 3 * is_alone,
            "rw": ["{0} = {0} + PART({1}, (v + 2 * c) % 3);"] +
                  ["{0} = ({1})(((long){0} * 3 + v + c) % 101);"] * 3 * is_alone,
            "least": ["if (({1})(v % 9) < {0}) {0} = ({1})(v % 9);"]}[use]
        change = pick.choice(forms).format(
            value("r", "c"), dat.kind, dat.level_dim,
            value(f"({max(rows, 1)} - 1 - r)", "c"))
        # Of two slots that lead to one row one alone may be changed.
        if use == "rw" and is_packed:
            change = f"if (r == {pick.randrange(rows)}) {{ {change} }}"
        elif use in ("inc", "least") and pick.random() < 0.2:
            change = f"if ((v + r) % 3) {{ {change} }}"
        self.writes.append(f"{head}{{ {change} }}")

    def inc_forms(self):
        """The kernel has zeros of its own, with which it does what it likes."""
        return ["{0} += PART({1}, (v + c) % 4);"] * 3 + [
            "{0} = PART({1}, (v + r + c) % 4);",
            "{0} += ({1})1; {0} = {0} + {0};",
            "{0} += ({1})(r + 1); if ({0} > ({1})1) {3} = ({1})(v % 3);"]
