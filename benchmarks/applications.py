# The examples that speed.py measures: programs, sizes, and what they print.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
from dataclasses import dataclass, field
from typing import Callable

import op2_output

# What hand-written programs call the number that results are compared by.
VALUES = ["rms", "norm", "error", "energy"]


@dataclass
class Application:
    program: str  # compiled by op2c++
    source: str  # in examples/
    reference: str  # by hand, OpenMP
    size: list  # unless --size is given
    iterations: int
    arguments: Callable  # of (size, iterations, mesh), for both programs
    read_value: Callable  # of the text that the OP2 program prints, or None
    tolerance: float  # accepted relative difference of the values
    own_arguments: list = field(default_factory=list)  # of the OP2 program
    macros: list = field(default_factory=list)
    generator: str = None  # of the mesh; takes the size and a path
    sequential: str = None  # by hand, one thread


def find_number(pattern):
    def read(text):
        found = re.findall(pattern, text, re.MULTILINE)
        return float(found[-1]) if found else None
    return read


def airfoil(**changes):
    return Application(**{**dict(
        program="airfoil", source="airfoil/airfoil.cpp",
        own_arguments=["--untimed=5"],  # with the tiles of chains
        reference="airfoil_omp_ref", sequential="airfoil_seq_ref",
        generator="airfoil-mesh", size=[400, 600], iterations=25,
        arguments=lambda size, iterations, mesh: [
            f"--mesh={mesh}", f"--iterations={iterations}"],
        read_value=op2_output.read_residual, tolerance=1e-9), **changes})


APPLICATIONS = {
    "airfoil": airfoil(),
    "airfoil_single": airfoil(
        program="airfoil_single", reference="airfoil_omp_ref_single",
        sequential=None, macros=["AIRFOIL_SINGLE"], tolerance=1e-3),
    "fem": Application(
        program="fem", source="fem/fem.cpp", reference="fem_omp_ref",
        size=[1600], iterations=15,
        arguments=lambda size, iterations, mesh: [
            f"--cells={size[0]}", f"--iterations={iterations}"],
        own_arguments=["--meshes=1"],
        read_value=find_number(r"^ +\d+ +\d+ +\d+ +(\S+)$"), tolerance=1e-9),
    "jacobi": Application(
        program="jacobi", source="jacobi/jacobi.cpp",
        reference="jacobi_omp_ref", size=[2000], iterations=20,
        arguments=lambda size, iterations, mesh: [
            f"--size={size[0]}", f"--iterations={iterations}"],
        read_value=find_number(r"^norm of change +([^ ,]+)"), tolerance=1e-7),
    "shallow_water": Application(
        program="shallow_water", source="shallow_water/shallow_water.cpp",
        reference="shallow_water_omp_ref", generator="shallow-water-mesh",
        size=[200], iterations=25,
        arguments=lambda size, iterations, mesh: [
            f"--mesh={mesh}", f"--steps={iterations}"],
        read_value=find_number(
            r"^ +[\d.]+ +\d+ +\S+ +(\d\.\d+e[-+]\d+) "), tolerance=1e-4),
}
