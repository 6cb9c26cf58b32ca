"""Random sparse matrices: how programs declare them, the arguments of loops, and
what is done with them between loops.

Values are small integers, so that sums are exact: a loop increments a matrix, or
writes one number everywhere, or changes one entry of each tensor.
"""

from kernels import Parameter


class Matrix:
    def __init__(self, name, pairs, rowdim, coldim, kind):
        self.name, self.pairs, self.kind = name, pairs, kind
        self.rowdim, self.coldim = rowdim, coldim
        self.has_vectors = kind == "double"  # floats do not hold products

    @property
    def target(self):
        """The sets of rows and columns."""
        return self.pairs[0][0].target, self.pairs[0][1].target

    @property
    def has_diagonal(self):
        """Rows and columns are the same unknowns, and elements meet themselves."""
        return self.rowdim == self.coldim and all(
            rows is cols for rows, cols in self.pairs)

    def pairs_of(self, set_name):
        return [p for p in self.pairs if p[0].source == set_name]

    def sparsity(self):
        rows, cols = zip(*self.pairs)
        if len(self.pairs) == 1:
            return (f"op_decl_sparsity(@{rows[0].name}, @{cols[0].name}, "
                    f'"of_{self.name}")')
        return (f"[&] {{ op_map r[] = {{{', '.join('@' + m.name for m in rows)}"
                f"}}, c[] = {{{', '.join('@' + m.name for m in cols)}}}; return "
                f"op_decl_sparsity_union({len(rows)}, r, c, "
                f'"of_{self.name}"); }}()')

    def declarations(self, sets):
        name, (rows, cols) = self.name, self.target
        lines = [f"@{name} = op_decl_mat({self.sparsity()}, {self.rowdim}, "
                 f'{self.coldim}, "{self.kind}", "{name}");']
        for dat, (set_name, dim, kind) in self.vectors().items():
            count = sets[set_name] * dim
            # The program's, if the library does not copy it.
            lines += [f"static {kind} of_{dat}[{count + 1}]; start(of_{dat}, "
                      f"{count}, 5);",
                      f'@{dat} = op_decl_dat(@{set_name}, {dim}, "{kind}", '
                      f'of_{dat} + blockBegin({sets[set_name]}) * {dim}, '
                      f'"{dat}");']
        return lines

    def vectors(self):
        """The sets, dims and types of dats that are used with it."""
        name, (rows, cols) = self.name, self.target
        vectors = {name + "f": (rows, self.rowdim, "int")}
        if self.has_vectors:
            vectors[name + "x"] = (cols, self.coldim, "double")
            vectors[name + "y"] = (rows, self.rowdim, "double")
        return vectors


def make_matrices(program):
    pick, matrices = program.matrix_random, []
    if pick.random() < 0.6:
        return matrices
    for number in range(pick.randint(1, 2)):
        rows = pick.choice(program.maps)
        cols = pick.choice([m for m in program.maps if m.source == rows.source])
        pairs = [(rows, cols)]
        # Of other maps with the same targets.
        others = [(r, c) for r in program.maps for c in program.maps
                  if r.source == c.source and r.target == rows.target
                  and c.target == cols.target and (r, c) != (rows, cols)]
        if others and pick.random() < 0.5:
            pairs.append(pick.choice(others))
        matrices.append(Matrix(f"A{number}", pairs, pick.randint(1, 3),
                               pick.randint(1, 3),
                               pick.choice(["double", "double", "float"])))
    return matrices


class Spelling:
    """How kernels may take tensors."""

    def __init__(self, pick):
        self.pick = pick

    def choice(self, _):
        return self.pick.choice(["plain", "bracket", "restrict", "array"])


def pick_slots(pick, entry):
    """The index argument, and how many slots it stands for."""
    if pick.random() < 0.7:
        count = pick.randint(1, entry.arity)
        return -count, count
    return pick.randrange(entry.arity), 1


