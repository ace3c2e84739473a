# Finds the CUDA compiler where neither the user nor the PATH names one: where toolkits usually stand, or in .cuda, where
# `make toolkit` puts it. Included before project(), which would otherwise fail without saying what to do.

if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(CMAKE_CUDA_COMPILER nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda ${CMAKE_CURRENT_SOURCE_DIR}/.cuda
    PATH_SUFFIXES bin)
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)
    message(FATAL_ERROR "nvcc is missing; `make toolkit` brings the CUDA toolkit 13")
  endif()
endif()
