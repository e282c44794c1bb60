#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tunes kernels for a card that is not there: compiles many tunings, reads what the compiler made, and asks a model.

usage: bench/tune --offline [--problem BP3.0] [--degree 5] [--scalar f64] [--geometry stored] [--vectors element]
                  [--shape hexahedron] [--card h100] [--keep 5] [--tunings TEXT]... [--seconds S] [--out FILE]
                  [--folder FOLDER] [--nvcc NVCC]

--problem   BP1.0, BP3.0, BP3.5 on E-vectors; BP1 to BP6, which are vector forms where even, on both
--degree    of the form's functions; problem, degree and the next four may be lists, of which all are tuned
--vectors   element or global
--shape     hexahedron, or quadrilateral, of which factors are stored and lists are timed on global vectors alone
--card      h100 or h200; a100, with whose measurements the model was not compared
--keep      of each, those that are written to the list
--tunings   in C++, `{.elements = 2, .resident_teams = 4}`: these alone are ranked, beside the usual one
--seconds   of compiling after which no other candidates of a kernel are looked for (default 60)
--out       the list (default build/offline/tunings.json), which `bench/device --steps tune --tunings FILE` times
"""
import argparse
import itertools
import json
import math
import pathlib
import resource
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import cubin  # noqa: E402
import tunings  # noqa: E402
import cards  # noqa: E402

BATCH = 16  # kernels of a source
START = 1500  # cycles between a launch and the first blocks, and between the last ones and the next launch
BLOCKS = 100  # that are modelled one by one: more go on as these do


def processor_seconds():
    """Of the programs that this one has run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class refused(Exception):
    """What the command line or a compiler does not allow."""


def options():
    parser = argparse.ArgumentParser(usage=__doc__[__doc__.index("usage:") + 7:])
    parser.add_argument("--problem", default="BP3.0")
    parser.add_argument("--degree", default="7")
    parser.add_argument("--scalar", default="f64")
    parser.add_argument("--geometry", default="stored")
    parser.add_argument("--vectors", default="element")
    parser.add_argument("--shape", default="hexahedron")
    parser.add_argument("--card", default="h100", choices=cards.CARDS)
    parser.add_argument("--keep", type=int, default=5)
    parser.add_argument("--tunings", action="append")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/offline")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    o = parser.parse_args()
    o.out = o.out or o.folder / "tunings.json"
    o.subjects = []
    for name, known in (("problem", tunings.FORMS), ("scalar", ("f64", "f32")), ("geometry", tunings.GEOMETRIES),
                        ("vectors", ("element", "global")), ("shape", tunings.SHAPES)):
        for word in getattr(o, name).split(","):
            if word not in known:
                parser.error(f"unknown {name} {word}: choose from {', '.join(known)}")
    words = [getattr(o, name).split(",") for name in ("problem", "scalar", "geometry", "vectors", "shape")]
    for problem, degree, scalar, geometry, vectors, shape in itertools.product(words[0], degrees(o.degree), *words[1:]):
        if shape != "hexahedron" and geometry != "stored":
            parser.error(f"geometry {geometry} is of hexahedra: of a {shape} factors are stored")
        o.subjects.append(tunings.subject(problem, degree, scalar, geometry, vectors, shape))
    return o


