# Libraries that are not of the toolkit. A program that needs one is left out where it is missing, unless
# LOCKSTEP_COMPLETE says that all must be built.

option(LOCKSTEP_COMPLETE "Fail where a library is missing, instead of leaving programs out" OFF)

# MPI::MPI_CXX
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)

# NCCL::NCCL, from the system or from the wheel that ci/setup.sh puts into .cuda/nccl
set(nccl_wheel ${PROJECT_SOURCE_DIR}/.cuda/nccl)
find_path(LOCKSTEP_NCCL_INCLUDE nccl.h HINTS ${nccl_wheel} PATH_SUFFIXES include)
find_library(LOCKSTEP_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${nccl_wheel} PATH_SUFFIXES lib)
if(LOCKSTEP_NCCL_INCLUDE AND LOCKSTEP_NCCL_LIBRARY)
  add_library(NCCL::NCCL UNKNOWN IMPORTED GLOBAL)
  set_target_properties(NCCL::NCCL PROPERTIES IMPORTED_LOCATION ${LOCKSTEP_NCCL_LIBRARY})  # lockstep_program adds headers
endif()

# Says that a program is not compiled, and why; fails where nothing may be left out.
function(lockstep_leave_out program reason)
  if(LOCKSTEP_COMPLETE)
    message(FATAL_ERROR "${program} cannot be compiled: ${reason}; ci/setup.sh check installs what is missing")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY LOCKSTEP_LEFT_OUT "left out: ${program}: ${reason}\n")
  set_property(GLOBAL APPEND PROPERTY LOCKSTEP_COUNT_LEFT_OUT ${program})
endfunction()

# Has each complete build end in how many programs are declared, compiled and left out, the last with the reason for each.
function(lockstep_summary)
  foreach(kind DECLARED COMPILED NOT_COMPILED LEFT_OUT)
    get_property(programs GLOBAL PROPERTY LOCKSTEP_COUNT_${kind})
    list(LENGTH programs ${kind})
  endforeach()
  get_property(reasons GLOBAL PROPERTY LOCKSTEP_LEFT_OUT)
  get_property(targets GLOBAL PROPERTY LOCKSTEP_COUNT_COMPILED)
  string(CONCAT count "programs: ${DECLARED} declared, ${COMPILED} compiled, "
    "${NOT_COMPILED} must not compile, ${LEFT_OUT} left out\n")
  file(WRITE ${PROJECT_BINARY_DIR}/summary.txt "${reasons}${count}")
  message(STATUS "${reasons}${count}")
  add_custom_target(summary ALL COMMAND ${CMAKE_COMMAND} -E cat ${PROJECT_BINARY_DIR}/summary.txt VERBATIM)
  if(targets)
    add_dependencies(summary ${targets})
  endif()
endfunction()

# Sets <result> to the libraries of a list that this machine lacks.
function(lockstep_missing_libraries result)
  set(missing)
  foreach(library IN LISTS ARGN)
    if(NOT TARGET ${library})
      list(APPEND missing ${library})
    endif()
  endforeach()
  set(${result} ${missing} PARENT_SCOPE)
endfunction()
