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
    parser.add_argument("--streams", type=pathlib.Path, help="what bench/streams wrote on a device: its copy's T0 and W")
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
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def show_scaling(times):
    """Efficiencies: of as many points on each process, of as many in all, against one process."""
    if not times:
        return []
    alone = {(row["order"], row["points"]): row for row in times if row["processes"] == 1}
    print("\nprocesses  points each   apply [us]   hidden  slow hidden     cg [us]   weak: apply  cg   strong: apply  cg")
    rows = []
    for row in times:
        weak = alone.get((row["order"], row["points_of_process"]))
        strong = alone.get((row["order"], row["points"]))
        out = {name: row[name] for name in ("processes", "order", "points", "points_of_process")}
        out |= {"hidden": row.get("hidden"), "slow_hidden": row.get("slow_hidden")}
        for kind in ("overlap_us", "cg_us"):
            name = kind.removesuffix("_us").replace("overlap", "apply")
            out[f"weak_{name}"] = weak and weak[kind] / row[kind]
            out[f"strong_{name}"] = strong and strong[kind] / row["processes"] / row[kind]
        rows.append(out)
        print(f"{row['processes']:9} {row['points_of_process']:12} {row['overlap_us']:12.1f} {percent(out['hidden'])} "
              f"{percent(out['slow_hidden']):>12} {row['cg_us']:11.1f} {percent(out['weak_apply']):>13} "
              f"{percent(out['weak_cg'])} {percent(out['strong_apply']):>8} {percent(out['strong_cg'])}")
    return rows


def percent(share):
    return "      -" if share is None else f"{100 * share:5.0f} %"


def show_validation(times, sent):
    """Of several processes: what the model says of the rates of this machine, beside what was measured."""
    rows = []
    for count in sorted({row["processes"] for row in times} - {1}):
        own = [row for row in times if row["processes"] == count]
        if len({row["bytes_of_elements"] for row in own}) < 2 or not any(row["processes"] == count for row in sent):
            continue
        host = machine_of(own, [row for row in sent if row["processes"] == count], count)
        print(f"\n{count} processes: T0 {1e6 * host.start:.2f} us, W {1e-9 * host.bandwidth:.1f} GB/s a process, alpha "
              f"{1e6 * host.latency:.2f} us, beta {1e-9 * host.network:.2f} GB/s, sums {1e6 * host.hop:.2f} us\n"
              "points each   no overlap: is, model [us]   overlap: is, model   cg: is, model")
        for row in own:
            parts = row["parts_x"], row["parts_y"], row["parts_z"]
            op, points = model.Operator(row["order"]), row["points_of_process"]
            said = {"no_overlap_us": model.application_seconds(host, op, points, parts, overlap=False),
                    "overlap_us": model.application_seconds(host, op, points, parts),
                    "cg_us": model.cg_seconds(host, op, points, count, parts=parts)}
            out = {"processes": count, "order": row["order"], "points_of_process": points}
            for name, seconds in said.items():
                out[name], out[f"model_{name}"] = row[name], 1e6 * seconds
            rows.append(out)
            print(f"{points:11} " + " ".join(f"{row[name]:14.1f} {1e6 * said[name]:9.1f}" for name in said))
    for name in ("no_overlap_us", "overlap_us", "cg_us"):
        off = [row[f"model_{name}"] / row[name] for row in rows]
        if off:
            print(f"{name.removesuffix('_us')}: the model says {min(off):.2f} to {max(off):.2f} of what was measured, "
                  f"{statistics.median(off):.2f} in the middle")
    return rows


def machine_of(own, sent, count):
    """The rates of this machine while so many processes run."""
    start, bandwidth = model.fit_line([row["bytes_of_elements"] for row in own],
                                      [1e-6 * row["elements_us"] for row in own])
    latency, network = model.fit_line([row["bytes"] for row in sent], [1e-6 * row["us"] for row in sent])
    hop = statistics.median(1e-6 * row["sums_us"] for row in own) / math.log2(count)
    return model.Machine(f"{count} processes", start, bandwidth, latency, network, hop)


def show_predictions(machine):
    """Times and n_0.8 of a rank, for degree 7."""
    op, rows = model.Operator(7), []
    print(f"\n{machine.name}: {machine.source}\n"
          "  ranks   us at 2 million points each: apply, cg, cg + multigrid   hidden   n_0.8 [million]: the same")
    for ranks in RANKS:
        row = {"machine": machine.name, "ranks": ranks, "source": machine.source}
        row["hidden"] = model.hidden_share(machine, op, 2e6, model.cubic(ranks))
        for kind, seconds in KINDS.items():
            row[f"{kind}_us"] = 1e6 * seconds(machine, op, 2e6, ranks)
            row[f"{kind}_n08"] = model.points_for(0.8, seconds, machine, op, ranks)
        rows.append(row)
        print(f"{ranks:7} " + " ".join(f"{row[f'{kind}_us']:18.0f}" for kind in KINDS) + f" {100 * row['hidden']:8.0f} %"
              + " ".join(f"{1e-6 * row[f'{kind}_n08']:9.2f}" for kind in KINDS))
    return rows


def show_summit():
    """The efficiency on all of Summit at 2.1 million points a GPU, which nekRS has published as 70 to 83 %."""
    op, rows = model.Operator(7), []
    print(f"\n{SUMMIT_RANKS} V100 at {1e-6 * SUMMIT_POINTS:.1f} million points each, of the rate of very many points, and "
          "of that of 5.5 million; nekRS: 70 to 83 %")
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
