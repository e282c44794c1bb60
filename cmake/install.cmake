# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# Installs the headers, the CMake package (found by find_package(sumfac)) and the pkg-config file.

# Where SUMFAC_INSTALL is off, as below another project, they are not part of what is installed as a whole, and
# `cmake --install BUILD --component sumfac` installs them. The rules are there all the same: a project that exports
# targets of its own that link to sumfac::sumfac could not be configured without.
set(whole COMPONENT sumfac)
if(NOT SUMFAC_INSTALL)
  list(APPEND whole EXCLUDE_FROM_ALL)
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/sumfac)
set(pkgconfig_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)

install(DIRECTORY include/sumfac DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${whole} FILES_MATCHING PATTERN "*.hpp")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/sumfac ${whole})

install(TARGETS sumfac EXPORT sumfac INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT sumfac NAMESPACE sumfac:: FILE sumfac-targets.cmake DESTINATION ${package_dir} ${whole})
# The same for who exports targets from the build, which is a package, too.
export(EXPORT sumfac NAMESPACE sumfac:: FILE sumfac-targets.cmake)
configure_file(cmake/sumfac_backends.cmake ${CMAKE_CURRENT_BINARY_DIR}/sumfac_backends.cmake COPYONLY)

configure_package_config_file(cmake/sumfac-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/sumfac-config.cmake
  INSTALL_DESTINATION ${package_dir})
configure_file(cmake/sumfac-config-version.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/sumfac-config-version.cmake @ONLY)
install(FILES
    ${CMAKE_CURRENT_BINARY_DIR}/sumfac-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/sumfac-config-version.cmake
    cmake/sumfac_backends.cmake
  DESTINATION ${package_dir} ${whole})

# The prefix is written relative to the file's own folder, so that an installation can be moved; folders that are told
# as absolute paths are written as they are.
set(pkgconfig_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${pkgconfig_dir})
  file(RELATIVE_PATH pkgconfig_prefix /prefix/${pkgconfig_dir} /prefix)
  string(REGEX REPLACE "^(.*[^/])/?$" "\${pcfiledir}/\\1" pkgconfig_prefix "${pkgconfig_prefix}")
endif()
set(pkgconfig_includedir ${CMAKE_INSTALL_INCLUDEDIR})
if(NOT IS_ABSOLUTE ${pkgconfig_includedir})
  string(PREPEND pkgconfig_includedir "\${prefix}/")
endif()
configure_file(cmake/sumfac.pc.in ${CMAKE_CURRENT_BINARY_DIR}/sumfac.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sumfac.pc DESTINATION ${pkgconfig_dir} ${whole})
