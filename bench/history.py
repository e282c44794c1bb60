#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Appends results of `roofline` to a history of runs, as a share of their roofs, and says which share fell."""

import argparse
import contextlib
import fcntl
import json
import math
import os
import pathlib
import statistics
import sys

FORMAT = "sumfac history 1"
# Runs are compared where these agree. Another version of the same compiler is compared too, and the table says so.
SAME = ("machine", "threads", "simd", "flags", "layout")
BUSY = 0.2  # cores of others, as in tests/tools/machine.sh
TEXTS = ("date", "commit", "machine", "compiler", "simd", "flags", "layout")


class Refused(Exception):
    """What is wrong with a file or an option, in a sentence."""


def main():
    arguments = read_arguments()
    try:
        if not arguments.results:
            print(f"{arguments.history}: {len(read_history(arguments.history))} runs")
            return 0
        run = run_of([read_results(path) for path in arguments.results], arguments)
        with locked(arguments.history):
            runs = read_history(arguments.history)
            if any(run["date"] == other["date"] and ratios_of(run) == ratios_of(other) for other in runs):
                raise Refused(f"{arguments.history} has this run of {run['date']} already: it is not appended twice")
            before = runs_before(run, runs, arguments.last)
            rows = compared(run, before, arguments.threshold / 100)
            mark_fallen(run, rows)
            write_history(arguments.history, [*runs, run])
    except Refused as sentence:
        print(f"track: {sentence}", file=sys.stderr)
        return 2
    print(report(run, before, rows, arguments))
    return 1 if any(row["fell"] for row in rows) and not arguments.accept else 0


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=pathlib.Path, nargs="*",
                        help="JSON of roofline, a file for each round of a run; without, the history is only looked at")
    parser.add_argument("--history", type=pathlib.Path, default=pathlib.Path("build/results/history.json"))
    parser.add_argument("--threshold", type=percent, default=10.0, help="per cent of a ratio that may go, beside noise")
    parser.add_argument("--last", type=positive, default=5, help="runs whose median is compared with")
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--dirty", action="store_true", help="the sources are not those of the commit")
    parser.add_argument("--machine", help="its name (default: processor, cores and caches)")
    parser.add_argument("--accept", action="store_true", help="what fell is the new measure")
    return parser.parse_args()


def percent(text):
    value = float(text)
    if not 0 < value < 100:
        raise argparse.ArgumentTypeError(f"{text} is no per cent between 0 and 100")
    return value


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number above 0")
    return value


def read_results(path):
    """What roofline wrote; refuses all else."""
    results = load(path, "results of roofline")
    if not isinstance(results, dict) or not isinstance(results.get("context"), dict):
        raise Refused(f"{path} has no context: these are no results of roofline")
    rows = results.get("benchmarks")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise Refused(f"{path} has no benchmarks: these are no results of roofline")
    for row in rows:
        if not isinstance(row.get("name"), str) or not is_number(row.get("seconds")) or roof_of(row) is None:
            raise Refused(f"{path} has a benchmark without name, seconds or a roof ({row.get('name')}): these are no "
                          "results of roofline")
    names = [row["name"] for row in rows]
    if len(set(names)) < len(names):
        raise Refused(f"{path} has {len(names) - len(set(names))} names twice: these are no results of one run")
    if not isinstance(results["context"].get("date"), str):
        raise Refused(f"{path} does not say when it was measured: these are no results of roofline on a host")
    return results


def load(path, what):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refused(f"{path} cannot be read as {what} ({error})") from None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def roof_of(row):
    """The lower roof's name and the share of it that was reached: of the stream of the same bytes, or of the peak."""
    roofs = {"stream": row.get("stream", row.get("roofline")), "peak": row.get("peak", row.get("shared_roofline"))}
    roofs = {name: value for name, value in roofs.items() if is_number(value) and value > 0}
    return max(roofs.items(), key=lambda roof: roof[1]) if roofs else None