def add_argument(loop, matrix):
    """Gives a loop an argument of the matrix, and its kernel what to do."""
    pick = loop.program.matrix_random
    rows, cols = pick.choice(matrix.pairs_of(loop.set))
    rowidx, numrows = pick_slots(pick, rows)
    colidx, numcols = pick_slots(pick, cols)
    if rowidx > -2 and colidx > -2:
        return  # one block: not a tensor
    numrows, numcols = numrows * matrix.rowdim, numcols * matrix.coldim
    access = pick.choice(["OP_INC"] * 3 + ["OP_READ", "OP_READ", "OP_WRITE",
                                           "OP_RW"])
    name = f"a{len(loop.parameters)}"
    parameter = Parameter(Spelling(pick), matrix.kind, name, numcols,
                          access == "OP_READ", numrows, is_packed=True)
    loop.parameters.append(parameter)
    loop.program.may_keep_rows |= access == "OP_WRITE"
    loop.arguments.append(
        f"op_arg_mat(@{matrix.name}, {rowidx}, @{rows.name}, {colidx}, "
        f"@{cols.name}, {matrix.rowdim}, {matrix.coldim}, \"{matrix.kind}\", "
        f"{access})")
    place = parameter.place("r", "c")
    head = (f"for (int r = 0; r < {numrows}; ++r) for (int c = 0; c < {numcols};"
            f" ++c) ")
    if access == "OP_READ":
        loop.reads.append(f"{head}v += (long){place} * (r + 2);")
        return
    kind, other = matrix.kind, parameter.place(f"({numrows} - 1 - r)", "c")
    value = {
        "OP_INC": pick.choice([
            f"{place} += PART({kind}, (v + r + c) % 4);",
            f"{place} = PART({kind}, (v + c) % 3);",
            f"if (v % 2) {place} += ({kind})(r + 1);",
            f"{place} += ({kind})1; {place} += {place};",
            f"{place} += ({kind})(r + 1); if ({place} > ({kind})1) {other} = "
            f"({kind})(v % 3);"]),
        "OP_WRITE": pick.choice([f"{place} = ({kind})3;",
                                 f"if ((v + r) % 3) {place} = ({kind})5;"]),
        # Of two places that are one entry one alone may be changed.
        "OP_RW": f"if (r == {pick.randrange(numrows)} && "
                 f"c == {pick.randrange(numcols)}) {place} += ({kind})(v % 3);"}
    loop.writes.append(head + "{ " + value[access] + " }")


def add_to(loop):
    """Gives a loop some of the program's matrices."""
    pick = loop.program.matrix_random
    for matrix in loop.program.matrices:
        if matrix.pairs_of(loop.set) and pick.random() < 0.6:
            add_argument(loop, matrix)


def make_statement(program):
    """What a program does with a matrix between loops; folds it into h."""
    pick = program.matrix_random
    matrix = pick.choice(program.matrices)
    name = matrix.name
    exact = pick.choice(["", f"<{matrix.kind}, {matrix.coldim}>"])
    look = [f"h = h * 31 + fetchMatrix<{matrix.kind}>(@{name});"]
    multiply = [f"op_mat_mult{exact}(@{name}, @{name}x, @{name}y);",
                f"h = h * 31 + fetch<double>(@{name}y);"]
    if program.may_declare_blocks:
        look = multiply if matrix.has_vectors else []
    choices = [look, [f"op_mat_zero{exact}(@{name});"],
               [f"op_mat_zero_rows{exact}(@{name}, @{name}f, 1.0);", *look]]
    if not matrix.has_diagonal:
        choices.pop()
    if matrix.has_vectors:
        choices += [multiply] * 2
    return pick.choice(choices)


def show(program, matrix):
    """Where a rank may have a part of the values, products and loops look."""
    name = matrix.name
    if not program.may_declare_blocks:
        return (f'op_printf("mat {name} %lu\\n", '
                f"fetchMatrix<{matrix.kind}>(@{name}));")
    if not matrix.has_vectors:
        return ""
    return (f"op_mat_mult(@{name}, @{name}x, @{name}y); "
            f'show<double>("product", @{name}y);')
