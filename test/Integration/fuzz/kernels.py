"""How programs spell kernels and their parameters."""


class Parameter:
    """A kernel's parameter, which its body uses as NAME[c] or, if it has several
    rows, as `place` says."""

    def __init__(self, pick, kind, name, dim, is_const, rows=0, is_pointer=False,
                 is_shared=False, is_packed=False):
        """is_pointer: nothing but a pointer; it may be null, or has a dim that
        is known at run time. is_shared: another one may lead to the same row,
        which the kernel changes."""
        self.kind, self.name, self.dim = kind, name, dim
        self.const = "const " if is_const else ""
        self.rows, self.first = rows, ""
        self.is_packed = is_packed
        spellings = ["plain"] * 4 + ["bracket"]
        if not is_shared:
            spellings += ["restrict"] * 2
        if not is_pointer and kind != "bool":
            spellings += ["array", "Row", "std"]
            spellings += {2: ["Pair"] * 2, 3: ["Triple"] * 2}.get(dim, [])
            if dim == 2 and kind in ("double", "float") and not rows:
                spellings.append("complex")
        self.spelling = pick.choice(spellings)
        self.spell()

    def place(self, row, component):
        """An expression for a value of one of several rows."""
        if self.is_packed and not self.row:
            return f"{self.name}[{row} * {self.dim} + {component}]"
        return f"{self.name}[{row}][{component}]"

    def spell(self):
        kind, name, stars = self.const + self.kind, self.name, "*"
        if self.rows and not self.is_packed:
            stars = "**"
        self.declared = {
            "restrict": f"{kind} {stars}__restrict {name}",
            "bracket": f"{kind} {stars[1:]}{name}[]"}.get(
                self.spelling, f"{kind} {stars}{name}")
        self.type = f"{kind} {stars}"
        row = {"Row": f"Row<{self.kind}, {self.dim}>",
               "std": f"std::array<{self.kind}, {self.dim}>",
               "Pair": f"Pair<{self.kind}>", "Triple": f"Triple<{self.kind}>",
               "complex": f"std::complex<{self.kind}>"}.get(self.spelling)
        if self.spelling == "array":
            self.declared = f"{kind} ({stars}{name}_p)[{self.dim}]"
            self.type = f"{kind} ({stars})[{self.dim}]"
            row = f"{self.kind}[{self.dim}]"
        elif row:
            self.declared = f"{self.const}{row} {stars}{name}_p"
            self.type = f"{self.const}{row} {stars}"
        self.row = row
        if row and self.is_packed:
            # Rows side by side need no other name.
            self.declared = self.declared.replace(f"{name}_p", name)
        elif row:
            self.make_name(row)

    def make_name(self, row):
        """NAME for the struct or array that NAME_p points to."""
        name = self.name
        if self.rows and self.spelling == "array":
            self.first = (f"Rows<{self.const}{self.kind}[{self.dim}]> "
                          f"{name}{{{name}_p}};")
        elif self.rows:
            self.first = f"Rows<{self.const}{row}> {name}{{{name}_p}};"
        elif self.spelling == "complex":
            self.first = (f"auto &{name} = reinterpret_cast<{self.const}"
                          f"{self.kind} (&)[2]>(*{name}_p);")
        else:
            self.first = f"auto &{name} = *{name}_p;"


#: Forms whose kernel is a lambda; `inline` where Clang gives it a name of its
#: own.
LAMBDAS = ["plus", "cast", "local", "scope"]
FORMS = ["static"] * 2 + [
    "inline", "extern", "namespace", "anonymous", "noinline", "always",
    "constexpr", "value", "type", "deduced", "specialized", "inner", "member",
    "class", "nested", "pointer", "static pointer", "table", "overloaded", "C",
    "address", "variadic"]


