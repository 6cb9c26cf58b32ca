"""Random statements of kernels and of the functions that they call."""


class Statements:
    """Random statements on a number `v`: long, of either sign afterwards.

    `constants` are expressions of the program's variables, which may use v.
    """

    def __init__(self, pick, helpers, constants, is_plain, is_host_only=False):
        self.random, self.helpers, self.constants = pick, helpers, constants
        self.is_plain, self.is_host_only = is_plain, is_host_only
        self.count = 0

    def make(self, number, depth=0):
        kinds = [self.condition, self.loop, self.while_loop, self.switch,
                 self.standard, self.short_circuit]
        if not self.is_plain:
            kinds += [self.array, self.steps, self.table, self.lambda_call,
                      self.check]
        if self.is_host_only:
            kinds += [self.container, self.exception, self.pointer_call,
                      self.throw]
        if self.helpers:
            kinds += [self.call] * 2
        if self.constants:
            kinds += [self.constant] * 2
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

    def steps(self, depth):
        """A long array, and a loop over it that ends where v says, or earlier."""
        t, i = self.name("t"), self.name("i")
        n, m = self.random.randint(9, 12), self.random.randint(2, 5)
        bound = self.random.choice([f"{n} - 1", f"int((v & 1023) % {n})"])
        return [f"long {t}[{n}] = {{v % 7, 1, v % 3}}; int {i} = 0;",
                f"for (; {i} < {bound}; ++{i}) {{ {t}[{i} + 1] += {t}[{i}] % 100 + v % 9; "
                f"if ({t}[{i} + 1] % {m} == {self.random.randint(0, 1)}) break; "
                f"{self.inner(depth)} v %= 10007; }}",
                f"v += {t}[{i}] + {i} * {m};"]

    def table(self, depth):
        m = self.name("m")
        return [f"int {m}[2][3] = {{{{1, 2, {self.random.randint(0, 5)}}}, "
                f"{{4, 5, 6}}}};",
                f"{m}[v & 1][(v & 1023) % 3] += {self.random.randint(1, 4)};",
                f"v += {m}[1][(v & 511) % 3] + {m}[0][1];"]

    def lambda_call(self, depth):
        f, n = self.name("f"), self.random.randint(1, 9)
        return self.random.choice([
            [f"auto {f} = [](long x) {{ return x % 11 + {n}; }};",
             f"v += {f}(v);"],
            [f"auto {f} = [&v](long x) {{ v += x % {n + 1}; }};", f"{f}(v);"],
            [f"v += [v] {{ return v % {n + 1}; }}();"]])

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

    def check(self, depth):
        return ["assert(v < 1000000000000000L);"]

    # What only the host can do

    def container(self, depth):
        w = self.name("w")
        return [f"std::vector<long> {w}{{v % 5, {self.random.randint(0, 6)}, v}};",
                f"std::sort({w}.begin(), {w}.end(), "
                f"[](long x, long y) {{ return x > y; }});",
                f"v += {w}[1] % 17;"]

    def exception(self, depth):
        return [f"try {{ if (v % {self.random.randint(2, 5)} == 0) throw v; "
                f"v += 2; }} catch (long x) {{ v = x / 2 + 1; }}"]

    def throw(self, depth):
        return ["if (v > 1000000000000000L) throw v;"]

    def pointer_call(self, depth):
        f = self.name("p")
        return [f"long (*volatile {f})(long) = [](long x) {{ return x % 7; }};",
                f"v += {f}(v);"]

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"
