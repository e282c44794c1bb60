# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# The target `release`: in release/ of the build, the sources and the installed headers as archives, the library as one
# file, and the sums of the three. `package` and `package_source`, CPack's own, make the archives alone.

set(CPACK_PACKAGE_VENDOR "The sumfac authors")
set(CPACK_PACKAGE_FILE_NAME sumfac-${PROJECT_VERSION}-headers)
set(CPACK_SOURCE_PACKAGE_FILE_NAME sumfac-${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_GENERATOR TGZ)
set(CPACK_SOURCE_GENERATOR TGZ)
# What .gitignore names, of these sources: a folder above may well be called build. CPack drops a backslash of each two.
string(REGEX REPLACE "([][+.*()^$?|])" "\\\\\\\\\\1" sources "${PROJECT_SOURCE_DIR}")
set(CPACK_SOURCE_IGNORE_FILES
  "^${sources}/(\\\\.git|\\\\.deps|build|build-[^/]*)/"
  "^${sources}/(\\\\.git|CMakeUserPresets\\\\.json)$"
  "/__pycache__/")
set(CMAKE_SKIP_PACKAGE_ALL_DEPENDENCY TRUE)  # the library is headers: nothing is built for a package
include(CPack)

find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  return()
endif()
set(release ${CMAKE_CURRENT_BINARY_DIR}/release)
add_custom_target(release
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${release}
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${CMAKE_CURRENT_BINARY_DIR}/CPackSourceConfig.cmake -B ${release}
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${CMAKE_CURRENT_BINARY_DIR}/CPackConfig.cmake -B ${release}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${release}/_CPack_Packages
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/cmake/amalgamate -o ${release}/sumfac_single.hpp
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${release} -P ${PROJECT_SOURCE_DIR}/cmake/packaging/sums.cmake
  COMMENT "sumfac ${PROJECT_VERSION}: archives, one file and their sums in ${release}"
  VERBATIM)
