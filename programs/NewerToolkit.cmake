# Programs that need a newer toolkit than the others (NEWER_TOOLKIT). None of them runs here: that they compile and link, for
# one architecture, shows that every name in them exists and is used as that toolkit declares it.

# The compiler of .cuda/newer, where `python3 ci setup toolkit cuda-newer` puts it.
find_program(LOCKSTEP_NEWER_NVCC nvcc PATHS ${PROJECT_SOURCE_DIR}/.cuda/newer/bin NO_DEFAULT_PATH)

# Sets <result> to a compiler of toolkit <version> or newer, the usual one if it is; to nothing where there is none.
function(lockstep_newer_compiler result version)
  foreach(compiler IN ITEMS ${CMAKE_CUDA_COMPILER} ${LOCKSTEP_NEWER_NVCC})
    execute_process(COMMAND ${compiler} --version OUTPUT_VARIABLE said ERROR_QUIET)
    if(said MATCHES "release ([0-9]+\\.[0-9]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL version)
      set(${result} ${compiler} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

# Compiles and links <name>.cu with a newer toolkit, or leaves it out where there is none; for lockstep_program, whose
# arguments it uses.
function(lockstep_newer_program name folder)
  lockstep_newer_compiler(compiler ${arg_NEWER_TOOLKIT})
  if(NOT compiler)
    lockstep_leave_out(${folder}/${name}
      "it needs the CUDA toolkit ${arg_NEWER_TOOLKIT}, which `python3 ci setup toolkit cuda-newer` brings")
    return()
  endif()
  lockstep_count(COMPILED ${name})
  set(architecture 90)
  if(arg_MIN_CC)
    set(architecture ${arg_MIN_CC})
  endif()
  # Relative to where the command runs: what it notes as dependencies is read from there.
  file(RELATIVE_PATH source ${CMAKE_CURRENT_BINARY_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cu)
  file(RELATIVE_PATH include ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/programs/include)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${compiler} -std=c++${LOCKSTEP_CUDA_STANDARD} -O3 -arch=sm_${architecture} -I ${include}
      ${LOCKSTEP_CODE_OPTIONS} ${LOCKSTEP_WARNING_OPTIONS} ${arg_OPTIONS}
      -MD -MF ${name}.d -MT ${object} -c ${source} -o ${object}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cu
    DEPFILE ${CMAKE_CURRENT_BINARY_DIR}/${name}.d
    COMMENT "Compiling ${name} with the CUDA toolkit ${arg_NEWER_TOOLKIT} or newer"
    VERBATIM)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.linked
    COMMAND ${compiler} ${object} -o ${name}.linked
    DEPENDS ${object}
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name}.linked)
  set_property(GLOBAL APPEND PROPERTY LOCKSTEP_TARGETS ${name})
endfunction()
