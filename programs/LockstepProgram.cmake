# lockstep_program(): declares one program of the site.

include(${CMAKE_CURRENT_LIST_DIR}/ProgramKeywords.cmake)

# What reaches the machine code of every program; part of each transcript's key.
set(LOCKSTEP_CODE_OPTIONS -lineinfo)

# Warnings are errors, on both sides of the compiler. They change no code and no key.
set(LOCKSTEP_WARNING_OPTIONS -Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Werror)

set(LOCKSTEP_TOOLS ${PROJECT_SOURCE_DIR}/ci)  # `python3 ci` lists its commands
option(LOCKSTEP_SANITIZE "Run each program under the four compute-sanitizer tools" OFF)

# A compiler cache, when there is one: warm builds take seconds.
find_program(LOCKSTEP_CCACHE ccache)
if(LOCKSTEP_CCACHE)
  set(CMAKE_CUDA_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${LOCKSTEP_CCACHE})
endif()

# The first architecture of every generation that this nvcc knows. CMake's own all-major is a table, and that of
# Debian 12's CMake is older than CUDA 13.
set(LOCKSTEP_MAJOR_ARCHITECTURES)
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9]+" listed "${listed}")
list(SORT listed COMPARE NATURAL)
foreach(architecture IN LISTS listed)
  string(REGEX REPLACE ".$" "" generation ${architecture})
  if(NOT generation IN_LIST generations)
    list(APPEND generations ${generation})
    list(APPEND LOCKSTEP_MAJOR_ARCHITECTURES ${architecture}-real)
  endif()
endforeach()
string(REGEX REPLACE "-real$" "" LOCKSTEP_MAJOR_ARCHITECTURES "${LOCKSTEP_MAJOR_ARCHITECTURES}")  # the newest as PTX too

# Most of a compilation is reading headers, once for each virtual architecture. Where a program's text asks for none, it
# is read for these; machine code for those between is made of the PTX of the one before, as a driver would make it.
list(GET LOCKSTEP_MAJOR_ARCHITECTURES -1 LOCKSTEP_NEWEST_ARCHITECTURE)
set(LOCKSTEP_READ_FOR 90 ${LOCKSTEP_NEWEST_ARCHITECTURE})  # and for the first that a program compiles for

# Where all major architectures are asked for, the first that a program compiles for, 9.0 and the newest stand for them,
# and it is read for the first two only; of an exercise, the mutants are left out. `make check ALL=1` has it all.
option(LOCKSTEP_ALL_MAJOR "Build for every major architecture, and the mutants of exercises" OFF)

