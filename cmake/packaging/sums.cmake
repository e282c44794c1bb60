# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# Writes FOLDER/SHA256SUMS, which sha256sum --check reads, for the files of FOLDER.

file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/sumfac*)
set(sums "")
foreach(file IN LISTS files)
  file(SHA256 ${FOLDER}/${file} sum)
  string(APPEND sums "${sum}  ${file}\n")
endforeach()
file(WRITE ${FOLDER}/SHA256SUMS "${sums}")
