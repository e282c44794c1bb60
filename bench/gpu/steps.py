# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""The steps of bench/device: what each needs compiled, what it runs, how many seconds that takes. A step more is a row
of STEPS at the end of this file.

A row's functions take `b`: b.options are the command line's, b.make compiles, b.run(words) and b.call(program, *words)
run, b.out is where programs and results are, b.first the first scalar, b.small whether --size asks for small sizes."""
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench/peers"), str(ROOT / "bench/model")]
import tunings  # noqa: E402
from device_peers import PEERS  # noqa: E402
from tunings import GEOMETRIES  # noqa: E402

LADDERS = {"bp1": 15, "bp3": 15, "bp35": 15, "bp35_blocks": 9}  # and their highest degrees
PROBLEMS = {"bp1": "BP1.0", "bp3": "BP3.0", "bp35": "BP3.5"}
# Test programs: what each is made of.
TESTS = {"runtime": ("runtime.cu", "expected.cpp"), "contractions": ("contractions.cu",),
         **{name: (f"{name}.cu", "../support/main.cpp")
            for name in ("vectors", "global_vectors", "cg", "policies", "coefficients", "inputs", "multigrid",
                         "one_source", "parts", "points", "cells_and_faces")}}


class cut_off(Exception):
    """A step has used up its share, or all steps the budget."""


@dataclasses.dataclass
class step:
    """A step, and how long it runs on an H100 where all is compiled before."""
    name: str
    seconds: float
    text: str
    needs: typing.Callable = lambda b: {}  # -> {program: function that asks for its objects}
    run: typing.Callable = lambda b: None
    share: float = 60  # seconds, compiling included, after which it is cut off where there is a budget
    usual: bool = True  # whether it is done where no steps are named
    hip: bool = False  # whether it knows AMD's devices
    libraries: typing.Callable = lambda b: []  # that its programs are linked with
    before: typing.Callable = lambda b: None  # what is built before its programs are linked


def timed(name, seconds, text, source, words=(), small=(), defines=None, flags=lambda b: [], **more):
    """A step of one program, from a source of bench/, that takes --out FILE; `small` are its words for --size, `flags`
    the compiler's."""
    program = f"time_{name}"
    def needs(b):
        lines = [f"#define {key} {value(b)}\n" for key, value in (defines or {}).items()]
        text = "".join(lines) + f'#include "{source}"\n'
        return {program: lambda: [b.make.text(program, text, *flags(b))]}
    def run(b):
        b.call(program, *(small if b.small else words), "--out", b.out / f"{name}.json")
    return step(name, seconds, text, needs, run, **more)