# lockstep_program(<name> [keyword...]); ProgramKeywords.cmake lists the keywords.
#
# Builds <name>.cu in this folder, and adds these tests:
#   <part>.<page>.<name>            runs the recorded commands and compares (labels gpu, recording, and alone if it measures)
#   exits                           each program without a device exits 77, with a bad argument 2 unless it is PLAIN
#   <tool>.<part>.<page>.<name>     under LOCKSTEP_SANITIZE (labels gpu, sanitize)
#   exercise.<part>.<page>.<name>.<variant>   the solution passes, the starter and each mutant fail (labels gpu, exercise)
function(lockstep_program name)
  lockstep_read_declaration(mistake)
  if(mistake)
    message(FATAL_ERROR "lockstep_program(${name}): ${mistake}")
  endif()

  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/programs ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "." test ${folder}.${name})

  lockstep_count(DECLARED ${name})
  lockstep_missing_libraries(missing ${arg_LIBS})
  if(missing)
    list(JOIN missing ", " missing)
    lockstep_leave_out(${folder}/${name} "this machine lacks ${missing}")
    return()
  endif()
  if(arg_MUST_NOT_COMPILE)
    lockstep_count(NOT_COMPILED ${name})
  elseif(arg_NEWER_TOOLKIT)
    lockstep_newer_program(${name} ${folder})
  else()
    lockstep_count(COMPILED ${name})
    lockstep_architectures(architectures "${arg_ARCHS}" "${arg_MIN_CC}" "${arg_MAX_CC}" "${arg_ARCH_SPECIFIC}")
    set(shared)
    set(read_for ${LOCKSTEP_READ_FOR})
    set(short OFF)
    if(CMAKE_CUDA_ARCHITECTURES STREQUAL "all-major" AND NOT LOCKSTEP_ALL_MAJOR)
      set(short ON)
      if(NOT arg_ARCHS)
        lockstep_short_architectures(architectures)
        set(read_for 90)
      endif()
    endif()
    file(STRINGS ${name}.cu asked REGEX "__CUDA_ARCH|NV_IF_TARGET")
    if(CMAKE_CUDA_ARCHITECTURES STREQUAL "all-major" AND NOT asked AND NOT arg_ARCHS AND NOT arg_SEPARABLE)
      lockstep_share_ptx(architectures shared "${read_for}")
    endif()
    lockstep_executable(${name} ${name}.cu "${architectures}")
    target_compile_options(${name} PRIVATE ${shared})
    lockstep_stamp(${name} ${name}.cu ${arg_SOURCES})
    set(takes arguments)
    if(arg_PLAIN)
      set(takes nothing)
    endif()
    set_property(GLOBAL APPEND_STRING PROPERTY LOCKSTEP_EXITS "${takes} $<TARGET_FILE:${name}>\n")
  endif()

  if(arg_EXERCISE)
    lockstep_variants(${name} ${test})
  endif()

  set(labels gpu recording)
  if(arg_MIN_GPUS GREATER 1)
    list(APPEND labels multi-gpu)
  endif()
  # What is measured, or counted by ncu, is disturbed by whatever else runs.
  set(alone OFF)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.console)
    file(STRINGS ${name}.console measures REGEX "^[^$#].*~[-+0-9]|^\\$ .*ncu ")
    if(measures)
      set(alone ON)
      list(APPEND labels alone)
    endif()
  endif()
  add_test(NAME ${test}
    COMMAND Python3::Interpreter ${LOCKSTEP_TOOLS} gpu-check program --build ${PROJECT_BINARY_DIR}
      --keep ${PROJECT_BINARY_DIR}/rerun ${folder}/${name})
  set_tests_properties(${test} PROPERTIES LABELS "${labels}" SKIP_RETURN_CODE 77 RUN_SERIAL ${alone})

  if(LOCKSTEP_SANITIZE AND NOT arg_MUST_NOT_COMPILE AND NOT arg_NEWER_TOOLKIT)
    foreach(tool memcheck racecheck initcheck synccheck)
      if(NOT tool IN_LIST arg_SKIP_SANITIZER)
        set(expectation clean)
        if(tool IN_LIST arg_EXPECT_SANITIZER)
          set(expectation findings)
        endif()
        add_test(NAME ${tool}.${test}
          COMMAND Python3::Interpreter ${LOCKSTEP_TOOLS} gpu-check sanitize ${tool} ${expectation}
            $<TARGET_FILE:${name}> ${arg_SMALL})
        set_tests_properties(${tool}.${test} PROPERTIES LABELS "gpu;sanitize" SKIP_RETURN_CODE 77)
        if(arg_TIMEOUT)  # the longest first, or all wait for it in the end
          set_tests_properties(${tool}.${test} PROPERTIES COST ${arg_TIMEOUT})
        endif()
      endif()
    endforeach()
  endif()
endfunction()

# Builds <source>, and the program's further units, as <target>, for <architectures>; for lockstep_program, whose arguments
# it uses.
function(lockstep_executable target source architectures)
  add_executable(${target} ${source} ${arg_SOURCES})
  set_property(GLOBAL APPEND PROPERTY LOCKSTEP_TARGETS ${target})
  if(arg_OPTIONS MATCHES "-std=")  # it has to stand last, and some versions of CMake put theirs after all options
    target_compile_options(${target} PRIVATE -std=c++${LOCKSTEP_CUDA_STANDARD})
  else()
    set_target_properties(${target} PROPERTIES
      CUDA_STANDARD ${LOCKSTEP_CUDA_STANDARD}
      CUDA_STANDARD_REQUIRED ON
      CUDA_EXTENSIONS OFF)
  endif()
  set_target_properties(${target} PROPERTIES
    CUDA_ARCHITECTURES "${architectures}"
    CUDA_RUNTIME_LIBRARY Shared
    CUDA_SEPARABLE_COMPILATION ${arg_SEPARABLE})
  lockstep_include(${target} ${PROJECT_SOURCE_DIR}/programs/include)
  if(NCCL::NCCL IN_LIST arg_LIBS)
    lockstep_include(${target} ${LOCKSTEP_NCCL_INCLUDE})
  endif()
  target_compile_options(${target} PRIVATE ${LOCKSTEP_CODE_OPTIONS} ${LOCKSTEP_WARNING_OPTIONS} ${arg_OPTIONS})
  target_link_libraries(${target} PRIVATE ${arg_LIBS})
endfunction()

# Has the hashes of what <target> is built from written beside it: the recorder runs no program that is older than its sources.
function(lockstep_stamp target)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(JOIN ARGN "|" sources)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -D "OUT=$<TARGET_FILE:${target}>.sources" -D "PROGRAMS=${PROJECT_SOURCE_DIR}/programs"
      -D "SOURCES=${sources}" -P ${PROJECT_SOURCE_DIR}/programs/stamp.cmake
    VERBATIM)
endfunction()

