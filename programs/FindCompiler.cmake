# The CUDA compiler: where it is, and what it needs of a folder's name.

# nvcc passes names on between double quotes.
if(CMAKE_CURRENT_SOURCE_DIR MATCHES "[\"$`\\\\]")
  message(FATAL_ERROR "nvcc cannot compile in a folder whose name has a \", $, ` or \\; move ${CMAKE_CURRENT_SOURCE_DIR}")
endif()

# Finds it where neither the user nor the PATH names one: where toolkits usually stand, or in .cuda, where
# `make toolkit` puts it. Included before project(), which would otherwise fail without saying what to do.
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(CMAKE_CUDA_COMPILER nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda ${CMAKE_CURRENT_SOURCE_DIR}/.cuda
    PATH_SUFFIXES bin)
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)
    message(FATAL_ERROR "nvcc is missing; `make toolkit` brings the CUDA toolkit 13")
  endif()
endif()

# Has a target look for headers in <folder>. nvcc spells a ' in a folder's name wrongly when it passes -I on; a name that
# begins where the build runs has none.
function(lockstep_include target folder)
  if(folder MATCHES "'")
    set(here ${PROJECT_BINARY_DIR})
    if(NOT CMAKE_GENERATOR MATCHES Ninja)
      set(here ${CMAKE_CURRENT_BINARY_DIR})
    endif()
    file(RELATIVE_PATH folder ${here} ${folder})
    target_compile_options(${target} PRIVATE "-I${folder}")
  else()
    target_include_directories(${target} PRIVATE ${folder})
  endif()
endfunction()
