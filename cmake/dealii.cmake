# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# deal.II for tests and examples, where it is installed (Debian, Ubuntu: libdeal.ii-dev).

# sumfac_find_dealii(FOUND): whether it is there; then the target sumfac_dealii has its headers and libraries.
function(sumfac_find_dealii found)
  if(NOT TARGET sumfac_dealii)
    find_package(deal.II 9.4 QUIET)
    if(deal.II_FOUND)
      add_library(sumfac_dealii INTERFACE IMPORTED GLOBAL)
      target_include_directories(sumfac_dealii SYSTEM INTERFACE ${DEAL_II_INCLUDE_DIRS})
      target_compile_definitions(sumfac_dealii INTERFACE ${DEAL_II_USER_DEFINITIONS})
      target_link_libraries(sumfac_dealii INTERFACE ${DEAL_II_LIBRARIES_RELEASE})
      # GNU's other linker reads the many libraries behind deal.II's for a quarter of a minute.
      include(CheckLinkerFlag)
      check_linker_flag(CXX -fuse-ld=gold SUMFAC_GOLD_LINKS)
      if(SUMFAC_GOLD_LINKS)
        target_link_options(sumfac_dealii INTERFACE -fuse-ld=gold)
      endif()
    endif()
  endif()
  set(${found} FALSE PARENT_SCOPE)
  if(TARGET sumfac_dealii)
    set(${found} TRUE PARENT_SCOPE)
  endif()
endfunction()
