"""Writes a random OP2 program: sets, maps, dats, loops, and what a C++ program
does between and around them, that a seed decides.

generate.py SEED [NUMBER]... prints a program without the statements of these
numbers.

Kernels read their arguments into a number v, do something random with it (what
C++ has for that: Statements), and write what follows from it. Programs are legal
C++, and keep OP2's promises.
"""

import random
import sys
from types import SimpleNamespace

import layers
import matrices
import pointers
from host import Function, HostStatements, Node
from loops import FLOATS, TYPES, Dat, Loop, spell
from neighbours import Neighbours
from statements import Statements
from writer import Writer


class OwnArray:
    """A program's array behind a dat (OP_NO_REALLOC)."""

    def __init__(self, pick, dat):
        self.dat, self.name = dat, f"own_{dat.name}"
        self.form = pick.choice(["array", "array", "shifted", "rows", "cells",
                                 "heap"] + ["vector"] * (dat.kind != "bool"))

    @property
    def is_array(self):
        """Whose values a device can have without following a pointer."""
        return self.form not in ("heap", "vector")

    def declaration(self):
        dat, name = self.dat, self.name
        kind, count = dat.kind, max(dat.count, 1)
        row = f"<{kind}, {dat.dim}> {name}[{max(dat.size, 1)}]"
        return {"array": f"{kind} {name}[{count}];",
                "shifted": f"{kind} {name}[{count + 1}];",
                "rows": f"Row{row};", "cells": f"Cell{row};",
                "heap": f"{kind} *{name} = new {kind}[{count}];",
                "vector": f"std::vector<{kind}> {name}({count});"}[self.form]

    def extern(self):
        text = self.declaration().split(" = ")[0].rstrip(";")
        if self.form == "vector":
            text = text[:text.rindex("(")]
        return f"extern {text};"

    def value(self, k):
        e, c = divmod(k, self.dat.dim)
        return {"rows": f"{self.name}[{e}][{c}]",
                "cells": f"{self.name}[{e}].v[{c}]",
                "shifted": f"{self.name}[{k + 1}]"}.get(self.form,
                                                        f"{self.name}[{k}]")

    def bytes(self, k):
        e, c = divmod(k, self.dat.dim)
        if self.form == "cells":
            return f"({self.name}[{e}].bytes + {c} * sizeof({self.dat.kind}))"
        return f"((char const *)&{self.value(k)})"

    def pointer(self):
        return f"&{self.value(0)}"

    def check(self):
        """An expression."""
        return (f"checkOwn<{self.dat.kind}>(@{self.dat.name}, ({self.dat.kind} *)"
                f"{self.pointer()}, {self.factor})")


class Handles:
    """Where the program has its sets, maps and dats."""

    def __init__(self, form):
        self.form = form
        self.prefix, self.parameter, self.argument = {
            "global": ("", "", ""), "local": ("", "", ""),
            "object": ("mesh.", "", ""),
            "reference": ("mesh.", "Mesh &mesh", "mesh"),
            "const": ("mesh.", "Mesh const &mesh", "mesh"),
            "pointer": ("mesh->", "Mesh *mesh", "mesh")}[form]
        self.is_struct = form not in ("global", "local")


