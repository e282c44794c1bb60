# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# The target sumfac_development: sumfac::sumfac with the warnings and options of the library's own programs.

set(SUMFAC_TESTS_MATCHING "" CACHE STRING
  "Build only the tests and examples whose name, as view.extents, matches this regular expression")
set(SUMFAC_TESTS_LABELS "" CACHE STRING
  "Build and know only the tests and examples with one of these labels of ctest, as clang|header")
option(SUMFAC_TESTS_FEW "Tests look at few sizes, degrees and number types, as for sanitizers" OFF)
include(${PROJECT_SOURCE_DIR}/tests/labels.cmake)

# What was compiled before comes from ccache, where it is installed; keyed so that a clone in another folder, or another
# build of the same options, finds it too. By what the compiler says it has read (CCACHE_DEPEND), which spares ccache a
# run of the preprocessor for each source that it does not have.
option(SUMFAC_CCACHE "Compile tests, examples and benchmarks through ccache where it is installed" ON)
find_program(SUMFAC_CCACHE_PROGRAM ccache)
mark_as_advanced(SUMFAC_CCACHE_PROGRAM)
if(SUMFAC_CCACHE AND SUMFAC_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What -march=native stands for is part of the key: the cache may be another machine's.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ - INPUT_FILE /dev/null
    OUTPUT_VARIABLE processor ERROR_QUIET)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/processor.txt "${processor}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_EXTRAFILES=${CMAKE_CURRENT_BINARY_DIR}/processor.txt ${SUMFAC_CCACHE_PROGRAM})
endif()

# With these ccache knows which parsed header a source read: g++ tells it, and clang++ makes the same one again.
set(sumfac_reads_parsed "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(sumfac_reads_parsed -fpch-preprocess)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(sumfac_reads_parsed "SHELL:-Xclang -fno-pch-timestamp")
endif()

# What each object and link costs is kept, for tests/tools/slowest.
find_program(SUMFAC_BASH bash)
mark_as_advanced(SUMFAC_BASH)
if(SUMFAC_BASH AND NOT "${PROJECT_SOURCE_DIR}${CMAKE_BINARY_DIR}" MATCHES " ")
  set(timed "${SUMFAC_BASH} ${PROJECT_SOURCE_DIR}/tests/tools/timed ${CMAKE_BINARY_DIR}/processor_seconds.txt")
  set_property(GLOBAL PROPERTY RULE_LAUNCH_COMPILE "${timed} <OBJECT>")
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${timed} link:<TARGET_NAME>")
endif()

# GNU ld takes three to ten times as long as others, with deal.II's libraries 17 s.
if(SUMFAC_TESTS AND NOT CMAKE_CROSSCOMPILING AND NOT "${CMAKE_EXE_LINKER_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fuse-ld")
  include(CheckCXXSourceCompiles)
  foreach(linker IN ITEMS lld gold)
    set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=${linker})
    check_cxx_source_compiles("int main() { return 0; }" SUMFAC_LINKS_BY_${linker})
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    if(SUMFAC_LINKS_BY_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()

add_library(sumfac_development INTERFACE)
target_link_libraries(sumfac_development INTERFACE sumfac::sumfac)

set(SUMFAC_WARNINGS -Wall -Wextra -Wconversion)
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # clang++ warns of local names that hide one of a namespace that a `using namespace` names, as weak::h, too.
  list(APPEND SUMFAC_WARNINGS -Wshadow)
endif()
set(SUMFAC_DEVELOPMENT_OPTIONS ${SUMFAC_WARNINGS})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ remarks that vectors wider than a register changed their calling convention long ago.
  list(APPEND SUMFAC_DEVELOPMENT_OPTIONS -Wno-psabi)
  # It collects garbage above half a GiB alone, which takes 0.05 off its time.
  list(APPEND SUMFAC_DEVELOPMENT_OPTIONS --param=ggc-min-heapsize=524288)
endif()
if(SUMFAC_WERROR)
  list(APPEND SUMFAC_DEVELOPMENT_OPTIONS -Werror)
endif()
if(SUMFAC_NATIVE)
  list(APPEND SUMFAC_DEVELOPMENT_OPTIONS -march=native)
endif()
target_compile_definitions(sumfac_development INTERFACE SUMFAC_OWN_WARNINGS)
target_compile_options(sumfac_development INTERFACE ${SUMFAC_DEVELOPMENT_OPTIONS})
