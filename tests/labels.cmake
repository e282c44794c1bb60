# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# Which tests the stages of .ci/run build and run, by ctest's labels; docs/building.md says what each stage is for.

# sumfac_label(LABEL REGEX...): the tests and examples whose name matches one of these.
function(sumfac_label label)
  list(APPEND sumfac_labels_known ${label})
  set(sumfac_labels_known ${sumfac_labels_known} PARENT_SCOPE)
  set(sumfac_names_${label} ${ARGN} PARENT_SCOPE)
endfunction()

# A minute's worth for those who change something.
sumfac_label(quick "^(view|math|reference|basis)\\." "^backend\\.(buffer|host)$"
  "^operator\\.(arguments|dispatch|host_f64_low|layouts)$")

# For those who use sumfac: that it works here. Each floor, each backend (the host, `checked`, emulated devices), each
# kind of geometry, operator and solver once.
sumfac_label(user "^(view|math|basis)\\." "^reference\\.(element|global)$" "^backend\\.(buffer|host|checked)$"
  "^mesh\\.(boundary_faces|element_geometry|locator)$" "^dofs\\.restriction$"
  "^form\\.tangent$" "^intrepid\\.contractions$"
  "^operator\\.(checked_f64_low|dispatch|face_operator|global_precision|host_f64_low|layouts)$" "^points\\.evaluator$"
  "^tools\\.explain$"
  "^operator\\.(recomputed_(affine|trilinear)_low|spaces|split|threads|two_spaces|updates)$"
  "^instances\\.(host_f64|host_f64_more|checked_f64)$"
  "^solver\\.(assemble|cg|krylov|merged_cg|multigrid|schwarz_spaces_host)$"
  "^emulated\\.(cg|operators|runtime|two_spaces|vectors)$"
  "^example\\.(contractions|first_poisson|getting_started|newton|own_form|own_solver)$")

# clang++ and the smallest processor, few cases (support/few.hpp): of each floor what runs differently there, kernels on
# the host, on `checked` and emulated, threads by OpenMP; the rest it only reads.
sumfac_label(clang "^view\\.(layout|view)$" "^math\\.(functions|pack)$" "^backend\\.(checked_fibers|host)$"
  "^mesh\\.element_geometry$" "^operator\\.(host_f64_low|layouts|threads)$" "^emulated\\.vectors$"
  "^intrepid\\.contractions$" "^solver\\.(merged_cg|vector_ops)$" "^example\\.(getting_started|several_targets)$")

# What clang++ need not read of what it does not compile: of kinds that differ in numbers and sizes alone one is read,
# and examples are in the stage `packages`, with the library as one file.
set(sumfac_unread "^intrepid\\.(large|wide)$" "^example\\."
  "^operator\\.(global_precision_(checked|components|factors|policies)|isoparametric_high|precision_degrees)$"
  "^operator\\.streamed_global$")

# AddressSanitizer and UndefinedBehaviorSanitizer: of each kind of memory one program at the lowest degree, most of them
# with few cases (support/few.hpp). Views and packs; buffers, and what threads of the `checked` backend share; geometry
# of elements, of faces and in other orders; restrictions; operators on E-vectors, in layouts, on global vectors in one
# sweep, in mixed precision, on faces; vectors of the host and of an emulated device; solvers' workspaces, multigrid's
# levels; processes, with their halo and points; contractions on the host and in device kernels. Left out is what other
# programs here touch too, what only computes, and basis, computed at compile time, where the compiler refuses what is
# undefined. Views check their indices in all stages.
sumfac_label(sanitize "^view\\." "^math\\.(functions|pack|small)$" "^backend\\.(buffer|checked_fibers|host|own_vector)$"
  "^mesh\\.(boundary_faces|element_geometry|element_order|mesh_nodes)$" "^dofs\\.restriction(_tables)?$"
  "^operator\\.(arguments|face_operator|host_f64_low|layouts)$" "^emulated\\.vectors$"
  "^solver\\.(cg_allocations|merged_cg|multigrid|refinement|vector_ops)$" "^interop\\.(mdspan|mpi)$"
  "^intrepid\\.(checked|contractions|strategies)$" "^example\\.getting_started$")

# ThreadSanitizer: what starts threads.
sumfac_label(threads "^backend\\." "^mesh\\.element_geometry$" "^operator\\.threads$")

# AArch64, emulated: packs, and operators; the same in registers of SVE.
sumfac_label(arm "^math\\." "^operator\\.(arguments|layouts)$" "^sve$")