# Reduces <list> to the first architecture, 9.0 and the newest.
function(lockstep_short_architectures list)
  list(GET ${list} 0 first)
  list(GET ${list} -1 newest)
  set(kept ${first})
  foreach(architecture IN LISTS ${list})
    if(architecture MATCHES "^90" OR architecture STREQUAL newest)
      list(APPEND kept ${architecture})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES kept)
  set(${list} ${kept} PARENT_SCOPE)
endfunction()

# Takes the architectures off <list> for which the PTX of an earlier one will do, which are those but the first that are not
# in <read_for>; sets <options> to those that make machine code for them.
function(lockstep_share_ptx list options read_for)
  set(read)
  set(shared)
  foreach(architecture IN LISTS ${list})
    string(REGEX REPLACE "-.*" "" number ${architecture})
    if(read AND NOT number IN_LIST read_for)
      list(APPEND shared "--generate-code=arch=compute_${earlier},code=[sm_${number}]")
    else()
      list(APPEND read ${architecture})
      set(earlier ${number})
    endif()
  endforeach()
  set(${list} ${read} PARENT_SCOPE)
  set(${options} ${shared} PARENT_SCOPE)
endfunction()

# Builds the starter and, unless the build is short, the mutants of an exercise, and adds their tests and the
# solution's; for lockstep_program, whose arguments it uses.
function(lockstep_variants name test)
  set(exercise ${LOCKSTEP_TOOLS} exercise)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cu)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${exercise} variants ${source}
    OUTPUT_VARIABLE variants OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(JOIN arg_TOOLS "," tools)
  if(short)
    set(variants starter)
  endif()
  foreach(variant solution ${variants})
    set(target ${name})
    set(expected pass)
    if(NOT variant STREQUAL solution)
      set(target ${name}.${variant})
      set(expected fail)
      set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}.cu)
      add_custom_command(OUTPUT ${generated}
        COMMAND Python3::Interpreter ${exercise} write ${variant} ${source} ${generated}
        DEPENDS ${source} ${PROJECT_SOURCE_DIR}/ci/lockstep/exercises/parts.py)
      # Only tests run it, on one GPU; where many architectures are asked for, the first shows that it compiles.
      list(GET architectures 0 first)
      lockstep_executable(${target} ${generated} ${first})
    endif()
    add_test(NAME exercise.${test}.${variant}
      COMMAND Python3::Interpreter ${exercise} judge "--tools=${tools}" ${expected} $<TARGET_FILE:${target}> ${arg_SMALL})
    set_tests_properties(exercise.${test}.${variant} PROPERTIES LABELS "gpu;exercise" SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# Sets <result> to the architectures to compile for: those asked for on the command line, less those
# below <min_cc> and above <max_cc>; or <fixed>, whatever was asked for.
function(lockstep_architectures result fixed min_cc max_cc arch_specific)
  if(fixed)
    set(${result} ${fixed} PARENT_SCOPE)
    return()
  endif()
  set(wanted ${CMAKE_CUDA_ARCHITECTURES})
  if(wanted STREQUAL "native")
    set(wanted ${CMAKE_CUDA_ARCHITECTURES_NATIVE})
    if(NOT wanted)
      set(wanted 90-real)  # no GPU here: build for the machine that recorded the site
    endif()
  elseif(wanted STREQUAL "all-major")
    set(wanted ${LOCKSTEP_MAJOR_ARCHITECTURES})
  endif()
  set(chosen)
  foreach(architecture IN LISTS wanted)
    string(REGEX MATCH "^[0-9]+" number ${architecture})
    if((min_cc AND number LESS min_cc) OR (max_cc AND number GREATER max_cc) OR (arch_specific AND NOT number EQUAL min_cc))
      continue()
    endif()
    if(arch_specific)
      string(REGEX REPLACE "^[0-9]+" "${number}a" architecture ${architecture})
    endif()
    list(APPEND chosen ${architecture})
  endforeach()
  if(NOT chosen)  # compiles everywhere, runs where the hardware allows
    set(nearest ${min_cc})
    if(NOT nearest)
      set(nearest ${max_cc})
    endif()
    set(chosen ${nearest}-real)
    if(arch_specific)
      set(chosen ${nearest}a-real)
    endif()
  endif()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# Writes which programs owe what to a reader without a GPU, and adds the test of all of them.
function(lockstep_exits)
  get_property(executables GLOBAL PROPERTY LOCKSTEP_EXITS)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/exits.txt CONTENT "${executables}")
  add_test(NAME exits
    COMMAND Python3::Interpreter ${LOCKSTEP_TOOLS} program exits --build ${PROJECT_BINARY_DIR})
  set_tests_properties(exits PROPERTIES LABELS exits)
endfunction()
