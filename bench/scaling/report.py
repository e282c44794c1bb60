#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Puts together what `scaling` wrote for each number of processes, with what the model says of it and of GPUs."""

import argparse
import json
import math
import pathlib
import statistics

import model

RANKS = [8**k for k in range(6)] + [10**5]
SUMMIT_RANKS, SUMMIT_POINTS = 27648, 2.1e6
KINDS = {"application": model.applied, "cg": model.cg_seconds, "cg + multigrid": model.pcg_seconds}
# What is assumed of Summit, from lowest to highest: microseconds of a kernel's start and of a message.
STARTS, LATENCIES = (4e-6, 10e-6), (3e-6, 10e-6)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("times", type=pathlib.Path, nargs="*", help="what scaling wrote, a file for each count")
    parser.add_argument("--streams", type=pathlib.Path, help="what streams wrote on a device: its copy's T0 and W")
    parser.add_argument("--out", type=pathlib.Path, help="everything as JSON")
    arguments = parser.parse_args()
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.times]
    times = [row for run in runs for row in run["times"]]
    sent = [row for run in runs for row in run["messages"]]
    result = {"context": runs[0]["context"] if runs else {}, "times": times, "messages": sent}
    result["scaling"] = show_scaling(times)
    result["validation"] = show_validation(times, sent)
    machines = [model.SUMMIT, model.H100]
    if arguments.streams:
        machines.append(model.of_streams(model.H100, arguments.streams))
    result["predictions"] = [row for machine in machines for row in show_predictions(machine)]
    result["summit"] = show_summit()
    result["meshes"] = show_meshes(model.CORE)
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def show_scaling(times):
    """Of as many points on each process, of as many in all: rates of each process against those of one alone."""
    if not times:
        return []
    alone = {(row["order"], row["points"]): row for row in times if row["processes"] == 1}
    print("\nprocesses  points each  apply, cg, exchange alone [us]  of slow messages hidden  rate of each, of that of "
          "one:\n" + 76 * " " + "as many each: elements, apply, cg   as many in all: the same")
    rows = []
    for row in times:
        out = {name: row[name] for name in ("processes", "order", "points", "points_of_process")}
        out["slow_hidden"] = row.get("slow_hidden")
        for how, points in ("weak", row["points_of_process"]), ("strong", row["points"]):
            one = alone.get((row["order"], points))
            for kind in ("elements_us", "overlap_us", "cg_us"):
                shares = row["processes"] if how == "strong" else 1
                out[f"{how}_{kind.removesuffix('_us')}"] = one and one[kind] / shares / row[kind]
        rows.append(out)
        rates = [percent(out[f"{how}_{kind}"]) for how in ("weak", "strong") for kind in ("elements", "overlap", "cg")]
        times_of = " ".join(f"{row[name]:9.1f}" for name in ("overlap_us", "cg_us", "exchange_us"))
        print(f"{row['processes']:9} {row['points_of_process']:12} {times_of} {percent(out['slow_hidden']):>18}      "
              + "  ".join(rates))
    return rows


def show_meshes(machine, points=1e5, leasts=(0.0, 100.0, 256.0, 1000.0, math.inf)):
    """Of levels over coarser meshes: on all ranks, on so many as have some points at least, and on one."""
    operator, rows = model.Operator(), []
    print(f"\n{machine.name}: levels over meshes below degree 1 of {points:.0f} points of degree {operator.order} a "
          "rank, us on all\nranks, on those with 100, 256, 1000 points at least, on one")
    for ranks in (10**3, 10**4, 10**5):
        last = points * ranks / operator.order**3
        us = [1e6 * model.meshes_seconds(machine, operator, last, ranks, least) for least in leasts]
        rows.append({"ranks": ranks, "least": [least if least < math.inf else None for least in leasts], "us": us})
        print(f"{ranks:9} " + " ".join(f"{one:9.0f}" for one in us))
    return rows


def percent(share):
    return "      -" if share is None else f"{100 * share:5.0f} %"