# Compiled without optimization, which is most of what a test costs: it takes 0.4 of the time to compile, and the
# kernels of small meshes run as long as before. Nothing is inlined against the compiler's will either. The preset asan
# has these options everywhere: a look at memory is compiled once, not wherever it is inlined. Optimized stays what
# looks at the code that users run: the kernels of the host at all degrees and in both number types, stored, recomputed
# and mixed; packs, idle lanes and layouts; vectors that are streamed or prefetched; threads; what is timed; and what
# runs long.
set(sumfac_unoptimized -O0 -Dalways_inline=__unused__)
sumfac_label(unoptimized "^emulated\\." "^bench\\.(ladder_|streams)" "^(mesh|dofs|points|form|tensor|jit)\\."
  "^tools\\.(explain|tune)"
  "^intrepid\\.(arguments|checked|intrepid2|scalars|strategies|threads)$"
  "^operator\\.(apply_element|arguments|asked_members|cells|checked_|coefficients|collocation|constraints|patches$)"
  "^operator\\.(face_operator|form_promises|interior_|global_(scalar|subsets)|inputs_|isoparametric$|meshes|own_)"
  "^operator\\.(policies_|precision_factors|scales|spaces|split|sum|tangents|two_spaces|updates|variants|ways_)"
  "^solver\\.(assemble|blocks|cg|chebyshev|krylov|merged_cg|multigrid|null_space|own_preconditioner|parts|refinement)"
  "^solver\\.(newton|scales|schwarz|symmetry|table|transfer)"
  "^interop\\.(coarse_|contractions|dealii|gmsh|kokkos|mpi|petsc|sundials)"
  "^reference\\.(cells|constraints|faces|nested)$" "^instances\\.")
# And all examples but those that run longer then than they compile, or have options of their own.
set(sumfac_optimized_examples "^example\\.(global_vectors|neo_hookean|one_file|poisson|several_targets)$")

# sumfac_labels_of(NAME RESULT): the labels of a test.
function(sumfac_labels_of name result)
  set(labels "")
  foreach(label IN LISTS sumfac_labels_known)
    foreach(regex IN LISTS sumfac_names_${label})
      if(name MATCHES "${regex}")
        list(APPEND labels ${label})
        set_property(GLOBAL APPEND PROPERTY sumfac_labels_used "${label} ${regex}")
      endif()
    endforeach()
  endforeach()
  if(name MATCHES "^example\\." AND NOT name MATCHES "${sumfac_optimized_examples}")
    list(APPEND labels unoptimized)
  endif()
  list(REMOVE_DUPLICATES labels)
  # Each is compiled by one of two compilers in .ci/run: without optimization by clang++, which takes 0.6 of the time of
  # g++, in the stage `unoptimized`; what is optimized, and all that `tests/run` shows to users, by g++ in the stage
  # `tests`. One program has all of instances/, which is clang++'s, and g++'s is one group.
  if(NOT "unoptimized" IN_LIST labels OR name STREQUAL "instances.host_f64" OR
     ("user" IN_LIST labels AND NOT name MATCHES "^instances\\."))
    list(APPEND labels by_gcc)
  endif()
  if("unoptimized" IN_LIST labels AND (NOT "user" IN_LIST labels OR name MATCHES "^instances\\."))
    list(APPEND labels by_clang)
  endif()
  set(${result} ${labels} PARENT_SCOPE)
endfunction()

# sumfac_wanted(NAME KIND RESULT): the labels of a test, KIND among them; or none if it is not asked for.
function(sumfac_wanted name kind result)
  sumfac_labels_of(${name} labels)
  list(APPEND labels ${kind})
  set(wanted TRUE)
  if(NOT name MATCHES "${SUMFAC_TESTS_MATCHING}")
    set(labels "")
  elseif(SUMFAC_TESTS_LABELS)
    set(both ${labels})
    list(FILTER both INCLUDE REGEX "^(${SUMFAC_TESTS_LABELS})$")
    if(NOT both)
      set(labels "")
    endif()
  endif()
  set(${result} ${labels} PARENT_SCOPE)
endfunction()

# sumfac_skip(NAME LABELS REASON): a test that cannot be here, which is skipped and says why. Where all are meant to
# run, tests/tools/slowest says which reasons are no failure.
function(sumfac_skip name labels reason)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "Skipped: ${reason}")
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" SKIP_REGULAR_EXPRESSION "^Skipped:")
endfunction()

# A name that has gone, or changed, shall not take tests from a stage unnoticed.
function(sumfac_check_labels)
  get_property(used GLOBAL PROPERTY sumfac_labels_used)
  foreach(label IN LISTS sumfac_labels_known)
    foreach(regex IN LISTS sumfac_names_${label})
      if(NOT "${label} ${regex}" IN_LIST used)
        message(FATAL_ERROR "sumfac: tests/labels.cmake gives ${label} to ${regex}, which matches no test: correct it")
      endif()
    endforeach()
  endforeach()
endfunction()