def degrees(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


class compiler:
    """Compiles tunings of a subject to cubins, some of them a source, and reads these."""

    def __init__(self, o):
        self.o, self.card, self.spent = o, cards.CARDS[o.card], 0.0
        o.folder.mkdir(parents=True, exist_ok=True)

    def kernels(self, of, texts):
        """[(kernel, threads, scratch, elements of a block, padding)] in the order of the texts."""
        result = []
        for first in range(0, len(texts), BATCH):
            result += self.some(of, texts[first:first + BATCH])
        return result

    def some(self, of, texts):
        source, target = self.o.folder / "candidates.cu", self.o.folder / "candidates.cubin"
        lines = ['#include "model/candidate.hpp"', "using namespace sumfac;", "using namespace sumfac::bench;"]
        lines += [f"static constexpr tuning t{i} = {text};\ntemplate void const* sumfac::bench::compiled<{i}, "
                  f"{of.types()}, {of.order}, vector_kind::{of.vectors}, t{i}, {of.directions}>();"
                  for i, text in enumerate(texts)]
        source.write_text("\n".join(lines) + "\n")
        begin = processor_seconds()
        nice = ["nice", "-n", "15"] if shutil.which("nice") else []
        done = subprocess.run([*nice, self.o.nvcc, "-std=c++20", "-O3", f"-arch={self.card.architecture}", "-DNDEBUG",
                               "-cubin", f"-I{ROOT / 'include'}", f"-I{ROOT / 'tests'}", f"-I{ROOT / 'bench'}",
                               "-o", str(target), str(source)], capture_output=True, text=True, check=False)
        self.spent += processor_seconds() - begin
        if done.returncode != 0:
            raise refused(f"tune --offline: {self.o.nvcc} refuses a candidate of {of.name()} ({source})\n{done.stderr}")
        found = {}
        for kernel in cubin.kernels(target.read_bytes(), int(self.card.architecture.removeprefix("sm_"))):
            place, *numbers = cubin.numbers_in(kernel.name)
            found[place] = (kernel, *numbers)
        return [found[place] for place in range(len(texts))]


class model:
    """The program of multiprocessor.cpp."""

    def __init__(self, folder, card):
        self.card, self.program = card, folder / "multiprocessor"
        source = HERE / "multiprocessor.cpp"
        if not self.program.exists() or self.program.stat().st_mtime < source.stat().st_mtime:
            subprocess.run([shutil.which("c++") or "g++", "-std=c++20", "-O2", str(source), "-o", str(self.program)],
                           check=True)

    def rows(self, of, compiled):
        """What the model says of kernels, [{share, registers, ...}]; share: of a copy of the bytes."""
        elements = 8 * self.card.cache_bytes / of.element_bytes()
        rows, text = [], []
        for place, (kernel, threads, scratch, of_block, padding) in enumerate(compiled):
            at_once = cards.resident(threads, kernel.registers, scratch, self.card.architecture)
            blocks = math.ceil(elements / of_block / self.card.multiprocessors)
            shown = max(at_once, min(blocks, max(BLOCKS, 12 * at_once)))
            rows.append({"registers": kernel.registers, "local_bytes": kernel.local_bytes, "scratch_bytes": scratch,
                         "resident_blocks": at_once, "threads": threads, "instructions": len(kernel.instructions),
                         "elements": of_block, "blocks": blocks, "shown": shown, "share": 0.0})
            if at_once > 0:
                text.append(f"kernel {place} {threads} {at_once} {shown} {of.element_bytes() * of_block} "
                            f"{tunings.conflicts(of, padding)} "
                            f"{cards.first_level_lines(at_once, scratch, self.card.architecture)}")
                text += [one.line() for one in kernel.instructions]
                text.append("end")
        done = subprocess.run([str(self.program), str(self.card.bytes_a_cycle()), str(self.card.latency),
                               str(self.card.spread), str(self.card.fp64_cycles)], input="\n".join(text) + "\n",
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise refused(done.stderr)
        for line in done.stdout.splitlines():
            place, cycles, more = line.split()
            row = rows[int(place)]
            cycles = float(cycles) + max(0, row["blocks"] - row["shown"]) * float(more) + START
            seconds = cycles / (self.card.clock * 1e9)
            row["share"] = elements * of.element_bytes() / seconds / (self.card.copy * 1e9)
        return rows


def tune(of, o, make, predict):
    """The rows of a subject, the best first, but the usual tuning's, which is apart."""
    texts = [f"usual<{of.types()}, {of.order}, {of.directions}>"]
    rows = []

    def take(more):
        texts.extend(more)
        for text, row in zip(more, predict.rows(of, make.kernels(of, more))):
            rows.append({"tuning": text, **row})

    take(texts[:])
    texts.pop()  # it was there already
    begin = make.spent
    if o.tunings:
        take([f"tuning{text}" for text in o.tunings])
    else:
        known = {t: None for t in tunings.coarse(of, predict.card.architecture)}
        take([t.text() for t in known])
        by_text = {t.text(): t for t in known}
        best = [by_text[row["tuning"]] for row in in_order(rows[1:])[:2]]
        others = dict.fromkeys(t.text() for b in best for t in tunings.near(of, b, predict.card.architecture)
                               if t not in known)
        if others and make.spent - begin < o.seconds:
            take(list(others))
    return rows[0], in_order(rows[1:])


def in_order(rows):
    """The best first; shares that the model cannot tell apart by fewer spills and instructions of a thread."""
    return sorted(rows, key=lambda row: (-round(row["share"], 2), row["local_bytes"], row["instructions"]))


def chosen(rows, keep):
    """The best few different ones, of each number of elements of a team two first: the model may be wrong of one."""
    different = {}
    for row in rows:
        code = [row[name] for name in ("elements", "registers", "local_bytes", "instructions", "resident_blocks",
                                       "scratch_bytes")]
        different.setdefault(tuple(code), row)
    first, later = [], []
    for row in different.values():
        alike = sum(row["elements"] == other["elements"] for other in first)
        (first if alike < 2 else later).append(row)
    return in_order((first + later)[:keep])


def line_of(row):
    return (f"{row['share']:.3f}  registers {row['registers']:3d}  local {row['local_bytes']:3d}  scratch "
            f"{row['scratch_bytes']:6d}  {row['resident_blocks']:2d} x {row['threads']:3d}  {row['tuning']}")


def main():
    o = options()
    make, predict = compiler(o), model(o.folder, cards.CARDS[o.card])
    results = []
    for of in o.subjects:
        begin = time.monotonic()
        usual, rows = tune(of, o, make, predict)
        print(f"{of.name()}: {len(rows)} candidates in {time.monotonic() - begin:.0f} s; the model's shares of a copy "
              f"on {o.card}\n  usual {line_of(usual)}")
        kept = chosen(rows, o.keep)
        for row in kept:
            print(f"        {line_of(row)}", flush=True)
        results.append({"problem": of.problem, "degree": of.order, "scalar": of.scalar, "geometry": of.geometry,
                        "vectors": of.vectors, "shape": of.shape, "usual": usual, "candidates": kept})
        o.out.write_text(json.dumps({"card": o.card, "subjects": results}, indent=1) + "\n")
    print(f"{o.out}; {make.spent:.0f} s of compiling")


if __name__ == "__main__":
    try:
        main()
    except refused as error:
        sys.exit(str(error))