def run_of(rounds, arguments):
    """A run of the history: of each configuration the median over rounds, and how far rounds are apart."""
    first = rounds[0]["context"]
    run = {"date": first["date"], "commit": arguments.commit, "dirty": arguments.dirty,
           "machine": arguments.machine or machine_of(first), "compiler": str(first.get("compiler", "")),
           "flags": str(first.get("flags", "")), "simd": str(first.get("simd", "")),
           "layout": str(first.get("layout", "")), "threads": first.get("threads", 1), "rounds": len(rounds)}
    others = [one["context"]["others_cores"] for one in rounds if is_number(one["context"].get("others_cores"))]
    if others:
        run["others_cores"] = max(others)
    if arguments.accept:
        run["accepted"] = True
    for one in rounds[1:]:
        if any(one["context"].get(name) != first.get(name) for name in ("cpu", "threads", "simd", "compiler", "flags")):
            raise Refused("rounds of one run must be of one machine and build: these differ")
    by_name = [{row["name"]: row for row in one["benchmarks"]} for one in rounds]
    if any(one.keys() != by_name[0].keys() for one in by_name):
        raise Refused("rounds of one run must have the same configurations: these differ")
    run["configurations"] = {name: configuration([one[name] for one in by_name]) for name in by_name[0]}
    return run


def machine_of(context):
    if "device" in context:
        return context["device"]
    caches = ", ".join(f"{level} {context[name] / 2**20:g} MiB" for level, name in
                       (("L2", "L2_bytes"), ("last level", "last_level_bytes")) if is_number(context.get(name)))
    return f"{context.get('cpu', 'unknown processor')} ({caches})"


def configuration(rows):
    """With one round alone its spread is how far the median of its samples is above the least."""
    roof, _ = roof_of(rows[0])
    ratios = [roof_of(row)[1] for row in rows]
    middle = statistics.median(ratios)
    if len(rows) > 1:
        spread = (max(ratios) - min(ratios)) / 2 / middle
    else:
        spread = rows[0]["seconds"] / rows[0]["least_seconds"] - 1 if is_number(rows[0].get("least_seconds")) else 0.0
    return {"ratio": round(middle, 6), "spread": round(spread, 6), "roof": roof}


@contextlib.contextmanager
def locked(path):
    """Others that append wait: the folder is locked, so that no file of a lock is left behind."""
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(path.resolve().parent, os.O_RDONLY)
    except OSError as error:
        raise Refused(f"the folder of {path} cannot be used ({error.strerror})") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def read_history(path):
    """The runs, none where there is no file; a file that is no history is refused, and left as it is."""
    if not os.path.lexists(path):
        return []
    history = load(path, "a history: repair it, or name another file by --history")
    if not isinstance(history, dict) or history.get("format") != FORMAT or not isinstance(history.get("runs"), list):
        raise Refused(f"{path} is no history ({FORMAT} expected): name another file by --history")
    for number, run in enumerate(history["runs"], 1):
        if not is_run(run):
            raise Refused(f"{path}: run {number} of {len(history['runs'])} is damaged: repair it, or name another file "
                          "by --history")
    return history["runs"]


def is_run(run):
    return (isinstance(run, dict) and all(isinstance(run.get(name), str) for name in TEXTS)
            and isinstance(run.get("dirty"), bool) and is_number(run.get("threads"))
            and isinstance(run.get("configurations"), dict)
            and all(isinstance(one, dict) and is_number(one.get("ratio")) and one["ratio"] > 0
                    and is_number(one.get("spread")) for one in run["configurations"].values()))