class Program:
    def __init__(self, seed, ranks=False, rounded=False):
        self.random = random.Random(seed)
        pick = self.random
        # Nothing that keeps loops from waiting for each other.
        self.is_plain = pick.random() < 0.5
        self.is_raw = pick.random() < 0.7
        self.has_own = self.is_raw and pick.random() < 0.5
        self.swaps = self.is_raw and not self.has_own and pick.random() < 0.15
        self.has_two_files = pick.random() < 0.3
        self.has_host_kernels = pick.random() < 0.25
        # With what may wait where one file calls the other.
        self.file_random = random.Random(f"{seed} files")
        self.crosses = self.has_two_files and self.file_random.random() < 0.6
        if self.crosses:
            self.is_plain, self.has_host_kernels = True, False
        self.types = FLOATS if self.crosses else TYPES
        # On ranks, where storage that programs look at has no chains.
        self.chain_random = random.Random(f"{seed} chain")
        self.has_chain = ranks and self.chain_random.random() < 0.6
        self.is_chain = False
        if self.has_chain:
            self.is_raw = self.has_own = self.swaps = False
        elif ranks and not self.is_raw:
            # Arrays that only checkOwn looks at.
            self.has_own = random.Random(f"{seed} owned").random() < 0.8
        self.noise = pick.choice([0.05, 0.2, 0.5])
        forms = ["global", "object", "reference", "const", "pointer"]
        self.handles = Handles(pick.choice(
            forms if self.has_two_files else forms + ["local"] * 2))
        # Of their own, so that numbers stay those of the same programs.
        self.subset_random = random.Random(f"{seed} subsets")
        self.packed_random = random.Random(f"{seed} packed")
        #: Packed rows are read to find out which of them change, while other
        #: elements may store there.
        self.may_keep_rows = False
        self.merge_random = random.Random(f"{seed} merges")
        self.pair_random = random.Random(f"{seed} pairs")
        self.matrix_random = random.Random(f"{seed} matrices")
        self.pointer_random = random.Random(f"{seed} pointers")
        self.layer_random = random.Random(f"{seed} layers")
        self.on_ranks = ranks
        # Renumbered, or on ranks, elements do not keep their order.
        self.merges_commute = not self.is_raw or ranks
        self.subsets = {}
        self.sets, self.maps, self.dats, self.variables = {}, [], [], []
        self.declare = []
        self.helpers, self.helper_calls = [], []
        self.constants, self.constant_changes = [], []
        self.nodes, self.names = 0, 0
        self.functions, self.loops = [], []
        self.make_mesh()
        self.matrices = matrices.make_matrices(self)
        for matrix in self.matrices:
            self.declare += matrix.declarations(self.sets)
        self.layers = [] if rounded and ranks else layers.make_layers(self)
        self.pointers = pointers.make_pointers(self)
        self.make_constants()
        self.make_helpers()
        self.loops_left = pick.randint(3, 8)
        self.main = Function(self, "main")
        self.main.nodes = self.make_block(self.main, 0, 1, True)
        while self.loops_left > 0:
            self.main.nodes += self.make_block(self.main, 0, 1, True)
        self.end = pick.choice(["op_exit();"] * 4 + ["", "std::exit(0);"])
        if self.has_chain:
            self.main.nodes.insert(
                self.chain_random.randint(0, len(self.main.nodes)),
                self.make_chain())

    def count_node(self):
        self.nodes += 1
        return self.nodes

    def new_name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    @property
    def may_declare_blocks(self):
        """Whether each rank may declare a block of the sets: nothing looks at
        what the rank has of them."""
        return self.on_ranks and not self.is_raw

    # What kernels use

    def make_constants(self):
        pick = self.random
        for number in range(pick.randint(0, 3)):
            name = f"c{number}"
            kind = pick.choice(["int", "double", "long", "float", "unsigned"])
            storage = pick.choice(["static", "inline"])
            a, b = pick.randint(1, 99), pick.randint(1, 99)
            text, value, change, address = pick.choice([
                (f"{storage} {kind} {name} = {a};", f"(long){name}",
                 f"{name} += 3;", f"&{name}"),
                (f"{storage} {kind} {name}[2] = {{{a}, {b}}};",
                 f"(long){name}[v & 1]", f"{name}[1] += 2;", name),
                (f"struct Of_{name} {{ static inline {kind} value = {a}; }};",
                 f"(long)Of_{name}::value", f"Of_{name}::value += 5;",
                 f"&Of_{name}::value"),
                (f"namespace of_{name} {{ {storage} struct {{ {kind} a, b; }} "
                 f"all = {{{a}, {b}}}; }}" if storage == "static" else
                 f"namespace of_{name} {{ inline {kind} all = {a}; }}",
                 f"(long)of_{name}::all" + ".b" * (storage == "static"),
                 f"of_{name}::all" + ".b" * (storage == "static") + " += 7;",
                 ""),
                (f"static constexpr {kind} {name}[4] = {{{a}, 1, {b}, 5}};",
                 f"(long){name}[v & 3]", "", "")] + self.has_host_kernels * [
                # What a pointer leads to, which devices do not have.
                (f"static {kind} of_{name}[6] = {{{a}, 1, {b}, 5, 3, {a}}}; "
                 f"{storage} {kind} *{name} = of_{name} + 2;",
                 f"(long){name}[v % 3]",
                 f"of_{name}[2] += 3; {name} = of_{name} + 3;", ""),
                (f"static {kind} of_{name}[2][3] = {{{{{a}, 1, {b}}}, "
                 f"{{5, 3, {a}}}}}; {storage} {kind} *{name}[2] = "
                 f"{{of_{name}[0] + 1, of_{name}[1] + 1}};",
                 f"(long){name}[v & 1][v % 2]",
                 f"{name}[0] = of_{name}[1] + 1;", "")])
            self.constants.append((text, value))
            if change:
                self.constant_changes.append(change)
            if address and kind != "unsigned" and pick.random() < 0.5:
                dim = 2 if "[2]" in text else 1
                type_name = "ll" if kind == "long" else kind
                self.declare.append(f'op_decl_const({dim}, "{type_name}", '
                                    f"{address});")

    def constant_values(self):
        return [value for _, value in self.constants]

    def make_helpers(self):
        """Functions that call one another."""
        pick = self.random
        for number in range(pick.randint(0, 3)):
            lines = Statements(pick, self.helper_calls[:], self.constant_values(),
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
                                f"  v %= 100003;\n  {leave}\n}}\n")
            self.helper_calls.append(call.format(number))

    # Meshes

    def make_mesh(self):
        pick = self.random
        for number in range(pick.randint(2, 4)):
            self.sets[f"s{number}"] = pick.choice(
                [0, 1, 2, 13, 33, 64, 90, 150, 257])
        self.sets["s1"] = max(self.sets["s1"], 5)
        for name, size in self.sets.items():
            self.declare.append(
                f'@{name} = op_decl_set(blockSize({size}), "{name}");')
        for number in range(pick.randint(2, 4)):
            self.make_map(f"m{number}")
        for name in self.sets:
            for number in range(pick.randint(2, 3)):
                self.make_dat(f"{name}d{number}", name)
        for name, size in self.sets.items():
            if self.subset_random.random() < 0.5:
                self.make_subset(f"{name}part", name, size)

    def make_map(self, name):
        pick = self.random
        source = pick.choice(list(self.sets))
        targets = [s for s, size in self.sets.items()
                   if size > 0 or self.sets[source] == 0]
        target = pick.choice(targets)
        size, arity = self.sets[target], pick.randint(1, 4)
        form = pick.randrange(4)
        count = self.sets[source] * arity
        if form == 0 and size:  # as in a mesh with good numbers
            values = [min(size - 1, max(0, n * size // max(count, 1) +
                                        pick.randint(-3, 3)))
                      for n in range(count)]
        else:  # few targets of high valence, or all of them
            reach = max(1, [1, 1, 3, size][form])
            values = [pick.randrange(min(reach, size)) if size else 0
                      for _ in range(count)]
        other = self.subset_random
        if count and size and other.random() < 0.35:  # row after row
            arity, count = 1, self.sets[source]
            reach = min(size, max(1, count // other.randint(1, 5)))
            values = sorted(other.randrange(reach) for _ in range(count))
        table = ", ".join(map(str, values)) or "0"
        self.declare += [f"int t_{name}[] = {{{table}}};",
                         f'@{name} = op_decl_map(@{source}, @{target}, {arity}, '
                         f't_{name} + blockBegin({self.sets[source]}) * {arity}, '
                         f'"{name}");']
        self.maps.append(SimpleNamespace(name=name, source=source,
                                         target=target, arity=arity))

    def make_subset(self, name, set_name, size):
        """Loops over the set may run over this part of it instead."""
        pick = self.subset_random
        count = pick.choice([0, 1, size // 3, size, size]) if size else 0
        elements = [pick.randrange(size) for _ in range(count)]
        table = ", ".join(map(str, elements)) or "0"
        self.declare += [f"int t_{name}[] = {{{table}}};",
                         f"int n_{name} = keepBlock(t_{name}, {count}, {size});",
                         f'@{name} = op_decl_subset(@{set_name}, n_{name}, '
                         f't_{name}, "{name}");']
        self.subsets[set_name] = name

    def make_dat(self, name, set_name, types=None, dim=None):
        pick = self.random
        if not types:
            is_bool = pick.random() < 0.04 and not self.crosses
            types = ["bool"] if is_bool else self.types
        type_name = pick.choice(types)
        dat = Dat(name, set_name, self.sets[set_name],
                  dim or pick.choice([1, 1, 2, 3, 4, 5]), type_name,
                  spell(pick, type_name),
                  pick.random() < 0.15 and not self.is_plain and
                  not self.has_chain)
        factor = pick.randint(1, 9)
        if self.has_own:
            dat.own = OwnArray(pick, dat)
            pointer = f"({dat.kind} *){dat.own.pointer()}"
            dat.own.factor = factor
            begin = f" + blockBegin({dat.size}) * {dat.dim}" \
                if self.may_declare_blocks else ""
            self.declare += [
                f"start({pointer}, {dat.count}, {factor});",
                f"@{name} = op_decl_dat(@{set_name}, {dat.dim_text()}, "
                f'"{dat.type}", {pointer}{begin}, "{name}");']
        else:
            self.declare.append(
                f"@{name} = makeDat<{dat.kind}>(@{set_name}, {dat.dim_text()}, "
                f'"{dat.type}", "{name}", {factor});')
        self.dats.append(dat)
        return dat

    # Statements

    def make_block(self, function, depth, weight, can_throw):
        """Loops, what is between them, blocks, calls."""
        pick, nodes = self.random, []
        host = HostStatements(self, function)
        common = pick.choice(list(self.sets)) if pick.random() < 0.3 else None
        for _ in range(pick.randint(1, 4)):
            if self.loops_left <= 0:
                break
            kind = pick.random()
            if depth < 3 and kind < 0.3 and weight <= 20:
                nodes.append(self.make_structure(function, host, depth, weight,
                                                 can_throw))
            elif depth < 3 and kind < 0.5 and len(self.functions) < 5:
                nodes.append(self.make_call(function, host, weight))
            else:
                nodes += self.make_neighbours(function) \
                    if self.pair_random.random() < 0.7 else \
                    [self.make_loop(function, common)]
            if self.layers and self.layer_random.random() < 0.4:
                nodes.append(self.make_layer_loop(function))
            if self.subsets and self.subset_random.random() < 0.2:
                nodes.append(Node(self, host.choose_subset()))
            if pick.random() < self.noise:
                nodes.append(Node(self, host.make()))
        if can_throw and function.may_throw and pick.random() < 0.3:
            nodes.append(Node(self, [f"if ({host.condition()}) throw 4;"]))
        return nodes

    def make_chain(self):
        """A time loop of loops that nothing keeps from waiting for each other;
        now and then somebody looks."""
        pick, index = self.chain_random, self.new_name("i")
        saved = self.random, self.is_plain, self.has_host_kernels
        self.random, self.is_plain, self.has_host_kernels = pick, True, False
        self.is_chain = True
        kids = [self.make_loop(self.main, None)
                for _ in range(pick.randint(2, 6))]
        self.is_chain = False
        if pick.random() < 0.5:
            look = pick.choice([f'show<{dat.kind}>("chain", @{dat.name});'
                                for dat in self.dats] +
                               ['if (op_is_root()) std::printf("root\\n");'])
            kids.append(Node(self, [f"if ({index} % {pick.randint(1, 4)} == 1) "
                                    f"{{ {look} }}"]))
        self.random, self.is_plain, self.has_host_kernels = saved
        return Node(self, [f"for (int {index} = 0; {index} < "
                           f"{pick.randint(4, 12)}; ++{index}) {{"], kids, ["}"])

    def make_loop(self, function, set_name, near=None):
        self.loops_left -= 1
        loop = Loop(self, function, self.new_name("k"), set_name, near)
        self.loops.append(loop)
        if near:
            near.add(loop)
        return Node(self, [], loop=loop)

    def make_layer_loop(self, function):
        saved, self.random = self.random, self.layer_random
        loop = layers.LayerLoop(self, function, self.new_name("k"),
                                self.random.choice(self.layers))
        self.random = saved
        self.loops.append(loop)
        return Node(self, [], loop=loop)

    def make_neighbours(self, function):
        """Loops that share data with each other: one behind the other, around
        and in time loops, in functions."""
        pick = self.pair_random
        saved = self.random, self.is_plain, self.has_host_kernels
        self.random, self.is_plain, self.has_host_kernels = pick, True, False
        near = Neighbours(self)
        self.is_plain = not near.is_free("plain")
        are_apart = pick.random() < 0.15
        nodes = []
        for _ in range(pick.choice([2, 2, 2, 3])):
            nodes.append(self.make_function_of(function, near) if are_apart else
                         self.make_loop(function, near.set, near))
            if pick.random() < 0.1:
                nodes.append(Node(self, HostStatements(self, function).make()))
        self.random, self.is_plain, self.has_host_kernels = saved
        if pick.random() < 0.2:
            first, last = pick.choice([(1, len(nodes)), (0, len(nodes) - 1)])
            nodes[first:last] = [self.repeat(nodes[first:last])]
        # Loops may wait when they come again.
        return nodes if pick.random() < 0.05 else [self.repeat(nodes)]

    def repeat(self, nodes):
        index = self.new_name("i")
        return Node(self, [f"for (int {index} = 0; {index} < 3; ++{index}) {{"],
                    nodes, ["}"])

    def make_function_of(self, function, near):
        """The call of a function with a loop."""
        callee = Function(self, *self.pick_form(function.file))
        callee.nodes = [self.make_loop(callee, near.set, near)]
        self.functions.append(callee)
        return Node(self, [f"h = h * 31 + {callee.call('0')};"], calls=callee)

    def pick_form(self, file):
        """Of a function that one of a file calls, and the file that it is in."""
        if self.crosses and self.file_random.random() < 0.7:
            return "extern", 1 - file
        form = "lambda" if self.handles.form == "local" else \
            self.random.choice(Function.FORMS)
        return ("static" if form == "other" and not self.has_two_files
                else form), file

    def make_call(self, function, host, weight):
        pick = self.random
        form, file = self.pick_form(function.file)
        callee = Function(self, form, file,
                          weight <= 3 and pick.random() < 0.15)
        callee.may_throw = pick.random() < 0.15
        inner = weight * (3 if callee.is_recursive else 1)
        callee.nodes = self.make_block(callee, 1, inner, True)
        if callee.is_recursive:
            call = f"if (depth > 0) h += {callee.call('depth - 1', callee)};"
            callee.nodes.insert(pick.randint(0, len(callee.nodes)),
                                Node(self, [call]))
        self.functions.append(callee)
        call = f"h = h * 31 + {callee.call('2' if callee.is_recursive else '0')};"
        again = pick.random() < 0.3
        if callee.may_throw:
            call = f"try {{ {call} }} catch (int e) {{ h ^= unsigned(e); }}"
        lines = [call] * (2 if again else 1)
        return Node(self, lines, calls=callee)

    def make_structure(self, function, host, depth, weight, can_throw):
        if self.pointers and self.pointer_random.random() < 0.3:
            return pointers.make_scope(Node, self, self.make_block(
                function, depth + 1, weight, can_throw))
        name = self.random.choice(["time"] * 4 + ["repeat", "choose", "switch",
                                                  "caught", "skip", "back"])

        def block(times=1, throws=can_throw):
            return self.make_block(function, depth + 1, weight * times, throws)
        return getattr(self, "make_" + name)(function, host, block)

    def make_time(self, function, host, block):
        times = self.random.choice([2, 3, 3, 10])
        index = self.new_name("i")
        kids = block(times)
        if self.random.random() < 0.3:
            leave = self.random.choice(["break", "continue"])
            kids.insert(self.random.randint(0, len(kids)), Node(
                self, [f"if ({index} > 0 && {host.condition()}) {leave};"]))
        return Node(self, [f"for (int {index} = 0; {index} < {times}; "
                           f"++{index}) {{"], kids, ["}"])

    def make_repeat(self, function, host, block):
        count, kids = self.new_name("n"), block(3)
        until = f"{count}++ < 3 && ({host.condition()})"
        if self.random.random() < 0.5:
            return Node(self, ["{", f"int {count} = 0;", f"while ({until}) {{"],
                        kids, ["}", "}"])
        return Node(self, ["{", f"int {count} = 1;", "do {"], kids,
                    [f"}} while ({until});", "}"])

    def make_choose(self, function, host, block):
        kids = block()
        other = Node(self, ["} else {"], block()) \
            if self.random.random() < 0.5 else None
        return Node(self, [f"if ({host.condition()}) {{"],
                    kids + [other] * bool(other), ["}"])

    def make_switch(self, function, host, block):
        cases = [Node(self, [f"case {n}: {{"], block(),
                      ["} break;"] if self.random.random() < 0.6 else
                      ["} [[fallthrough]];"]) for n in range(2)]
        return Node(self, ["switch (h % 3) {"], cases,
                    ["default: h += 2;", "}"])

    def make_caught(self, function, host, block):
        kids = block(1, False)
        value = self.random.choice(["7", "std::runtime_error(\"x\")"])
        kids.append(Node(self, [f"if ({host.condition()}) throw {value};"]))
        kids += block(1, False)
        caught = "int e" if value == "7" else "std::exception const &"
        use = " h += unsigned(e);" if value == "7" else ""
        return Node(self, ["try {"], kids,
                    [f"}} catch ({caught}) {{{use} }}"])

    def make_skip(self, function, host, block):
        label = self.new_name("L")
        return Node(self, ["{", f"if ({host.condition()}) goto {label};", "{"],
                    block(), ["}", f"{label}:;", "}"])

    def make_back(self, function, host, block):
        label, count = self.new_name("L"), self.new_name("n")
        return Node(self, ["{", f"int {count} = 0;", f"{label}: {{"], block(3),
                    ["}", f"if (++{count} < 3 && ({host.condition()})) goto "
                     f"{label};", "}"])


def generate(seed, dropped=(), ranks=False, rounded=False):
    """The program, and the texts of its files."""
    program = Program(seed, ranks, rounded)
    return program, Writer(program, dropped)


if __name__ == "__main__":
    for text in generate(int(sys.argv[1]), map(int, sys.argv[2:]))[1].texts():
        print(text)
