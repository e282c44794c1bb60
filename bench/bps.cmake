# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# The program `bps`, for the benchmarks and for the test of it.

# sumfac_add_bps(TARGET SUBJECT...): a program with these problems and degrees, as BPS3/2; a source each, compiled in
# parallel.
function(sumfac_add_bps target)
  set(folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  add_executable(${target} ${folder}/host/bps.cpp ${folder}/subjects/solver_mesh.cpp)
  target_link_libraries(${target} PRIVATE sumfac_development)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  foreach(subject IN LISTS ARGN)
    if(NOT subject MATCHES "^BPS([1-6])/([1-9]|1[0-5])$")
      message(FATAL_ERROR "sumfac: ${target} cannot have ${subject}: BPS1 to BPS6 of degrees 1 to 15 are known")
    endif()
    set(type bp${CMAKE_MATCH_1})
    set(order ${CMAKE_MATCH_2})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/units/${target}_${type}_${order}.cpp)
    file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
      "#include \"@folder@/subjects/solvers.hpp\"\nusing namespace sumfac::bench;\n\
static solver_entered const entered_here(solver_case<problems::@type@, @order@>::entry());\n")
    target_sources(${target} PRIVATE ${file})
  endforeach()
endfunction()
