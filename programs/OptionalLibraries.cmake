# Libraries that are not of the toolkit. A program that needs one is left out where it is missing, unless
# LOCKSTEP_COMPLETE says that all must be built.

# MPI::MPI_CXX
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)

# OpenMP::OpenMP_CXX, which links OpenMP's library; what nvcc compiles needs the option -Xcompiler=-fopenmp as well
find_package(OpenMP QUIET COMPONENTS CXX)

# OpenGL::OpenGL and OpenGL::EGL, for OpenGL without a window; Vulkan::Vulkan
set(OpenGL_GL_PREFERENCE GLVND)
find_package(OpenGL QUIET COMPONENTS OpenGL EGL)
find_package(Vulkan QUIET)

# NCCL::NCCL, from the system or from the wheel that ci/setup.sh puts into .cuda/nccl
set(nccl_wheel ${PROJECT_SOURCE_DIR}/.cuda/nccl)
find_path(LOCKSTEP_NCCL_INCLUDE nccl.h HINTS ${nccl_wheel} PATH_SUFFIXES include)
find_library(LOCKSTEP_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${nccl_wheel} PATH_SUFFIXES lib)
if(LOCKSTEP_NCCL_INCLUDE AND LOCKSTEP_NCCL_LIBRARY)
  add_library(NCCL::NCCL UNKNOWN IMPORTED GLOBAL)
  set_target_properties(NCCL::NCCL PROPERTIES IMPORTED_LOCATION ${LOCKSTEP_NCCL_LIBRARY})  # lockstep_program adds headers
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
