# What a declaration may say: the one list of keywords, for the build (LockstepProgram.cmake) and for the tools
# (declarations.cmake).

# lockstep_program(<name>
#     [MIN_CC <cc>]           lowest compute capability that can run it, as 90
#     [MAX_CC <cc>]           highest compute capability that the checks compile it for, where newer GPUs lack what it asks for
#     [MIN_GPUS <n>]          GPUs it needs
#     [NEWER_TOOLKIT <version>]  CUDA toolkit it needs, as 13.1, where the others need less; it is compiled and linked with that
#                             one, for one architecture, and never run, so it is UNRECORDED, too
#     [ARCHS <archs>...]      fixed architectures, for programs about what a binary holds
#     [ARCH_SPECIFIC]         uses instructions of one architecture only: 90 becomes 90a
#     [SEPARABLE]             relocatable device code
#     [SOURCES <file>...]     further translation units, what they include, and scripts that its commands run
#     [OPTIONS <option>...]   further compiler options
#     [LIBS <target>...]      libraries
#     [DATA <file>...]        series that its recorded commands write
#     [PICTURES <file>...]    pictures that its recorded commands write: .ppm in color or .pgm in gray; kept as .png
#     [SMALL <argument>...]   arguments of a run small enough for tools that slow it down, and for the emulator
#     [EXPECT_SANITIZER <tool>...]  compute-sanitizer tools that must report something, since the page shows it
#     [SKIP_SANITIZER <tool>...]   tools that cannot run it, or have nothing to say of it
#     [SKIP_REASON <reason>]  why, where there are such tools
#     [TIMEOUT <seconds>]     for one recorded command, if not 60
#     [PLAIN]                 takes no arguments, and does not look at any
#     [MUST_NOT_COMPILE]      its page shows what the compiler says; nothing is built
#     [EXERCISE]              the source holds a learner's part; its starter and mutants are built, too
#     [TOOLS <tool>...]       what a learner's solution must pass beyond its values; ci/lockstep/exercises/requirements.py lists them
#     [UNRECORDED <reason>]   cannot run on the recording machine; its page shows the reason
#     [NO_EMULATION <reason>] cannot run in the emulator; its card says why
#     [NO_BROWSER <reason>]   runs in the emulator, but not in a browser; its card says why
#     [EMULATOR_FINDS <text>] the emulator stops it where the GPU goes on, with a message that holds this;
#                             "--wrong: text" says so of another run than the first
#     [STEPS])                its card lets a reader step through its kernels
set(LOCKSTEP_FLAGS PLAIN ARCH_SPECIFIC SEPARABLE MUST_NOT_COMPILE EXERCISE STEPS)
set(LOCKSTEP_NUMBERS MIN_CC MAX_CC MIN_GPUS TIMEOUT)
set(LOCKSTEP_VERSIONS NEWER_TOOLKIT)
set(LOCKSTEP_REASONS UNRECORDED SKIP_REASON NO_EMULATION NO_BROWSER EMULATOR_FINDS)  # texts that readers or checks see
set(LOCKSTEP_LISTS ARCHS SOURCES OPTIONS LIBS DATA PICTURES SMALL EXPECT_SANITIZER SKIP_SANITIZER TOOLS)

# The C++ standard of every program.
set(LOCKSTEP_CUDA_STANDARD 17)

# Reads the arguments of the function lockstep_program into arg_<KEYWORD>; sets <mistake> to what is wrong with them, or to
# nothing.
macro(lockstep_read_declaration mistake)
  cmake_parse_arguments(PARSE_ARGV 1 arg
    "${LOCKSTEP_FLAGS}" "${LOCKSTEP_NUMBERS};${LOCKSTEP_VERSIONS};${LOCKSTEP_REASONS}" "${LOCKSTEP_LISTS}")
  set(${mistake} "")
  foreach(lockstep_keyword IN LISTS LOCKSTEP_REASONS)
    if(lockstep_keyword IN_LIST ARGN AND "${arg_${lockstep_keyword}}" MATCHES "^[ \t\r\n]*$")
      set(${mistake} "${lockstep_keyword} needs a reason; say why, in a few words")
    endif()
  endforeach()
  if(DEFINED arg_SKIP_SANITIZER AND NOT DEFINED arg_SKIP_REASON)
    set(${mistake} "SKIP_SANITIZER needs a reason; add SKIP_REASON, and say why in a few words")
  endif()
  foreach(lockstep_keyword IN LISTS arg_SKIP_SANITIZER arg_EXPECT_SANITIZER)
    if(NOT lockstep_keyword MATCHES "^(memcheck|racecheck|initcheck|synccheck)$")
      set(${mistake} "${lockstep_keyword} is no sanitizer; there are memcheck, racecheck, initcheck, synccheck")
    endif()
  endforeach()
  foreach(lockstep_keyword IN LISTS arg_PICTURES)
    if(NOT lockstep_keyword MATCHES "^[A-Za-z0-9_]+\\.p[gp]m$")
      set(${mistake} "PICTURES takes files such as rotated.ppm or rotated.pgm, not ${lockstep_keyword}")
    endif()
  endforeach()
  foreach(lockstep_keyword IN LISTS LOCKSTEP_VERSIONS)
    if(DEFINED arg_${lockstep_keyword} AND NOT "${arg_${lockstep_keyword}}" MATCHES "^[0-9]+\\.[0-9]+$")
      set(${mistake} "${lockstep_keyword} takes a version such as 13.1, not ${arg_${lockstep_keyword}}")
    endif()
  endforeach()
  if(DEFINED arg_NEWER_TOOLKIT AND NOT DEFINED arg_UNRECORDED)
    set(${mistake} "NEWER_TOOLKIT is for programs that are never run; add UNRECORDED, and say why in a few words")
  endif()
  foreach(lockstep_keyword IN LISTS LOCKSTEP_NUMBERS)
    if(DEFINED arg_${lockstep_keyword} AND NOT "${arg_${lockstep_keyword}}" MATCHES "^[0-9]+$")
      set(${mistake} "${lockstep_keyword} takes a whole number, not ${arg_${lockstep_keyword}}")
    endif()
  endforeach()
  if(arg_KEYWORDS_MISSING_VALUES AND "${${mistake}}" STREQUAL "")
    list(GET arg_KEYWORDS_MISSING_VALUES 0 lockstep_keyword)
    set(${mistake} "${lockstep_keyword} needs a value; programs/ProgramKeywords.cmake says which")
  endif()
  if(DEFINED arg_UNPARSED_ARGUMENTS AND "${${mistake}}" STREQUAL "")
    list(GET arg_UNPARSED_ARGUMENTS 0 lockstep_keyword)
    set(${mistake} "unknown argument ${lockstep_keyword}; programs/ProgramKeywords.cmake lists them")
  endif()
endmacro()