class Kernel:
    """text: what stands at the file's scope; before: what stands before the
    call; expression: the kernel in the call."""

    def __init__(self, pick, name, parameters, body, options):
        """options: is_template (the call is in a template), is_simple (a body for
        constexpr), is_apart (nothing stands before the call), is_near (the next
        loop may come before this one runs)."""
        self.random, self.name = pick, name
        self.parameters, self.options = parameters, options
        self.text, self.before, self.expression = "", [], name
        first = [p.first for p in parameters if p.first]
        self.lines = first + body
        self.form = pick.choice(self.possible_forms())
        self.suffix = " noexcept" if pick.random() < 0.15 else ""
        getattr(self, "spell_" + self.form.replace(" ", "_"))()

    def possible_forms(self):
        if self.options.is_apart:
            return ["static", "inline", "C"]
        forms = list(FORMS) + LAMBDAS * 2
        if self.options.is_near:
            # No lambda that ends before the next loop.
            forms = list(FORMS) + ["scope"]
        if not self.options.is_simple:
            forms.remove("constexpr")
        if self.options.is_template:
            forms.remove("nested")
        return forms

    # Parts

    def list(self, kind=None):
        """The parameters; `kind` is called T."""
        texts = [p.declared for p in self.parameters]
        if kind:
            texts = [p.declared.replace(kind, "T", 1) if p.kind == kind
                     else p.declared for p in self.parameters]
        return ", ".join(texts)

    def type(self):
        return f"void (*)({', '.join(p.type for p in self.parameters)})"

    def pointer(self, name):
        types = ", ".join(p.type for p in self.parameters)
        return f"void (*{name})({types}){self.suffix}"

    def body(self):
        return "{\n" + "".join(f"  {line}\n" for line in self.lines) + "}"

    def define(self, head, kind=None, name=None):
        return (f"{head} void {name or self.name}({self.list(kind)})"
                f"{self.suffix} {self.body()}\n")

    def some_kind(self):
        """A type that can be called T where all parameters are."""
        plain = [p.kind for p in self.parameters
                 if p.spelling in ("plain", "restrict", "bracket")]
        return self.random.choice(plain) if plain else None

    # Functions

    def spell_static(self):
        self.text = self.define("static")

    def spell_inline(self):
        self.text = self.define("inline")

    def spell_extern(self):
        self.text = f"void {self.name}({self.list()}){self.suffix};\n" + \
            self.define("")

    def spell_namespace(self):
        self.text = f"namespace in_{self.name} {{\n{self.define('inline')}}}\n"
        self.expression = f"in_{self.name}::{self.name}"
        if self.random.random() < 0.3:
            self.text += f"using {self.expression};\n"
            self.expression = self.name

    def spell_anonymous(self):
        self.text = f"namespace {{\n{self.define('')}}}\n"

    def spell_noinline(self):
        self.text = self.define("__attribute__((noinline)) static")

    def spell_always(self):
        self.text = self.define("[[gnu::always_inline]] inline")

    def spell_constexpr(self):
        # No constant expression may have a reinterpret_cast.
        if any("reinterpret_cast" in line for line in self.lines):
            self.form = "inline"
        self.text = self.define(self.form)

    def spell_C(self):
        self.text = f'extern "C" {{\n{self.define("static")}}}\n'

    def spell_address(self):
        self.spell_static()
        self.expression = self.random.choice(["&{0}", "*{0}", "({0})",
                                              "(&({0}))"]).format(self.name)

    def spell_overloaded(self):
        self.text = f"static inline void {self.name}(struct Nothing *) {{}}\n" + \
            self.define("static")
        self.expression = f"static_cast<{self.type()}>({self.name})"

    # Templates

    def spell_value(self):
        self.text = self.define("template <int N> static")
        self.expression = f"{self.name}<{self.random.randint(0, 3)}>"

    def spell_type(self):
        kind = self.some_kind()
        self.text = self.define("template <class T, int N = 2> " +
                                self.random.choice(["static", "inline", ""]),
                                kind)
        self.expression = f"{self.name}<{kind or 'int'}>"

    def spell_deduced(self):
        kind = self.some_kind()
        if not kind:
            self.spell_static()
            return
        self.text = self.define("template <class T> inline", kind)
        self.expression = self.random.choice(
            [f"static_cast<{self.type()}>({self.name})",
             f"({self.type()}){self.name}"])

    def spell_specialized(self):
        types = ", ".join(p.type for p in self.parameters)
        self.text = (f"template <int N> void {self.name}({types}) {{}}\n" +
                     self.define("template <> inline", name=self.name + "<4>"))
        self.suffix = ""
        self.expression = f"{self.name}<4>"
        if "noexcept" in self.text:
            self.text = self.text.replace(" noexcept", "")

    def spell_inner(self):
        kind = self.some_kind()
        self.text = (f"namespace a_{self.name} {{ inline namespace b {{\n" +
                     self.define("template <int N, class T> inline", kind) +
                     "} }\n")
        self.expression = f"a_{self.name}::{self.name}<1, {kind or 'int'}>"
        if self.random.random() < 0.4:
            arguments = f"1, {kind or 'int'}"
            types = ", ".join(p.type for p in self.parameters)
            self.text += (f"template void a_{self.name}::{self.name}"
                          f"<{arguments}>({types}){self.suffix};\n")

    def spell_variadic(self):
        """A template that passes what it gets to the function."""
        self.text = self.define("static inline", name=f"{self.name}_f") + (
            f"template <class... T> static void {self.name}(T *... rows) "
            f"{{ {self.name}_f(rows...); }}\n")
        self.expression = f"static_cast<{self.type()}>({self.name})"

    # Members

    def spell_member(self):
        head = self.random.choice(["struct {} {{", "class {} {{ public:"])
        self.text = head.format(f"In_{self.name}") + "\n" + \
            self.define("static") + "};\n"
        self.expression = self.random.choice(["", "&"]) + \
            f"In_{self.name}::{self.name}"

    def spell_class(self):
        kind = self.some_kind()
        self.text = f"template <class T, int N> struct In_{self.name} {{\n" + \
            self.define("static", kind) + "};\n"
        self.expression = f"In_{self.name}<{kind or 'int'}, 3>::{self.name}"

    def spell_nested(self):
        self.before = (f"struct In_{self.name} {{\n" + self.define("static") +
                       "};").splitlines()
        self.expression = f"In_{self.name}::{self.name}"

    # Pointers

    def spell_pointer(self):
        self.text = self.define("static", name=f"{self.name}_f")
        self.before = [f"constexpr {self.pointer(self.name)} = {self.name}_f;"]

    def spell_static_pointer(self):
        self.text = self.define("static", name=f"{self.name}_f") + \
            f"static constexpr auto {self.name} = &{self.name}_f;\n"

    def spell_table(self):
        self.text = self.define("static", name=f"{self.name}_f") + \
            f"static constexpr decltype(&{self.name}_f) {self.name}[] = " \
            f"{{nullptr, {self.name}_f}};\n"
        self.expression = f"{self.name}[1]"

    # Lambdas

    def lambda_text(self):
        # Mutable or not, with a pair of parentheses or without.
        return f"[]({self.list()}){self.suffix} {self.body()}"

    def spell_plus(self):
        self.expression = "+" + self.lambda_text()

    def spell_cast(self):
        self.suffix = ""
        self.expression = f"static_cast<{self.type()}>({self.lambda_text()})"

    def spell_local(self):
        text = f"constexpr auto {self.name} = {self.lambda_text()};"
        self.before = text.splitlines()
        self.expression = "+" + self.name

    def spell_scope(self):
        keyword = self.random.choice(["static constexpr", "inline constexpr",
                                      "const"])
        self.text = f"{keyword} auto {self.name} = {self.lambda_text()};\n"
        self.expression = "+" + self.name
