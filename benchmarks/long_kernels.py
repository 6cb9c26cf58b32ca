#!/usr/bin/env python3
# long_kernels.py - A program of long kernels, to compile.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a C++ file with 50 loops and 60 kernels of 100 to 400 lines each, of the
# forms that generators of high-order codes write: one statement for each
# product, small matrices in loops, faces chosen by a number, limiters. It is
# for benchmarks/compile_time.py --source; nobody runs it.

import argparse
import random


def statements(pick, inputs, outputs, count):
    """`count` lines that compute the outputs from the inputs."""
    lines, known = [], [f"{name}[{i}]" for name, size in inputs
                        for i in range(size)]
    for number in range(count):
        a, b, c = (pick.choice(known) for _ in range(3))
        form = pick.random()
        if form < 0.6:
            value = f"{a} * {b} + {c}"
        elif form < 0.75:
            value = f"{pick.uniform(0.1, 2):.6f} * ({a} - {b}) * {c}"
        elif form < 0.85:
            value = f"{a} / (1.0 + {b} * {b})"
        elif form < 0.93:
            value = f"std::sqrt({a} * {a} + 0.5) - {b}"
        else:
            value = f"{a} > {b} ? {c} : {a}"
        lines.append(f"  const double t{number} = {value};")
        known.append(f"t{number}")
    last = known[-24:]
    for name, size, operator in outputs:
        for i in range(size):
            lines.append(f"  {name}[{i}] {operator} {pick.choice(last)};")
    return lines


def operator_kernel(name, pick, order):
    """A matrix of the element applied to three fields, then products."""
    n = (order + 1) * (order + 2) // 2
    lines = [f"static void {name}(const int *p, const double *u, "
             "const double *v, double *r) {",
             f"  const double *m = &matrices[(*p - 1) * {n * n}];",
             f"  double w[{n}];",
             f"  for (int i = 0; i < {n}; ++i) {{", "    w[i] = 0;",
             f"    for (int j = 0; j < {n}; ++j)",
             f"      w[i] += m[i * {n} + j] * u[j];", "  }"]
    lines += statements(pick, [("w", n), ("v", n)], [("r", n, "+=")],
                        pick.randint(90, 250))
    return lines + ["}"], n


def flux_kernel(name, pick, faces):
    """Two sides of a face, chosen by a number."""
    n = 4
    lines = [f"static void {name}(const int *face, const double *a, "
             "const double *b, double *ra, double *rb) {"]
    for f in range(faces):
        lines.append(f"  {'else ' if f else ''}if (*face == {f}) {{")
        lines += ["  " + line for line in
                  statements(pick, [("a", n), ("b", n)],
                             [("ra", n, "+="), ("rb", n, "-=")],
                             pick.randint(90, 130))]
        lines.append("  }")
    return lines + ["}"], n


def program(seed):
    pick = random.Random(seed)
    lines = ['#include "op_seq.h"', "#include <cmath>",
             "extern double *matrices;"]
    loops = []
    for number in range(60):
        name = f"kernel{number}"
        if number % 3 < 2:
            text, n = operator_kernel(name, pick, 1 + number % 4)
            loop = [f'  op_par_loop({name}, "{name}", cells,',
                    '              op_arg_gbl(&order, 1, "int", OP_READ),',
                    f'              op_arg_dat(u{n}, -1, OP_ID, {n}, "double", '
                    'OP_READ),',
                    f'              op_arg_dat(v{n}, -1, OP_ID, {n}, "double", '
                    'OP_READ),',
                    f'              op_arg_dat(r{n}, -1, OP_ID, {n}, "double", '
                    'OP_RW));']
        else:
            text, n = flux_kernel(name, pick, 1 + number // 3 % 3)
            sides = "".join(
                f'              op_arg_dat({dat}, {slot}, sides, 4, "double", '
                f'{access}){end}\n'
                for dat, slot, access, end in
                [("q", 0, "OP_READ", ","), ("q", 1, "OP_READ", ","),
                 ("f", 0, "OP_INC", ","), ("f", 1, "OP_INC", ");")])
            loop = [f'  op_par_loop({name}, "{name}", faces,',
                    '              op_arg_dat(number, -1, OP_ID, 1, "int", '
                    'OP_READ),', sides.rstrip()]
        lines += text
        if number < 50:
            loops += loop
    sizes = [3, 6, 10, 15]
    dats = ", ".join(f"op_dat {d}{n}" for n in sizes for d in "uvr")
    lines += ["void run(op_set cells, op_set faces, op_map sides, op_dat number, "
              f"op_dat q, op_dat f, {dats}) {{", "  int order = 1;"]
    return "\n".join(lines + loops + ["}"]) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description="Write a program of long kernels, to compile")
    parser.add_argument("file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with open(options.file, "w", encoding="utf-8") as out:
        out.write(program(options.seed))


if __name__ == "__main__":
    main()
