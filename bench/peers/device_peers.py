# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Other libraries' own benchmarks on a CUDA device: how each is built, run and read. bench/device --peer uses it.

What is measured is the peer's, by the peer's own program: it says what its figure counts."""

import os
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOFS = 4_000_000  # wanted


class peer:
    """A checkout of a peer: commands that build it, a command for each of `runs`, and what it printed as rows."""

    runs = (7, 3, 5, 11)  # degrees

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

    def built(self):
        """Whether what build() makes is there."""
        return self.program.exists()

    def programs(self):
        """What we compile for it, {program: text of its source}."""
        return {}

    def libraries(self):
        """What these are linked with."""
        return []

    def read(self, text):
        """The figures that runs printed."""
        return [{name: float(number) if number[0].isdigit() else number for name, number in found.groupdict().items()}
                for found in re.finditer(self.figure, text, re.M)]


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
    """Its operators with generated kernels and ours in turns, on the same global vectors: bench/peers/libceed.cu."""

    name, where, problem = "libceed", pathlib.Path("include/ceed.h"), "BP1, BP3 and BP5 on global vectors"
    runs = ("4,7,2,3,5,6,8,11",)
    figure = (r"^(?P<of>BP[135]) N *(?P<order>\d+) .* (?P<dofs>\d+) dofs  sumfac \S+ ms "
              r"(?P<sumfac_billion_dofs_per_second>\S+) GDOF/s  libCEED \S+ ms "
              r"(?P<billion_dofs_per_second>\S+) GDOF/s  ratio (?P<ratio>\S+)")

    def build(self, jobs):
        cuda = pathlib.Path(shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc").resolve().parents[1]
        return [["make", "-C", self.folder, f"-j{jobs}", "lib", f"CUDA_DIR={cuda}", f"LDFLAGS=-L{cuda}/lib64/stubs",
                 "OPT=-O2 -march=x86-64-v3 -ffp-contract=fast"]]

    def built(self):
        return (self.folder / "lib/libceed.so").exists()

    def programs(self):
        return {"peer_libceed": f'#define SUMFAC_PEER_ORDERS {self.runs[0]}\n#include "peers/libceed.cu"\n'}

    def libraries(self):
        # Found where this machine's folders are copied to, too.
        place = os.path.relpath(self.folder / "lib", self.out)
        return [f"-L{self.folder / 'lib'}", "-lceed", "-Xlinker", f"-rpath=$ORIGIN/{place}", "-Xlinker",
                "--allow-shlib-undefined"]

    def run(self, orders):
        return [self.out / "peer_libceed", "--orders", orders, "--largest", str(DOFS), "--headers",
                self.folder / "include", "--out", self.out / "libceed.json"], self.out


PEERS = {kind.name: kind for kind in (benchparanumal, libparanumal, libceed)}
