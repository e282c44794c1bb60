# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Huge pages for deal.II, which takes its vectors from malloc: sumfac's buffers ask for theirs by themselves."""

import os
import pathlib
import platform

TUNABLE = "glibc.malloc.hugetlb"
KERNEL = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")


def environment(variables=None, kernel=KERNEL, libc=None):
    """The variables that deal.II's programs get, none where they would not help or the user has chosen, and a sentence
    that says so."""
    variables = os.environ if variables is None else variables
    given = variables.get("GLIBC_TUNABLES", "")
    if TUNABLE in given:
        return {}, f"deal.II as GLIBC_TUNABLES={given} has it"
    name, version = platform.libc_ver() if libc is None else libc
    if name != "glibc" or [int(part) for part in version.split(".")[:2]] < [2, 35]:
        return {}, f"deal.II without huge pages: glibc 2.35 is needed, and this is {name or 'none'} {version}".rstrip()
    try:
        mode = kernel.read_text(encoding="ascii").split("[")[1].split("]")[0]
    except (OSError, IndexError):
        mode = "unknown"
    if mode in ("never", "unknown"):
        return {}, f"deal.II without huge pages: {kernel} is {mode}"
    tunables = ":".join(filter(None, [given, f"{TUNABLE}=1"]))
    return {"GLIBC_TUNABLES": tunables}, f"deal.II with huge pages: GLIBC_TUNABLES={tunables}"


def noted(variables):
    """What results say beside each row: deal.II's tunables, and the cores that others kept busy before."""
    others = os.environ.get("SUMFAC_BENCH_OTHERS")
    tunables = {"dealii_tunables": variables.get("GLIBC_TUNABLES", "")}
    return tunables | ({"others_cores": float(others)} if others else {})