def write_history(path, runs):
    """The old file is whole until the new one is."""
    target = path.resolve()
    part = target.with_name(target.name + ".part")
    runs = sorted(runs, key=lambda run: run["date"])
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write('{"format": ' + json.dumps(FORMAT) + ', "runs": [\n')
            file.write(",\n".join(json.dumps(run) for run in runs))
            file.write("\n]}\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    except OSError as error:
        raise Refused(f"{path} cannot be written ({error.strerror}): name another file by --history") from None


def comparable(one, other):
    return all(one[name] == other[name] for name in SAME) and kind(one["compiler"]) == kind(other["compiler"])


def ratios_of(run):
    return {name: one["ratio"] for name, one in run["configurations"].items()}


def kind(compiler):
    return compiler.split(" ")[0]


def runs_before(run, runs, last):
    """Those of the same machine and flags before it, from the newest accepted one on, that have its configurations."""
    before = [other for other in runs if other["date"] <= run["date"] and comparable(run, other)]
    for i in range(len(before) - 1, -1, -1):
        if before[i].get("accepted"):
            before = before[i:]
            break
    return {name: [other for other in before if is_measure(other, name)][-last:] for name in run["configurations"]}


def is_measure(run, name):
    """A ratio that fell is no measure of those that follow, unless it was accepted."""
    return name in run["configurations"] and (run.get("accepted", False) or "fell" not in run["configurations"][name])


def compared(run, before, threshold):
    """A row for each configuration that has runs before it. Noise is the largest of twice the scatter of those runs
    (their median absolute deviation, as a standard deviation), of their spreads' median and of this run's spread; a
    fall counts where it is larger than threshold and noise together."""
    rows = []
    for name, one in run["configurations"].items():
        others = [other["configurations"][name] for other in before[name]]
        if not others:
            continue
        ratios = [other["ratio"] for other in others]
        middle = statistics.median(ratios)
        scatter = 2 * 1.4826 * statistics.median(abs(ratio - middle) for ratio in ratios) / middle
        noise = max(scatter, one["spread"], statistics.median(other["spread"] for other in others))
        change = one["ratio"] / middle - 1
        rows.append({"name": name, "before": middle, "now": one["ratio"], "change": change, "noise": noise,
                     "runs": len(others), "fell": -change > threshold + noise, "roof": one.get("roof", "")})
    return rows


def mark_fallen(run, rows):
    for row in rows:
        if row["fell"]:
            run["configurations"][row["name"]]["fell"] = round(-row["change"], 4)


def report(run, before, rows, arguments):
    fallen = [row for row in rows if row["fell"]]
    what = f"{run['commit']}{' with changes' if run['dirty'] else ''}"
    lines = []
    if fallen:
        lines.append(f"{'':44} {'before':>7} {'now':>7} {'change':>7} {'noise':>7} {'runs':>5}  roof")
        lines += [f"{row['name']:44} {row['before']:7.3f} {row['now']:7.3f} {100 * row['change']:6.1f}% "
                  f"{100 * row['noise']:6.1f}% {row['runs']:5d}  {row['roof']}"
                  for row in sorted(fallen, key=lambda row: row["change"])]
    compilers = {other["compiler"] for others in before.values() for other in others} - {run["compiler"]}
    if compilers:
        lines.append(f"compared are runs by {', '.join(sorted(compilers))} with this one by {run['compiler']}")
    noisy = sum(row["noise"] > arguments.threshold / 100 for row in rows)
    if noisy:
        lines.append(f"of {len(rows)} ratios {noisy} have noise above {arguments.threshold:g} %: of these only larger "
                     "falls are seen")
    if run.get("others_cores", 0) > BUSY and fallen:
        lines.append(f"others used {run['others_cores']:g} cores before it was measured: measure again on a quiet "
                     "machine")
    count = len(run["configurations"])
    if not rows:
        lines.append(f"{what}: {count} ratios, the first of this machine and these flags in {arguments.history}")
    elif fallen:
        word = "accepted as the new measure" if arguments.accept else "--accept makes it the new measure"
        lines.append(f"{what}: {len(fallen)} of {len(rows)} ratios fell by more than {arguments.threshold:g} % and "
                     f"noise ({word})")
    else:
        worst = min(rows, key=lambda row: row["change"])
        lines.append(f"{what}: none of {len(rows)} ratios fell by more than {arguments.threshold:g} % and noise; the "
                     f"lowest change is {100 * worst['change']:+.1f} % ({worst['name']})")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
