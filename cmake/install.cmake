# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# Installs the headers, the CMake package (found by find_package(sumfac)) and the pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/sumfac)
set(pkgconfig_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)

install(DIRECTORY include/sumfac DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/sumfac)

install(TARGETS sumfac EXPORT sumfac INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT sumfac NAMESPACE sumfac:: FILE sumfac-targets.cmake DESTINATION ${package_dir})

configure_package_config_file(cmake/sumfac-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/sumfac-config.cmake
  INSTALL_DESTINATION ${package_dir})
# Headers only: one installation serves every architecture. Before 1.0, minor versions may break.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/sumfac-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
    ${CMAKE_CURRENT_BINARY_DIR}/sumfac-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/sumfac-config-version.cmake
    cmake/sumfac_backends.cmake
  DESTINATION ${package_dir})

# The prefix is written relative to the file's own folder, so that an installation can be moved.
file(RELATIVE_PATH prefix_from_pkgconfig /prefix/${pkgconfig_dir} /prefix)
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
configure_file(cmake/sumfac.pc.in ${CMAKE_CURRENT_BINARY_DIR}/sumfac.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sumfac.pc DESTINATION ${pkgconfig_dir})
