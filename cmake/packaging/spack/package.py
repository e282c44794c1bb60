# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Spack's recipe of sumfac, for Spack 1.0 and newer."""
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage


class Sumfac(CMakePackage):
    """Matrix-free tensor-product finite-element operators by sum factorization: headers in C++20."""

    homepage = "@HOMEPAGE@"
    url = "@URL@"

    license("BSD-3-Clause")

    version("@VERSION@", sha256="@SHA256@")

    variant("openmp", default=True, description="Let sumfac::sumfac bring OpenMP where the compiler has it")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")

    conflicts("%gcc@:11", msg="sumfac needs C++20 as g++ has it from 12 on")
    conflicts("%clang@:13", msg="sumfac needs C++20 as clang++ has it from 14 on")

    def cmake_args(self):
        return [
            self.define_from_variant("SUMFAC_OPENMP", "openmp"),
            self.define("SUMFAC_TESTS", False),
            self.define("SUMFAC_EXAMPLES", False),
            self.define("SUMFAC_BENCHMARKS", False),
        ]
