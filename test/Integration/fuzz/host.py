"""What a program does between its loops: its functions, and statements that look
at values, change them, or do something else."""

import matrices
import pointers
from loops import Variable, spell


class Node:
    """A statement, or several with lines around; has a number, by which it can
    be left out."""

    def __init__(self, program, head, kids=(), tail=(), loop=None, calls=None):
        self.number = program.count_node()
        self.head, self.kids, self.tail = list(head), list(kids), list(tail)
        self.loop, self.calls = loop, calls


class Function:
    """A function of the program, with the variables of its own."""

    FORMS = ["static"] * 2 + ["inline", "template", "member", "extern",
                              "noinline", "virtual", "other", "other"]

    def __init__(self, program, form, file=0, is_recursive=False):
        self.program, self.form = program, form
        self.name = program.new_name("run")
        self.file = 1 if form == "other" and program.has_two_files else file
        self.is_inline = form in ("inline", "template")
        self.is_recursive = is_recursive
        self.may_throw = False
        self.variables, self.saved, self.first = [], [], []
        self.nodes, self.exit = [], None

    def make_variable(self, type_name, dim):
        program, pick = self.program, self.program.random
        places = ["local"] * 4 + ["static", "member", "heap", "smart"]
        if not self.is_inline:
            # Variables of a file belong to one of both.
            places += ["file"] * 3 + ["class"]
        if dim == 1:
            places.append("reference")
        place = pick.choice(places)
        values = [pick.randint(0, 9) for _ in range(dim)]
        variable = Variable(program.new_name("g"), type_name,
                            spell(pick, type_name), dim, place, values)
        variable.file = self.file
        if variable.is_known:
            program.variables.append(variable)
        else:
            self.variables.append(variable)
        return variable

    def save(self, declaration):
        """A pointer that the function has from its beginning."""
        name = self.program.new_name("p")
        self.saved.append(declaration.format(name))
        return name

    # Text

    def parameters(self):
        given = self.program.handles.parameter
        return ", ".join(filter(None, [given, "int depth"]))

    def head(self):
        mark = {"static": "static ", "inline": "inline ",
                "template": "template <int N> ", "noinline":
                "__attribute__((noinline)) static ",
                "member": "static ", "virtual": "virtual "}.get(self.form, "")
        override = " const" if self.form == "virtual" else ""
        return (f"{mark}unsigned long {self.name}({self.parameters()}){override}")

    def body(self, lines):
        start = [f"unsigned long h = {len(self.name)};", "(void)depth;",
                 *[v.declaration() for v in self.variables], *self.saved,
                 *self.first]
        return "\n".join("  " + line for line in start + lines + ["return h;"])

    def text(self, lines):
        if self.form == "lambda":
            return (f"  std::function<unsigned long(int)> {self.name} = "
                    f"[&](int depth) -> unsigned long {{\n{self.body(lines)}\n"
                    "  };\n")
        whole = f"{self.head()} {{\n{self.body(lines)}\n}}\n"
        if self.form in ("member", "virtual"):
            end = f"}} o_{self.name};" if self.form == "virtual" else "};"
            start = f"struct In_{self.name} {{"
            if self.form == "virtual":
                start += f" virtual ~In_{self.name}() {{}}"
            return f"{start}\n{whole}{end}\n"
        return whole

    def call(self, depth, caller=None):
        if caller is self and self.form in ("virtual", "member"):
            given = self.program.handles.argument
            return f"{self.name}({', '.join(filter(None, [given, depth]))})"
        before = {"template": f"{self.name}<2>", "member":
                  f"In_{self.name}::{self.name}", "virtual":
                  f"o_{self.name}.{self.name}"}.get(self.form, self.name)
        given = self.program.handles.argument if self.form != "lambda" else ""
        return f"{before}({', '.join(filter(None, [given, depth]))})"


