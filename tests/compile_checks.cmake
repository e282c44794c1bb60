# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# Tests that only call the compiler or read the sources: headers alone, snippets that must not compile, house rules.

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

# Every header compiles alone, twice in a row, and without a warning.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.hpp)
foreach(header IN LISTS headers)
  set(unit ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp)
  file(CONFIGURE OUTPUT ${unit} CONTENT "#include <@header@>\n#include <@header@>\n" @ONLY)
  string(REGEX REPLACE "\\.hpp$" "" name "${header}")
  string(REPLACE "/" "." name "${name}")
  add_test(NAME header.${name} COMMAND ${compile} -DSUMFAC_OWN_WARNINGS ${SUMFAC_WARNINGS} -Wold-style-cast
                                       -Wdouble-promotion -Werror -Wno-psabi ${unit})
  set_tests_properties(header.${name} PROPERTIES LABELS header TIMEOUT 120)
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
    add_test(NAME compile_pass.${name} COMMAND ${CMAKE_COMMAND} -E echo
      "Skipped: no clang++ with libc++ (Debian: clang and libc++-dev)")
    set_tests_properties(compile_pass.${name} PROPERTIES LABELS compile_pass SKIP_REGULAR_EXPRESSION "^Skipped:")
    continue()
  endif()
  file(STRINGS ${program} options REGEX "^// options: ")
  list(TRANSFORM options REPLACE "^// options: " "")
  list(JOIN options " " options)
  separate_arguments(options NATIVE_COMMAND "${options}")
  add_test(NAME compile_pass.${name}
    COMMAND ${compile} -I${CMAKE_CURRENT_BINARY_DIR}/headers -Wall -Wextra ${options} -Werror -Wno-psabi
            ${CMAKE_CURRENT_SOURCE_DIR}/${program})
  set_tests_properties(compile_pass.${name} PROPERTIES LABELS compile_pass TIMEOUT 120)
endforeach()

# Every snippet of compile_fail/ is refused, with the sentences that its `// expect: ` lines give.
file(GLOB snippets RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS compile_fail/*.cpp)
foreach(snippet IN LISTS snippets)
  cmake_path(GET snippet STEM name)
  add_test(NAME compile_fail.${name}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/tools/check_compile_fail
            ${CMAKE_CURRENT_SOURCE_DIR}/${snippet} -- ${compile} -Wno-psabi)
  set_tests_properties(compile_fail.${name} PROPERTIES LABELS compile_fail TIMEOUT 120)
endforeach()

# The code in README.md and docs/ is code of examples/, and the sources keep the rules of the house.
foreach(tool IN ITEMS check_snippets check_house)
  string(REPLACE "check_" "" name ${tool})
  add_test(NAME ${name} COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/tools/${tool} ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS house TIMEOUT 60)
endforeach()
