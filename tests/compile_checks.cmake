# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# Tests that only call the compiler or read the sources: headers alone, tests that a second compiler reads, snippets
# that must or must not compile, house rules.

set(compile ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only
  -I${PROJECT_SOURCE_DIR}/include -I${CMAKE_CURRENT_SOURCE_DIR})
separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
list(APPEND compile ${flags})
if(CMAKE_CXX_COMPILER_TARGET)
  list(APPEND compile --target=${CMAKE_CXX_COMPILER_TARGET})
endif()
if(SUMFAC_NATIVE)
  list(APPEND compile -march=native)
endif()
if(SUMFAC_OPENMP_FOUND)
  list(APPEND compile ${OpenMP_CXX_FLAGS})
endif()

set(read ${compile} -DSUMFAC_OWN_WARNINGS ${SUMFAC_WARNINGS} -Werror -Wno-psabi)

# sumfac_add_check(NAME LABEL COMMAND...): a test of a compiler or of the sources, if its label is asked for.
function(sumfac_add_check name label)
  if(NOT SUMFAC_TESTS_LABELS OR label MATCHES "^(${SUMFAC_TESTS_LABELS})$")
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 120)
  endif()
endfunction()

# Every header compiles alone, twice in a row, and without a warning; in chains, several in a call.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.hpp)
# Those that need another library are read by the tests that have it.
list(FILTER headers EXCLUDE REGEX "interop/(dealii|eigen|hypre|mpi[a-z_]*|nccl|petsc[a-z_]*|sundials)[.]hpp$")
list(FILTER headers EXCLUDE REGEX "interop/detail/(agree|elements_behind|(gathered|packed|shared)_[a-z]+)[.]hpp$")
list(FILTER headers EXCLUDE REGEX "interop/detail/(dealii|plex|petsc)_[a-z_]+[.]hpp$")
set(parts_of_headers 6)
foreach(part RANGE 1 ${parts_of_headers})
  sumfac_add_check(header.${part} header
    Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/tools/check_headers ${PROJECT_SOURCE_DIR}/include
    ${part}/${parts_of_headers} ${headers} -- ${read} -Wold-style-cast -Wdouble-promotion)
  if(TEST header.${part})
    set_tests_properties(header.${part} PROPERTIES TIMEOUT 600)
  endif()
endforeach()

# Headers that users include, and all; users' come first, as in their programs.
set(users_headers ${headers})
list(FILTER users_headers INCLUDE REGEX "^sumfac/([^/]+/)?[^/]+$")
set(all_headers ${users_headers} ${headers})
list(REMOVE_DUPLICATES all_headers)
foreach(list IN ITEMS users_headers all_headers)
  list(TRANSFORM ${list} REPLACE "(.+)" "#include <\\1>")
  list(JOIN ${list} "\n" lines)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/headers/${list}.hpp CONTENT "${lines}\n" @ONLY)
endforeach()

# Sources of users, compiled with options of theirs, which the `// options: ` lines give, and without a warning.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  block()
    set(CMAKE_REQUIRED_FLAGS -stdlib=libc++)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    check_cxx_source_compiles("#include <vector>" LIBCXX_COMPILES)
  endblock()