class HostStatements:
    """Statements between loops, for one function. Each gives lines; all fold
    what they see into h."""

    def __init__(self, program, function):
        self.program, self.function = program, function
        self.random = program.random

    def make(self):
        program = self.program
        if program.matrices and program.matrix_random.random() < 0.4:
            return matrices.make_statement(program)
        if program.pointers and program.pointer_random.random() < 0.4:
            return pointers.make_statement(program)
        kinds = [self.read_variable] * 4 + [
            self.fetch, self.change_constant, self.set_variable, self.sort,
            self.compute, self.allocate, self.function_object, self.query]
        if self.program.is_raw:
            kinds += [self.read_raw] * 7 + [self.write_raw] * 2 + [
                self.thread, self.swap, self.exchange_time]
        for _ in range(20):
            lines = self.random.choice(kinds)()
            if lines:
                return lines
        return ["h += 1;"]

    def choose_subset(self):
        """Loops have another part of a set from now on, which loops have chosen
        before."""
        program, pick = self.program, self.program.subset_random
        set_name = pick.choice(list(program.subsets))
        flags = [d for d in program.dats if d.set == set_name and d.dim == 1
                 and d.type not in ("double", "float")]
        is_const = program.handles.form == "const" and \
            self.function is not program.main
        if not flags or is_const:
            return []
        name = program.subsets[set_name]
        return [f"@{name} = op_decl_subset_where(@{set_name}, "
                f'@{pick.choice(flags).name}, "{name}");']

    def condition(self):
        """Something that the program knows only when it runs."""
        variables = self.known_variables()
        if variables and self.random.random() < 0.4:
            variable = self.random.choice(variables)
            value = variable.value(self.random.randrange(variable.dim))
            return f"long({value}) % 3 != {self.random.randint(0, 2)}"
        look = self.look() if self.program.is_raw else None
        if look and self.random.random() < 0.4:
            return f"{look} % 3 != {self.random.randint(0, 2)}"
        return f"h % {self.random.randint(2, 4)} != {self.random.randint(0, 1)}"

    def add(self, value):
        return [f"h = h * 31 + {value};"]

    # Variables

    def known_variables(self):
        return self.function.variables + [
            v for v in self.program.variables if v.file == self.function.file]

    def pick_variable(self):
        variables = self.known_variables()
        return self.random.choice(variables) if variables else None

    def read_variable(self):
        variable = self.pick_variable()
        if not variable:
            return None
        c = self.random.randrange(variable.dim)
        value = variable.value(c)
        kind, pick = variable.kind, self.random
        form = pick.randrange(8)
        if form == 0 and variable.place not in ("heap", "smart"):
            saved = self.function.save(f"{kind} *{{}} = {variable.pointer()};")
            return self.add(f"word({saved}[{c}])")
        if form == 1:
            return self.add(f"peek<{kind}>((char const *)({variable.pointer()} "
                            f"+ {c}))")
        if form == 2:
            return [f"if (long({value}) % 2) h += {pick.randint(1, 9)};"]
        if form == 3:
            return self.add(f"[&] {{ return word({value}); }}()")
        if form == 4:
            name = self.program.new_name("r")
            return [f"{{ {kind} const &{name} = {value}; h ^= word({name}); }}"]
        if form == 5:
            return self.add(f"sumOf({variable.pointer()}, {variable.dim})")
        if form == 6:
            return [f'op_printf("{variable.name} %lu\\n", word({value}));']
        return self.add(f"word({value})")

    def set_variable(self):
        variable = self.pick_variable()
        if not variable:
            return None
        if self.random.random() < 0.5:
            return [f"{variable.value(c)} = {self.random.randint(0, 9)};"
                    for c in range(variable.dim)]
        c = self.random.randrange(variable.dim)
        return [f"{variable.value(c)} += {self.random.randint(1, 9)};"]

    def change_constant(self):
        changes = self.program.constant_changes
        return [self.random.choice(changes)] if changes else None

    # Dats by the interface

    def fetch(self):
        dat = self.random.choice(self.program.dats)
        if dat.own and not self.program.is_raw:
            return self.add(dat.own.check())
        form = self.random.randrange(3)
        if form == 0 and dat.size > 0 and dat.kind != "bool":
            first = self.random.randrange(dat.size)
            last = self.random.randrange(first, dat.size)
            name = self.program.new_name("t")
            return ["{", f"std::vector<{dat.kind}> {name}"
                    f"({(last - first + 1) * dat.dim});",
                    f"op_fetch_data_idx(@{dat.name}, {name}.data(), {first}, "
                    f"{last});", f"h = h * 31 + sumOf({name}.data(), "
                    f"{name}.size());", "}"]
        if form == 1 and dat.count > 0 and self.program.is_raw:
            return self.add(f"word((({dat.kind} *)op_get_data_ptr(@{dat.name}))"
                            f"[{self.random.randrange(dat.count)}])")
        return self.add(f"fetch<{dat.kind}>(@{dat.name})")

    # Dats by their storage

    def look(self):
        """An expression for a value of a dat; None if all are empty."""
        dats = [d for d in self.program.dats if d.count > 0]
        if not dats:
            return None
        pick, dat = self.random, self.random.choice(dats)
        k, kind, data = pick.randrange(dat.count), dat.kind, f"@{dat.name}->data"
        row = f"Row<{kind}, {dat.dim}>"
        e, c = divmod(k, dat.dim)
        saved = self.function.save
        forms = [
            lambda: f"word((({kind} *){data})[{k}])",
            lambda: f"word(reinterpret_cast<{kind} const volatile *>({data})[{k}])",
            lambda: f"peek<{kind}>({data} + {k} * sizeof({kind}))",
            lambda: f"peekBytes({data} + {k} * sizeof({kind}), sizeof({kind}))",
            lambda: f"word(reinterpret_cast<{row} *>({data})[{e}][{c}])",
            lambda: f"sumOf(reinterpret_cast<{kind} *>({data}), {dat.count})",
            lambda: f"lookElsewhere<{kind}>(@{dat.name}, {k})"
            if not self.program.has_two_files or kind != "double"
            else f"lookInOtherFile(@{dat.name}, {k})",
            lambda: f"word([&] {{ return (({kind} *){data})[{k}]; }}())"]
        if not self.program.swaps:
            forms += [
                lambda: "word({}[{}])".format(
                    saved(f"{kind} const *{{}} = ({kind} *){data};"), k),
                lambda: "peekBytes({} + {}, sizeof({}))".format(
                    saved(f"char *{{}} = {data};"), f"{k} * sizeof({kind})",
                    kind),
                lambda: "word((*{})[{}])".format(
                    saved(f"{row} const *{{}} = ({row} *){data} + {e};"), c)]
        if dat.own:
            forms += [lambda: f"word({dat.own.value(k)})"] * 5 + [
                lambda: f"peekBytes({dat.own.bytes(k)}, sizeof({kind}))"]
        return f"(RAW_READ(@{dat.name}), {pick.choice(forms)()})"

    def read_raw(self):
        look = self.look()
        if not look:
            return None
        form = self.random.randrange(5)
        if form == 0:
            return [f"if ({look} % 2) h ^= {self.random.randint(1, 99)};"]
        if form == 1:
            return [f"for (int n = 0; n < 3; ++n) h = h * 7 + {look};"]
        return self.add(look)

    def write_raw(self):
        dats = [d for d in self.program.dats if d.count > 0]
        if not dats:
            return None
        pick, dat = self.random, self.random.choice(dats)
        k, kind, data = pick.randrange(dat.count), dat.kind, f"@{dat.name}->data"
        value = f"({kind}){pick.randint(0, 9)}"
        name = self.program.new_name("x")
        forms = [
            [f"(({kind} *){data})[{k}] = {value};"],
            [f"*({kind} volatile *)({data} + {k} * sizeof({kind})) = {value};"],
            ["{", f"{kind} {name} = {value};", f"std::memcpy({data} + {k} * "
             f"sizeof({kind}), &{name}, sizeof {name});", "}"],
            [f"std::memset({data}, 0, {dat.count} * sizeof({kind}));"],
            [f"std::fill(({kind} *){data}, ({kind} *){data} + {dat.count}, "
             f"{value});"],
            [f"for (int n = 0; n < {dat.count}; ++n) (({kind} *){data})[n] = "
             f"({kind})((h + n) % 7);"]]
        if dat.own:
            forms += [[f"{dat.own.value(k)} = {value};"]] * 2
        return [f"RAW_READ(@{dat.name});", *pick.choice(forms),
                f"RAW_WRITTEN(@{dat.name});"]

    def swap(self):
        """Dats may exchange their storage."""
        if not self.program.swaps:
            return None
        pairs = [(a, b) for a in self.program.dats for b in self.program.dats
                 if a is not b and (a.set, a.dim, a.kind) == (b.set, b.dim, b.kind)]
        if not pairs:
            return None
        a, b = self.random.choice(pairs)
        return [f"RAW_READ(@{a.name});", f"RAW_READ(@{b.name});",
                f"std::swap(@{a.name}->data, @{b.name}->data);",
                f"RAW_WRITTEN(@{a.name});", f"RAW_WRITTEN(@{b.name});"]

    def thread(self):
        look = self.look()
        if not look:
            return None
        name = self.program.new_name("t")
        return ["{", f"unsigned long x_{name} = 0;",
                f"std::thread {name}([&] {{ x_{name} = {look}; }});",
                f"{name}.join();", f"h = h * 31 + x_{name};", "}"]

    def exchange_time(self):
        """A copy now, looked at later."""
        look = self.look()
        if not look:
            return None
        name = self.program.new_name("late")
        self.function.first.append(f"unsigned long {name} = 0;")
        return [f"h += {name};", f"{name} = {look};"]

    # Anything else

    def sort(self):
        values = ", ".join(str(self.random.randint(0, 99)) for _ in range(3))
        sign = self.random.choice("<>")
        return self.add(f"sorted({{{values}}}, +[](int a, int b) "
                        f"{{ return a {sign} b; }})")

    def compute(self):
        name = self.program.new_name("i")
        return [f"for (unsigned long {name} = 0; {name} < h % 9; ++{name}) "
                f"h = h * 3 + {name};"]

    def allocate(self):
        name = self.program.new_name("w")
        return ["{", f"std::vector<double> {name}(h % 50 + 1, 2.0);",
                f"h += word(std::accumulate({name}.begin(), {name}.end(), 0.0));",
                "}"]

    def function_object(self):
        variable = self.pick_variable()
        name = self.program.new_name("f")
        value = variable.value(0) if variable else "h"
        return ["{", f"std::function<unsigned long()> {name} = [&] "
                f"{{ return word({value}); }};", f"h = h * 31 + {name}();", "}"]

    def query(self):
        name = self.random.choice(list(self.program.sets))
        return self.random.choice([
            [f"h += (unsigned long)op_get_size(@{name});"],
            ["{ double cpu, wall; op_timers(&cpu, &wall); }"],
            ['op_printf("%s %d\\n", "between", op_is_root());'],
            ['op_profile_next("phase");'],
            ["op_upload_all();"],
            [f"h += (unsigned long)sizeOf(@{name}->size, @{name});"]])
