# Writes what a program was built from beside it: hash and path of its sources and of all project headers.
# cmake -D OUT=<file> -D PROGRAMS=<folder> -D "SOURCES=<file>|<file>" -P stamp.cmake

cmake_minimum_required(VERSION 3.24...3.25)
string(REPLACE "|" ";" sources "${SOURCES}")
file(GLOB_RECURSE headers "${PROGRAMS}/include/*")
set(lines "")
foreach(source IN LISTS sources headers)
  file(SHA256 "${source}" hash)
  file(RELATIVE_PATH name "${PROGRAMS}" "${source}")
  string(APPEND lines "${hash} ${name}\n")
endforeach()
file(WRITE "${OUT}" "${lines}")
