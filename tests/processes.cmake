# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# Tests that run a program by several processes of MPI, on a machine of few cores, where root may run them.
include_guard(GLOBAL)

if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND MPI_CXX_FOUND)
  add_library(sumfac_idle SHARED ${CMAKE_CURRENT_LIST_DIR}/processes/idle.cpp)
  target_compile_options(sumfac_idle PRIVATE -fno-sanitize=all)
endif()

# sumfac_environment_of_processes(COUNT VARIABLE): what so many processes need to know. Three of two threads each would
# wait for each other most of the time on two cores.
function(sumfac_environment_of_processes count variable)
  set(threads 2)
  if(count GREATER 2)
    set(threads 1)
  endif()
  set(environment "OMP_NUM_THREADS=${threads}" OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
    ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0)  # MPI does not free all of its memory
  if(TARGET sumfac_idle)
    list(APPEND environment "LD_PRELOAD=$<TARGET_FILE:sumfac_idle>")
  endif()
  set(${variable} "${environment}" PARENT_SCOPE)
endfunction()

# sumfac_add_run(TEST LABELS COUNT TARGET ARGUMENT...): the test that runs a program by so many processes.
function(sumfac_add_run test labels count target)
  add_test(NAME ${test}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${count} $<TARGET_FILE:${target}> ${ARGN})
  sumfac_environment_of_processes(${count} environment)
  if(TARGET sumfac_idle)
    add_dependencies(${target} sumfac_idle)
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${labels};processes" TIMEOUT 300 ENVIRONMENT "${environment}"
    PROCESSORS 2)
endfunction()