def show_validation(times, sent):
    """Of several processes: what the model says of the rates of this machine, beside what was measured."""
    rows = []
    for count in sorted({row["processes"] for row in times} - {1}):
        own = [row for row in times if row["processes"] == count]
        bare = [row for row in sent if row["processes"] == count]
        latency, network = model.fit_line([row["bytes"] for row in bare], [1e-6 * row["us"] for row in bare])
        hop = statistics.median(1e-6 * row["sums_us"] for row in own) / math.log2(count)
        print(f"\n{count} processes: alpha {1e6 * latency:.2f} us, beta {1e-9 * network:.2f} GB/s, sums "
              f"{1e6 * hop:.2f} us\npoints each   W of elements, passes [GB/s]   is, model [us]: no overlap      "
              "overlap              cg")
        for row in own:
            parts = row["parts_x"], row["parts_y"], row["parts_z"]
            op, points = model.Operator(row["order"]), row["points_of_process"]
            host = model.Machine(f"{count} processes", 0.0, points * op.bytes_per_point() / row["elements_us"] * 1e6,
                                 latency, network, hop, passes=points * 24 / row["axpy_us"] * 1e6)
            said = {"no_overlap_us": model.application_seconds(host, op, points, parts, overlap=False),
                    "overlap_us": model.application_seconds(host, op, points, parts),
                    "cg_us": model.cg_seconds(host, op, points, count, parts=parts)}
            out = {"processes": count, "order": row["order"], "points_of_process": points}
            for name, seconds in said.items():
                out[name], out[f"model_{name}"] = row[name], 1e6 * seconds
            rows.append(out)
            pairs = " ".join(f"{row[name]:14.1f} {1e6 * said[name]:9.1f}" for name in said)
            print(f"{points:11} {1e-9 * host.bandwidth:14.1f} {1e-9 * host.passes:9.1f}       {pairs}")
    for name in ("no_overlap_us", "overlap_us", "cg_us"):
        off = [row[f"model_{name}"] / row[name] for row in rows]
        if off:
            print(f"{name.removesuffix('_us')}: the model says {min(off):.2f} to {max(off):.2f} of what was measured, "
                  f"{statistics.median(off):.2f} in the middle")
    return rows


def show_predictions(machine):
    """Times and n_0.8 of a rank, for degree 7."""
    op, rows = model.Operator(7), []
    print(f"\n{machine.name}: {machine.source}\n"
          "  ranks   us at 2 million points each: apply, cg, cg + multigrid   hidden   n_0.8 in millions: the same")
    for ranks in RANKS:
        row = {"machine": machine.name, "ranks": ranks, "source": machine.source}
        row["hidden"] = model.hidden_share(machine, op, 2e6, model.cubic(ranks))
        for kind, seconds in KINDS.items():
            row[f"{kind}_us"] = 1e6 * seconds(machine, op, 2e6, ranks)
            row[f"{kind}_n08"] = model.points_for(0.8, seconds, machine, op, ranks)
        rows.append(row)
        in_us = " ".join(f"{row[f'{kind}_us']:18.0f}" for kind in KINDS)
        print(f"{ranks:7} {in_us} {100 * row['hidden']:8.0f} %"
              + " ".join(f"{1e-6 * row[f'{kind}_n08']:9.2f}" for kind in KINDS))
    return rows


def show_summit():
    """The efficiency on all of Summit at 2.1 million points a GPU, which nekRS has published as 70 to 83 %."""
    op, rows = model.Operator(7), []
    print(f"\n{SUMMIT_RANKS} V100 at {1e-6 * SUMMIT_POINTS:.1f} million points each: rates, of those of very many "
          "points, and of 5.5 million; nekRS: 70 to 83 %")
    for kind, seconds in KINDS.items():
        def share(machine, points, seconds=seconds):
            return model.efficiency(seconds, machine, op, points, SUMMIT_RANKS)

        machines = [model.dataclasses.replace(model.SUMMIT, start=s, latency=a) for s in STARTS for a in LATENCIES]
        row = {"kind": kind, "points": SUMMIT_POINTS, "ranks": SUMMIT_RANKS}
        row["of_saturated"] = share(model.SUMMIT, SUMMIT_POINTS)
        row["of_5.5_million"] = row["of_saturated"] / share(model.SUMMIT, 5.5e6)
        row["lowest"], row["highest"] = (f(share(m, SUMMIT_POINTS) for m in machines) for f in (min, max))
        rows.append(row)
        print(f"  {kind:15} {percent(row['of_saturated'])} {percent(row['of_5.5_million'])}   "
              f"{percent(row['lowest'])} to {percent(row['highest'])} for T0 of 4 to 10 us, alpha of 3 to 10 us")
    halves = model.Operator(7)
    for kept in (model.KEPT, 0.5):
        taken = model.application_seconds(model.SUMMIT, halves, SUMMIT_POINTS, model.cubic(SUMMIT_RANKS), kept=kept)
        print(f"  an application with {kept:.3f} of the interior kept back: {1e6 * taken:.0f} us")
        rows.append({"kind": "application", "kept": kept, "us": 1e6 * taken})
    return rows


if __name__ == "__main__":
    main()
