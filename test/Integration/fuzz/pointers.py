"""Tables behind pointers of the program, which kernels follow.

A pointer leads into an array of its own, of which one value is the result of
loops, to the storage of one dat, or to a table in a scope that ends. A kernel
does not follow it where its loop changes what may be there.
"""

SIZE, RESULT = 8, 5
KINDS = {"double": "double", "int": "int", "long": "ll", "float": "float"}


class TablePointer:
    def __init__(self, pick, number, dats):
        self.name, self.array = f"q{number}", f"of_q{number}"
        self.kind = pick.choice(list(KINDS))
        dats = [d for d in dats if d.kind == self.kind and d.count >= 3]
        self.dat = pick.choice(dats) if dats and pick.random() < 0.7 else None
        self.values = self.make_values(pick)

    @staticmethod
    def make_values(pick):
        return ", ".join(str(pick.randint(0, 9)) for _ in range(SIZE))

    def declaration(self):
        return (f"static {self.kind} {self.array}[{SIZE}] = {{{self.values}}};\n"
                f"static {self.kind} *{self.name} = {self.array};\n"
                f"namespace {{ struct Restore_{self.name} {{ "
                f"~Restore_{self.name}() {{ {self.name} = {self.array}; }} "
                "}; }")


def make_pointers(program):
    """No pointers if devices are to have all kernels."""
    pick = program.pointer_random
    if not program.has_host_kernels or pick.random() < 0.2:
        return []
    dats = program.dats if program.is_raw and not program.swaps and \
        not program.on_ranks else []
    return [TablePointer(pick, n, dats) for n in range(pick.randint(1, 2))]


def add_to(loop):
    """A result in the array."""
    program = loop.program
    pick = program.pointer_random
    if not program.pointers or pick.random() < 0.7:
        return
    pointer = pick.choice(program.pointers)
    saved, loop.random = loop.random, pick
    name = loop.add(f'op_arg_gbl({pointer.array} + {RESULT}, 1, '
                    f'"{KINDS[pointer.kind]}", OP_INC)', pointer.kind, 1, False)
    loop.random = saved
    loop.writes.append(f"{name}[0] += ({pointer.kind})(v % 5);")
    loop.results.append(pointer)


def steps(loop):
    """What the kernel reads."""
    pick = loop.program.pointer_random
    return [f"v += (long){q.name}[(v % 3 + 3) % 3] % 13;"
            for q in loop.program.pointers
            if q not in loop.results and q.dat not in loop.changed
            and pick.random() < 0.6]


def make_statement(program):
    """Changes a pointer or its array, or looks."""
    pick = program.pointer_random
    pointer = pick.choice(program.pointers)
    name, array, dat = pointer.name, pointer.array, pointer.dat
    forms = [f"{name} = {array} + {pick.randint(0, 3)};",
             f"{array}[{pick.randint(0, 4)}] += {pick.randint(1, 9)};",
             f"{array}[{RESULT}] = {pick.randint(0, 9)};",
             f"h = h * 31 + word({array}[{RESULT}]);"]
    if dat:
        offset = pick.randint(0, dat.count - 3)
        forms += [f"{name} = ({dat.kind} *)@{dat.name}->data + {offset};"] * 3
    return [pick.choice(forms)]


def make_scope(node, program, kids):
    """A table that ends before the pointer leads elsewhere."""
    pick = program.pointer_random
    pointer = pick.choice(program.pointers)
    local = program.new_name("t")
    return node(program, [
        "{", f"Restore_{pointer.name} restore; (void)restore;", "{",
        f"{pointer.kind} {local}[{SIZE}] = {{{pointer.make_values(pick)}}};",
        f"{pointer.name} = {local};"], kids, ["}", "}"])
