"""Writes a random OP2 program in Fortran, as generate.py does in C++.

fortran.py SEED [NUMBER]... prints a program without the statements of these
numbers.

Kernels read their arguments into a number v, do something random with it, and
write what follows from it.
"""

import random
import sys
from types import SimpleNamespace

import writer
from fortran_loops import KINDS, LayerLoop, Loop, Statements, declare
from host import Node


class Function:
    """The main program, or a subroutine that it calls."""

    def __init__(self, program, form):
        self.program, self.form = program, form
        self.name = program.new_name("run")
        self.kernel_forms = ["module"] * 3 + ["external"]
        if form in ("main", "internal"):
            self.kernel_forms += ["internal"] * 2
        self.declared, self.variables, self.nodes = [], [], []
        self.start = []  # what gives variables their values
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
        self.start += start
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
    has_own = is_raw = may_declare_blocks = may_keep_rows = False
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
        others = [] if first.loop.has_layers else [
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


class Writer(writer.Writer):
    comment, step = "!", ""

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
                  *function.start, *self.bodies[function]]
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
                  *main.start, *self.bodies[main]]
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
