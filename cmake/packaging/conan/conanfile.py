# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Conan's recipe of sumfac, for Conan 2."""
from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import get


class Sumfac(ConanFile):
    name = "sumfac"
    version = "@VERSION@"
    description = "Matrix-free tensor-product finite-element operators by sum factorization: headers in C++20"
    license = "BSD-3-Clause"
    homepage = "@HOMEPAGE@"
    topics = ("finite-elements", "matrix-free", "sum-factorization", "high-order", "header-only")
    package_type = "header-library"
    languages = "C++"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def layout(self):
        cmake_layout(self, src_folder="source")

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for programs in ("TESTS", "EXAMPLES", "BENCHMARKS"):
            toolchain.cache_variables[f"SUMFAC_{programs}"] = False
        toolchain.generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # sumfac's own files for CMake, which find OpenMP, CUDA and HIP where the package is used.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["."]
        self.cpp_info.set_property("pkg_config_name", "sumfac")
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
