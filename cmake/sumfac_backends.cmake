# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# What sumfac's targets find on a machine: OpenMP, CUDA and HIP; shared by the build and the installed package.

# Links `target` to OpenMP where SUMFAC_OPENMP is on and the compiler has it. In the build the link is wrapped in
# BUILD_INTERFACE, since the installed package looks for OpenMP again.
function(sumfac_link_openmp target wrap)
  set(found OFF)
  if(SUMFAC_OPENMP)
    find_package(OpenMP QUIET COMPONENTS CXX)
    if(OpenMP_CXX_FOUND)
      set(found ON)
      if(wrap)
        target_link_libraries(${target} INTERFACE $<${wrap}:OpenMP::OpenMP_CXX>)
      else()
        target_link_libraries(${target} INTERFACE OpenMP::OpenMP_CXX)
      endif()
    endif()
  endif()
  set(SUMFAC_OPENMP_FOUND ${found} PARENT_SCOPE)
endfunction()

# Adds sumfac::cuda and sumfac::hip where `backends` names them and their compiler is found, and lists in
# SUMFAC_BACKENDS_FOUND what can be built here.
function(sumfac_add_backends backends)
  set(found "")
  foreach(backend IN LISTS backends)
    if(backend MATCHES "^(host|checked)$")
      list(APPEND found ${backend})
    elseif(backend STREQUAL "cuda")
      find_package(CUDAToolkit 12 QUIET)
      if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE)
        list(APPEND found cuda)
        if(NOT TARGET sumfac::cuda)
          add_library(sumfac::cuda INTERFACE IMPORTED)
          # CMake 3.25 knows no CUDA_STANDARD 20 for CUDA 13: the option is passed as it is.
          target_compile_options(sumfac::cuda INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>")
          target_link_libraries(sumfac::cuda INTERFACE sumfac::sumfac CUDA::cudart)
        endif()
      endif()
    elseif(backend STREQUAL "hip")
      # CMake's HIP language does not configure with Debian's hipcc: sources are compiled by calling hipcc.
      find_program(SUMFAC_HIPCC hipcc HINTS ENV ROCM_PATH /opt/rocm PATH_SUFFIXES bin)
      mark_as_advanced(SUMFAC_HIPCC)
      if(SUMFAC_HIPCC)
        list(APPEND found hip)
        if(NOT TARGET sumfac::hip)
          add_library(sumfac::hip INTERFACE IMPORTED)
          target_compile_options(sumfac::hip INTERFACE "$<$<COMPILE_LANGUAGE:HIP>:-std=c++20>")
          target_link_libraries(sumfac::hip INTERFACE sumfac::sumfac)
        endif()
      endif()
    else()
      message(FATAL_ERROR "sumfac: SUMFAC_BACKENDS names the unknown backend `${backend}`: "
                          "choose from host, checked, cuda, hip")
    endif()
  endforeach()
  set(SUMFAC_BACKENDS_FOUND ${found} PARENT_SCOPE)
endfunction()
