# Libraries that are not of the toolkit. A program that needs one is left out where it is missing, unless
# LOCKSTEP_COMPLETE says that all must be built.

option(LOCKSTEP_COMPLETE "Fail where a library is missing, instead of leaving programs out" OFF)

# MPI::MPI_CXX
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)

# NCCL::NCCL, from the system or from the wheel nvidia-nccl-cu13 in .venv
file(GLOB nccl_wheel ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/nccl)
find_path(LOCKSTEP_NCCL_INCLUDE nccl.h HINTS ${nccl_wheel} PATH_SUFFIXES include)
find_library(LOCKSTEP_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${nccl_wheel} PATH_SUFFIXES lib)
if(LOCKSTEP_NCCL_INCLUDE AND LOCKSTEP_NCCL_LIBRARY)
  add_library(NCCL::NCCL UNKNOWN IMPORTED GLOBAL)
  set_target_properties(NCCL::NCCL PROPERTIES
    IMPORTED_LOCATION ${LOCKSTEP_NCCL_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${LOCKSTEP_NCCL_INCLUDE})
endif()

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
