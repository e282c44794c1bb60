# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# Runs PROGRAM by three processes and expects that it ends by itself, failing, with what process 1 has thrown: MESSAGE.

execute_process(COMMAND ${MPIEXEC} -n 3 ${PROGRAM} TIMEOUT 60 RESULT_VARIABLE result OUTPUT_VARIABLE text
  ERROR_VARIABLE text)
if(result EQUAL 0 OR NOT result MATCHES "^[0-9]+$")
  message(FATAL_ERROR "three processes of which one throws: `${result}`, a number that is not 0 was expected\n${text}")
endif()
if(NOT text MATCHES "${MESSAGE}")
  message(FATAL_ERROR "three processes of which one throws: its message is missing\n${text}")
endif()