endif()
file(GLOB programs RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS compile_pass/*.cpp)
foreach(program IN LISTS programs)
  cmake_path(GET program STEM name)
  if(name STREQUAL "libcxx" AND NOT LIBCXX_COMPILES)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND "compile_pass" MATCHES "^(${SUMFAC_TESTS_LABELS})$")
      sumfac_skip(compile_pass.${name} compile_pass "no libc++ (Debian: libc++-dev)")
    endif()
    continue()
  endif()
  file(STRINGS ${program} options REGEX "^// options: ")
  list(TRANSFORM options REPLACE "^// options: " "")
  list(JOIN options " " options)
  separate_arguments(options NATIVE_COMMAND "${options}")
  sumfac_add_check(compile_pass.${name} compile_pass
    ${compile} -I${CMAKE_CURRENT_BINARY_DIR}/headers -Wall -Wextra ${options} -Werror -Wno-psabi
    ${CMAKE_CURRENT_SOURCE_DIR}/${program})
endforeach()

# With the label `read`: one part of each test and example that is not compiled here. For a second compiler with the
# same standard library: what its own rules refuse and its own warnings find.
function(sumfac_read name source)
  list(JOIN sumfac_unread "|" unread)
  if(SUMFAC_TESTS_LABELS AND NOT name MATCHES "${unread}")
    sumfac_add_check(read.${name} read ${read} ${ARGN} ${source})
  endif()
endfunction()

# They find Catch2's header and sumfac.hpp parsed by clang++, which takes such a file with other macros, too; a source
# that defines some, and one of a lower floor, whose names an upper one may have, find Catch2's alone. That each
# includes what it needs is what g++ sees.
set(parsed_headers "")
if(SUMFAC_TESTS_LABELS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(parsed_headers catch2 sumfac)
  set(include_catch2 "#include <catch2/catch.hpp>\n")
  set(include_sumfac "${include_catch2}#include <sumfac/sumfac.hpp>\n")
  set(parse ${read})
  list(REMOVE_ITEM parse -fsyntax-only)
  foreach(header IN LISTS parsed_headers)
    set(parsed_${header} ${CMAKE_CURRENT_BINARY_DIR}/headers/parsed_${header})
    file(CONFIGURE OUTPUT ${parsed_${header}}.hpp CONTENT "${include_${header}}")
    sumfac_add_check(read.${header} read
      ${parse} -x c++-header ${parsed_${header}}.hpp -o ${parsed_${header}}.pch)
    if(TEST read.${header})
      set_tests_properties(read.${header} PROPERTIES FIXTURES_SETUP parsed_${header})
    endif()
  endforeach()
endif()

# sumfac_read_parsed(NAME SOURCE DEFINITION...): the same with what is parsed.
function(sumfac_read_parsed name source)
  if(NOT parsed_headers OR name STREQUAL "view.unchecked")  # which looks at what headers bring with them
    sumfac_read(${name} ${source} ${ARGN})
    return()
  endif()
  set(header catch2)
  file(STRINGS ${source} macros REGEX "^ *# *(define|undef)")
  if(name MATCHES "^(operator|solver|emulated|example)[.]" AND NOT macros)
    set(header sumfac)
  endif()
  sumfac_read(${name} ${source} ${ARGN} -include-pch ${parsed_${header}}.pch)
  if(TEST read.${name})
    set_tests_properties(read.${name} PROPERTIES FIXTURES_REQUIRED parsed_${header})
  endif()
endfunction()

# What another stage compiles by clang++ need not be read by it.
get_property(programs GLOBAL PROPERTY sumfac_programs)
set(compiled "")
foreach(program IN LISTS programs)
  string(REPLACE " " ";" program "${program}")
  list(POP_FRONT program name source)
  sumfac_labels_of(${name} labels)
  if(TARGET test.${name} OR "by_clang" IN_LIST labels)
    list(APPEND compiled ${source})
  endif()
endforeach()
foreach(program IN LISTS programs)
  string(REPLACE " " ";" program "${program}")
  list(POP_FRONT program name source)
  if(source IN_LIST compiled OR
     name MATCHES "^(emulated\\.|interop\\.(dealii$|kokkos$|mpi|petsc|sundials$|coarse_)|intrepid\\.intrepid2$)")
    continue()
  endif()
  list(APPEND compiled ${source})
  list(TRANSFORM program PREPEND -D)
  sumfac_read_parsed(${name} ${CMAKE_CURRENT_SOURCE_DIR}/${source} ${program})
endforeach()
file(GLOB examples RELATIVE ${PROJECT_SOURCE_DIR}/examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp)
foreach(example IN LISTS examples)
  cmake_path(GET example STEM name)
  sumfac_wanted(example.${name} example labels)
  if(NOT labels)
    sumfac_read_parsed(example.${name} ${PROJECT_SOURCE_DIR}/examples/${example})
  endif()
endforeach()

# Every case of compile_fail/ is refused, with the sentences that its `// expect: ` lines give.
set(refuse ${compile} -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  list(APPEND refuse -ferror-limit=0)
endif()
file(GLOB snippets RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS compile_fail/*.cpp)
foreach(snippet IN LISTS snippets)
  cmake_path(GET snippet STEM name)
  sumfac_add_check(compile_fail.${name} compile_fail
    Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/tools/check_compile_fail ${CMAKE_CURRENT_SOURCE_DIR}/${snippet}
    -- ${refuse})
endforeach()

# sumfac_single.hpp is the headers, and errors name those: the check lays out files of its own, in place of include/.
set(compile_single ${compile})
list(REMOVE_ITEM compile_single -fsyntax-only -I${PROJECT_SOURCE_DIR}/include)
sumfac_add_check(single compile_fail
  Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/tools/check_single ${CMAKE_CURRENT_BINARY_DIR}/single
    ${CMAKE_CURRENT_SOURCE_DIR}/compile_fail/solvers.cpp
    ${CMAKE_CURRENT_SOURCE_DIR}/compile_fail/operators.cpp
  -- ${compile_single} -I${CMAKE_CURRENT_SOURCE_DIR} -Wno-psabi)

# The code in README.md and docs/ is code of examples/, and the sources keep the rules of the house.
# The script for machines with a device keeps order and time, and what it has when it is ended; scripts show what they
# do, on terminals and in pipes; histories of the benchmark find what fell; deal.II gets huge pages;
# tunings are ranked without a device.
foreach(tool IN ITEMS tools/check_snippets tools/check_house tools/check_device tools/check_progress bench/check_track
    bench/check_peers bench/check_offline)
  string(REGEX REPLACE ".*/check_" "" name ${tool})
  sumfac_add_check(${name} house Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/${tool} ${PROJECT_SOURCE_DIR})
endforeach()
if(TEST progress)
  set_tests_properties(progress track PROPERTIES TIMEOUT 600)  # they wait, and start many processes
endif()
# It waits for most of a minute: begun first, it waits while others run.
if(TEST device)
  set_tests_properties(device PROPERTIES COST 1000)
endif()