def degrees(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def units(b, orders, scalars, geometries, tunings_of=lambda _: []):
    """Sources of units {name: text}."""
    texts = {}
    # The large ones first, so that no core ends late.
    for order in sorted(degrees(orders), reverse=True):
        for problem in b.options.problems.split(","):
            for scalar in scalars:
                for geometry in geometries:
                    name = "_".join([problem, *[geometry] * (geometry != "stored"), scalar, str(order)])
                    of = tunings.subject(PROBLEMS[problem], order, scalar, geometry)
                    texts[name] = tunings.unit((of, tunings_of(of)))
    return texts


def ladder_units(b):
    for order in sorted(degrees(b.options.orders), reverse=True):
        for problem in LADDERS:
            if problem.removesuffix("_blocks") not in b.options.problems.split(",") or order > LADDERS[problem]:
                continue
            yield f"ladder_{problem}_{order}", (
                '#include "ladder/ladder_subjects.hpp"\nusing namespace sumfac;\n'
                f"static bench::entered const entered_here(ladder::ladder_subjects<ladder::{problem}_ladder>("
                f"bench::order_list<{order}>{{}}));\n")


def roofline_program(b):
    texts = units(b, b.options.orders, [b.first], b.options.geometries)
    return {"roofline": lambda: b.make.units(texts, ("gpu/roofline.cu", "gpu/shared_counts.cpp"))}


def test_programs(b):
    def object_of(part):
        of_hip = part.replace(".cu", ".hip")
        if b.options.backend == "hip" and (ROOT / "tests/device" / of_hip).exists():
            part = of_hip
        elif b.options.backend == "hip" and part.endswith(".cu"):
            return b.make.text("test_" + part.removesuffix(".cu"), "#include <sumfac/backend/hip.hpp>\n"
                               f"using device_backend = sumfac::hip;\n#include <device/{part[:-3]}.hpp>\n")
        return b.make.compile(ROOT / "tests/device" / part, "test_" + re.sub("[/.]", "_", part))
    return {name: lambda parts=parts: [object_of(part) for part in parts] for name, parts in tests_of(b).items()}


def tests_of(b):
    """On AMD's devices those that are written for any device."""
    return {name: parts for name, parts in TESTS.items() if b.options.backend == "cuda" or name != "runtime"}


def run_tests(b):
    for program in tests_of(b):
        b.call(program)


def check_kernels(b):
    b.call("roofline", "--check", "--size", "E:37")


# Tests of kernels whose threads meet in ways of their own: first where time may not be enough for all.
MEETING = (("policies", "device: an element in a warp"), ("cells_and_faces", "device: tetrahedra and prisms"),
           ("cells_and_faces", "device: faces between elements"),
           ("cells_and_faces", "device: faces of large elements with small ones"),
           ("cells_and_faces", "device: terms on sides that know the elements behind them"))


def sanitize(tool, first=()):
    def run(b):
        sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
        kernels = [("roofline", "--check", "--size", "E:5", "--orders", "1-4,7,11")]
        for program, *words in [*first, *(kernels if (b.out / "roofline").exists() else []), *zip(TESTS)]:
            b.run([sanitizer, "--tool", tool, "--error-exitcode", "9", b.out / program, *words])
    return run


# Kernels of cells, and at which degree: tetrahedra with many elements a team, and with few, and by matrices.
COUNTED = (("dense_team_kernel", "3"), ("dense_team_kernel", "5"), ("dense_matrix_kernel", "4"),
           ("interior_kernel", "3"), ("cube_kernel", "2"))


def count(b):
    """What the hardware counts while kernels of `cells` run, behind three launches of them."""
    ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    sections = ("SpeedOfLight", "WarpStateStats", "Occupancy", "LaunchStats", "MemoryWorkloadAnalysis",
                "SchedulerStats")
    for kernel, degree in COUNTED:
        b.run([ncu, "--clock-control", "none", "--kernel-name-base", "demangled", "-k", f"regex:{kernel}",
               "--launch-skip", "3", "--launch-count", "1", *(w for s in sections for w in ("--section", s)),
               b.out / "time_cells", "--orders", degree, "--largest", "100000000", "--seconds", "0.0001"])


def time_roofline(b, program, scalar, sizes=("memory",), name="roofline"):
    """Several sizes of one call are those that a rate between is taken of."""
    for size in [b.options.size] if b.small else sizes:
        seconds = float(b.options.seconds) / (1 + size.count(","))
        b.call(program, "--scalar", scalar, "--size", size, "--seconds", f"{seconds:g}", "--out",
               b.out / f"{name}_{scalar}_{size.removeprefix('E:').removeprefix('half,')}.json")


def policies_program(b):
    """On E-vectors; by CUDA also products on global vectors, with both ways of adding up."""
    texts = units(b, b.options.policy_orders, [b.first], ["trilinear", "affine"])
    programs = {"time_policies": lambda: b.make.units(texts)}  # a test is `policies`
    if b.options.backend == "cuda":
        orders = sorted(degrees(b.options.policy_orders), reverse=True)
        products = [published_unit("recomputed", order) for order in orders]
        programs["time_recomputed"] = lambda: published_objects(b, products)
    return programs


def time_policies(b):
    time_roofline(b, "time_policies", b.first, name="policies")
    if b.options.backend == "cuda":
        words = SMALL_PUBLISHED if b.small else []
        b.call("time_recomputed", *words, "--out", b.out / "policies_global.json")


def time_others(b):
    for scalar in b.options.scalars[1:]:
        time_roofline(b, "roofline_others", scalar)


def time_ladder(b):
    elements = b.options.size.removeprefix("E:") if b.small else "512,4096"
    b.call("ladder", "--elements", elements, "--seconds", "0.01", "--out", b.out / "ladder.json")


def ladder_program(b):
    return {"ladder": lambda: b.make.units(dict(ladder_units(b)), ("ladder/ladder.cu",), ("-DSUMFAC_LADDER_UNITS",))}


def listed_units(file):
    """Sources of the units of a list, as `bench/tune --offline` writes it: one for each kernel."""
    texts = {}
    for row in json.loads(file.read_text())["subjects"]:
        of = tunings.subject(*(row[name] for name in ("problem", "degree", "scalar", "geometry", "vectors")),
                             row.get("shape", "hexahedron"))
        texts[re.sub(r"\W+", "_", of.name().replace(".", "").lower())] = tunings.unit(
            (of, [candidate["tuning"] for candidate in row["candidates"]]))
    return texts


def units_of_tunings(b, prefix, texts):
    """Objects of many kernels: nothing that the host does for them is timed, and shared memory is not counted."""
    main = b.make.text("tune_main", '#define SUMFAC_ROOFLINE_UNCOUNTED\n#include "gpu/roofline.cu"\n')
    return [main, *b.make.units({prefix + name: text for name, text in texts.items()}, (), words=("-Xcompiler", "-O0"))]


def tune_program(b):
    if b.options.tunings:
        texts = listed_units(b.options.tunings)
    else:
        texts = units(b, b.options.tune_orders, [b.first], b.options.geometries,
                      lambda of: [t.text() for t in tunings.coarse(of, b.options.arch)])
    return {"tune": lambda: units_of_tunings(b, "tune_", texts)}


def time_tunings(b):
    words = ["--check", "--size", b.options.size] if b.small else ["--seconds", "0.02"]
    b.call("tune", *words, "--out", b.out / "tune.json")


def rows_program(b):
    texts = listed_units(ROOT / "bench/gpu/sm_90_tunings.json")
    return {"time_rows": lambda: units_of_tunings(b, "rows_", texts)}


def time_rows(b):
    for scalar, size in (("f64", "memory"), ("f32", "MB:180")):
        b.call("time_rows", "--scalar", scalar, "--size", b.options.size if b.small else size, "--seconds", "0.02",
               "--out", b.out / f"rows_{scalar}.json")


def hypre(b):
    """(flags, libraries) with which a program has the hypre of --hypre, and Open MPI, or none."""
    if not b.options.hypre:
        return [], []
    asked = subprocess.run(["mpicxx", "--showme:compile"], capture_output=True, text=True, check=True)
    folders = [f"-I{b.options.hypre}/include{more}" for more in ("", "/hypre")]
    folders += [word for word in asked.stdout.split() if word.startswith("-I")]
    return ["-DSUMFAC_SOLVE_HYPRE", *folders], [f"-L{b.options.hypre}/lib", "-lHYPRE", "-lmpi"]


def has_cublas(b):
    return (pathlib.Path(b.options.nvcc).resolve().parents[1] / "include/cublas_v2.h").exists()


def contractions_program(b):
    blas = ["-DSUMFAC_BENCH_CUBLAS"] * has_cublas(b)
    source = ROOT / "bench/gpu/contractions.cu"
    return {"time_contractions": lambda: [b.make.compile(source, "gpu_contractions", *blas)]}


def time_contractions(b):
    small = ["--check", "--cells", "1", "--largest", "300000", "--layout", "right"]
    words = ["--seconds", b.options.seconds, "--out", b.out / "contractions.json"]
    b.call("time_contractions", *(small if b.small else words))


def build_peers(b):
    for peer in b.peers:
        wrong = peer.check()
        if wrong:
            raise RuntimeError(wrong)
        if not (b.options.compiled and peer.built()):
            for command in peer.build(b.options.jobs):
                b.run(command)


def peer_programs(b):
    return {program: lambda text=text, peer=peer: [b.make.text(program, text, f"-I{peer.folder / 'include'}")]
            for peer in b.peers for program, text in peer.programs().items()}


def run_peers(b):
    problems = []
    for peer in b.peers:
        try:
            time_peer(b, peer)
        except (RuntimeError, OSError) as error:
            problems.append(f"{peer.name}: {error}")
    if problems:
        raise RuntimeError("\n".join(problems))


def time_peer(b, peer):
    rows = []
    for orders in peer.runs:
        command, folder = peer.run(orders)
        figures = peer.read(b.run(command, folder))
        if not figures:
            raise RuntimeError(f"degree {orders} printed no line like its figure: see the log")
        rows += [{"peer": peer.name, "problem": peer.problem, "wanted_order": orders, **row} for row in figures]
        b.write_json(b.out / f"peer_{peer.name}.json", {"runs": rows})


PUBLISHED = ("norms", "q3", "q6", "bp3", "bp5", "bps5")
SMALL_PUBLISHED = ["--unknowns", "2000", "--iterations", "2", "--seconds", "0.001"]


def published_unit(*arguments):
    """(name, source) of a configuration, or of one at a degree."""
    name, of = arguments[0], ", ".join(["device", *map(str, arguments[1:])])
    return "_".join(["published", *map(str, arguments)]), (
        '#include "gpu/device.hpp"\n#include "published/configurations.hpp"\nusing namespace sumfac::bench;\n'
        f"static published_entered<device> const entered_here({name}<{of}>());\n")


def published_objects(b, units_of_program):
    main = b.make.compile(ROOT / "bench/published/published.cu", "published_main")
    return [main, *(b.make.text(*unit) for unit in units_of_program)]


def published_program(b):
    names = ("q3",) if b.small else PUBLISHED
    return {"published": lambda: published_objects(b, [published_unit(name) for name in names])}


def run_published(b):
    b.call("published", *(SMALL_PUBLISHED if b.small else []), "--out", b.out / "published.json")


STEPS = [
    step("build", 0, "nvcc: tests/device and the kernels of bench/gpu in the first scalar, a source for each problem "
         "and degree", lambda b: {**test_programs(b), **roofline_program(b)}, share=240,
         hip=True),
    step("tests", 25, "streams, graphs, threads, errors, layouts; contractions, geometry policies, global vectors, "
         "conjugate gradients, each against the reference", test_programs, run_tests, hip=True),
    step("kernels", 15, "every kernel of roofline on a few elements, against the reference",
         roofline_program, check_kernels,
         hip=True),
    step("roofline", 75, "the kernels in memory, of two sizes with the rate between, then E = 4096 -> roofline_*.json",
         roofline_program,
         lambda b: time_roofline(b, "roofline", b.first, ("half,memory", "E:4096")), share=110, hip=True),
    timed("streams", 15, "passes over memory against their size, with T0 and W -> streams.json", "streams/streams.cu",
          small=("--quick", "--largest", "4096"), share=40, hip=True),
    timed("cg", 45, "an iteration of conjugate gradients, plain and merged, with graphs and without, of MINRES and of "
          "GMRES, in order and launched ahead -> cg.json", "gpu/cg.cu", words=("--largest", "17000000"),
          small=("--largest", "1000", "--seconds", "0.001"), share=60,
          defines={"SUMFAC_CG_ORDERS": lambda b: "3, 7" if b.options.orders == "1-15" else
                   ", ".join(map(str, degrees(b.options.orders)))}),
    timed("solve", 30, "BPS5 by Jacobi's preconditioner and by multigrid to 1e-8, with coarse solvers, meshes and "
          "graphs, with --hypre its levels, and a cycle by its parts -> solve.json", "gpu/solve.cu",
          small=("--check",), share=100, flags=lambda b: hypre(b)[0], libraries=lambda b: hypre(b)[1]),
    timed("rates", 8, "multiply-adds in double from registers: single ones, small matrix products, both -> rates.json",
          "gpu/fp64_rates.cu", small=("--check",), share=30),
    timed("cells", 71, "tetrahedra, by matrix instructions, too, faces, several right sides, inputs kept and read, in "
          "memory; a mesh that hangs; terms on the boundary -> cells.json",
          "gpu/cells.cu", ("--seconds", "0.05"), small=("--check",),
          defines={"SUMFAC_CELLS_ORDERS":
                   lambda b: ", ".join(str(n) for n in degrees(b.options.orders) if n < 8) or 2}),
    step("published", 75, "configurations of which others have published figures, beside these -> published.json",
         published_program, run_published, share=100),
    timed("jit", 20, "operators that NVRTC or hipRTC compiles: results, seconds of first and later calls, rates "
          "-> jit.json", "gpu/jit.cu", ("--headers", ROOT / "include"), libraries=lambda b: ["-ldl"], hip=True),
    timed("tuned", 15, "what tune() tries of some operators when the program runs, and chooses, and what explain() "
          "says of it -> tuned.json", "gpu/tuned.cu", ("--seconds", "0.05"), small=("--check", "--seconds", "0.001"),
          hip=True),
    step("memcheck", 60, "compute-sanitizer on small sizes", test_programs, sanitize("memcheck")),
    step("ladder", 60, "the rungs of bench/ladder on 512 and 4096 elements, f64 -> ladder.json", ladder_program,
         time_ladder, share=100, hip=True),
    step("tune", 60, "many tunings of each kernel, at a few degrees, or those of --tunings -> tune.json; the log ends "
         "with rows for the table",
         tune_program, time_tunings, share=100, hip=True),
    step("rows", 85, "the tunings of bench/gpu/sm_90_tunings.json beside those that they may take the place of "
         "-> rows_*.json", rows_program, time_rows, share=120, usual=False),
    step("peer", 110, "of each --peer its own benchmark, built and run -> peer_NAME.json", peer_programs, run_peers,
         share=150, libraries=lambda b: [word for peer in b.peers for word in peer.libraries()], before=build_peers),
    step("counters", 40, "ncu on kernels of cells, faces and several right sides -> counters.log",
         lambda b: next(other for other in STEPS if other.name == "cells").needs(b), count, usual=False),
    step("racecheck", 60, "compute-sanitizer for races on shared memory, an element in a warp and cells first",
         test_programs, sanitize("racecheck", MEETING)),
    step("policies", 55, "the roofline in memory of trilinear and affine geometry in the first scalar -> "
         "policies_*.json; products on global vectors, trilinear, with both ways of adding up -> policies_global.json; "
         "at the degrees 3, 5, 7, 9 and 11 where --orders names none", policies_program, time_policies, hip=True),
    step("others", 40, "the roofline in memory of the other scalars -> roofline_*.json",
         lambda b: {"roofline_others": lambda: b.make.units(units(b, b.options.orders, b.options.scalars[1:],
                                                                  b.options.geometries))}, time_others,
         hip=True),
    step("contractions", 30, "Intrepid's contractions, each strategy and cuBLAS -> contractions.json",
         contractions_program, time_contractions, share=120, usual=False,
         libraries=lambda b: ["-lcublas"] * has_cublas(b)),
    step("tune-build", 0, "only builds it: no device is needed", tune_program, share=480, usual=False,
         hip=True),
    step("ladder-build", 0, "only builds it: no device is needed", ladder_program, share=480, usual=False,
         hip=True),
]
