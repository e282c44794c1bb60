# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Other libraries' own benchmarks on a CUDA device: how each is built, run and read. bench/device --peer uses it.

What is measured is the peer's, by the peer's own program: it says what its figure counts."""

import os
import pathlib
import re

DOFS = 4_000_000  # wanted


class peer:
    """A checkout of a peer: commands that build it, a command for each degree, and what a run printed as a row."""

    def __init__(self, folder, out):
        self.folder, self.out = pathlib.Path(folder).resolve(), pathlib.Path(out).resolve()

    @property
    def program(self):
        return self.folder / self.where

    def check(self):
        """A sentence where the folder is no such checkout."""
        if not self.program.parent.is_dir():
            return f"{self.folder} has no {self.where.parent}: name the root of a checkout of {self.name}"
        return ""

    def elements(self, order):
        """Of a side of the box with about the wanted number of degrees of freedom."""
        return max(1, round((DOFS / order**3) ** (1 / 3)))

    def read(self, text):
        """The figures of one run, or None where it printed none."""
        found = re.search(self.figure, text, re.M)
        return {name: float(number) for name, number in found.groupdict().items()} if found else None


class benchparanumal(peer):
    """BK5: the operator of BP5 alone, gathered, not scattered."""

    name, where, problem = "benchparanumal", pathlib.Path("BK/BK5/BK5"), "BK5"
    figure = (r"^BK5: N= *(?P<order>\d+), DOFs=(?P<dofs>\d+), .*avg BW \(GB/s\)= *(?P<gigabytes>\S+), "
              r"avg GFLOPs= *(?P<gigaflops>\S+), DOFs/ranks\*time=(?P<dofs_per_second>\S+)")

    def build(self, jobs):
        return [["make", "-C", self.folder, f"-j{jobs}"]]

    def run(self, order):
        n = str(self.elements(order))
        return [self.program, "-m", "CUDA", "-e", "Hex", "-nx", n, "-ny", n, "-nz", n, "-p", str(order)], \
            self.program.parent


class libparanumal(peer):
    """Its elliptic solver: conjugate gradients without a preconditioner; unknowns times iterations a second."""

    name, where, problem = "libparanumal", pathlib.Path("solvers/elliptic/ellipticMain"), "conjugate gradients"
    figure = (r"^(?P<order>\d+), (?P<dofs>\d+), (?P<seconds>\S+), (?P<iterations>\d+), \S+, (?P<dofs_per_second>\S+); "
              r"global:")
    # Of the format that its setups/ have.
    setup = {"FORMAT": "2.0", "DATA FILE": "data/ellipticSine3D.h", "MESH FILE": "BOX", "MESH DIMENSION": "3",
             "ELEMENT TYPE": "12", "ELEMENT MAP": "ISOPARAMETRIC", "BOX DIMX": "1", "BOX DIMY": "1", "BOX DIMZ": "1",
             "BOX BOUNDARY FLAG": "1", "THREAD MODEL": "CUDA", "PLATFORM NUMBER": "0", "DEVICE NUMBER": "0",
             "LAMBDA": "1", "DISCRETIZATION": "CONTINUOUS", "LINEAR SOLVER": "PCG", "PRECONDITIONER": "NONE",
             "OUTPUT TO FILE": "FALSE", "VERBOSE": "TRUE"}

    def build(self, jobs):
        return [["make", "-C", self.program.parent, f"-j{jobs}"]]

    def run(self, order):
        n = str(self.elements(order))
        setup = {**self.setup, "POLYNOMIAL DEGREE": str(order), "BOX NX": n, "BOX NY": n, "BOX NZ": n}
        path = self.out / f"libparanumal_{order}.rc"
        path.write_text("".join(f"[{name}]\n{value}\n\n" for name, value in setup.items()), encoding="utf-8")
        return [self.program, path], self.program.parent


class libceed(peer):
    """BP5 in conjugate gradients by its example for PETSc, generated kernels; unknowns times iterations a second."""

    name, where, problem = "libceed", pathlib.Path("examples/petsc/bps"), "BP5 in conjugate gradients"
    figure = r"DoFs/Sec in CG *: (?P<million_dofs_per_second>\S+) "

    def check(self):
        if "PETSC_DIR" not in os.environ:
            return "libceed's benchmark is its example for PETSc: set PETSC_DIR to an installation with CUDA"
        return super().check()

    def build(self, jobs):
        return [["make", "-C", self.folder, f"-j{jobs}"],
                ["make", "-C", self.program.parent, "bps", f"CEED_DIR={self.folder}"]]

    def run(self, order):
        return [self.program, "-ceed", "/gpu/cuda/gen", "-problem", "bp5", "-degree", str(order), "-local_nodes",
                str(DOFS), "-ksp_max_it", "50", "-vec_type", "cuda"], self.program.parent


PEERS = {kind.name: kind for kind in (benchparanumal, libparanumal, libceed)}
