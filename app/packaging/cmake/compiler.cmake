# What every target is compiled with. A folder's own list names only its sources and what it links.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(TCPSCOPE_CCACHE ccache)
if(TCPSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What one checkout has compiled serves every other, wherever they lie; precompiled headers are known by what is in them.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TCPSCOPE_CCACHE})
endif()

# Links in a third of the time; g++ cannot optimise across files with it, which release builds do.
find_program(TCPSCOPE_LLD ld.lld)
if(TCPSCOPE_LLD AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_link_options(-fuse-ld=lld)
endif()

# What makes a fault in memory harder to exploit, the same for every target: precompiled headers are for one set of flags. A flag
# that a processor or compiler does not have is left out. tests/app/packaging/hardening.py reads from each program what came of it.
add_compile_definitions(_GLIBCXX_ASSERTIONS)
include(CheckCXXCompilerFlag)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER TCPSCOPE_HAS${flag} is_known)
  check_cxx_compiler_flag(${flag} ${is_known})
  if(${is_known})
    add_compile_options(${flag})
  endif()
endforeach()
# Checked calls of the C library exist only in optimised code, and the sanitizers intercept the unchecked ones.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" MATCHES "-O[1-3gsz]" AND NOT TCPSCOPE_SANITIZERS)
  set(TCPSCOPE_FORTIFIED TRUE)
  # A packager's flags and some compilers define it, too.
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
else()
  set(TCPSCOPE_FORTIFIED FALSE)
endif()
# -fPIE for a directory stands before the -fPIC that Qt demands for what includes it; the last one counts.
add_compile_options(-fPIE)
add_link_options(-pie -Wl,-z,relro,-z,now,-z,noexecstack)

add_library(tcpscope_compiler INTERFACE)
target_include_directories(tcpscope_compiler INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(tcpscope_compiler INTERFACE
  # Some libraries ask for it, and precompiled headers are for one value of _REENTRANT only.
  -pthread
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wnull-dereference
  # g++ 12 with optimisation warns about its own std::string (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

if(TCPSCOPE_SANITIZERS)
  target_compile_options(tcpscope_compiler INTERFACE
    -fsanitize=${TCPSCOPE_SANITIZERS} -fno-omit-frame-pointer -fno-sanitize-recover=all
    # g++ 12 sees null pointers in the code that its own sanitizers add.
    -Wno-null-dereference $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(tcpscope_compiler INTERFACE -fsanitize=${TCPSCOPE_SANITIZERS})
endif()

# clang takes less than half the time for sanitized code without optimisation; for g++ it makes no difference. core, but for
# core/present, and collectors are optimised all the same: tests and fuzzers spend their time there. What a fuzzer learns nothing
# from, the tests and the desktop, does without its instrumentation, too. Tests do without the checks of null and misaligned
# pointers, which take a fifth of the time to compile them, and so may functions that they get from headers. Null ends a program
# anyway; what parses bytes is in source files, which have the checks, as the fuzzers do.
set(TCPSCOPE_UNOPTIMIZED "")
set(TCPSCOPE_QUICKLY_COMPILED "")
set(test_options "")
if(TCPSCOPE_SANITIZERS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(TCPSCOPE_UNOPTIMIZED -O0)
  set(TCPSCOPE_QUICKLY_COMPILED -O0)
  set(test_options -fno-sanitize=null,alignment,object-size)
  if(TCPSCOPE_LIBFUZZER)
    list(APPEND TCPSCOPE_QUICKLY_COMPILED -fno-sanitize=fuzzer-no-link)
  endif()
endif()
# What users wait for at their first start: what asks, draws and prints is most of the code, and takes two thirds of the time with
# little optimisation. Packets, samples and rows pass through core, collectors and app/session, which have all of it, and so has
# app/changes: without inlining the compiler knows the sizes of few buffers, and the privileged helper would call nothing checked.
set(TCPSCOPE_LITTLE_OPTIMIZED "$<$<CONFIG:Release>:-O1>")
if(TCPSCOPE_TESTS)
  find_package(GTest REQUIRED)
  add_library(tcpscope_test_compiler INTERFACE)
  target_link_libraries(tcpscope_test_compiler INTERFACE GTest::gmock)
  target_compile_options(tcpscope_test_compiler INTERFACE ${TCPSCOPE_QUICKLY_COMPILED} ${test_options})
endif()

if(TCPSCOPE_LIBFUZZER)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(TCPSCOPE_TIDY)
  find_program(TCPSCOPE_CLANG_TIDY NAMES clang-tidy-14 clang-tidy REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY ${TCPSCOPE_CLANG_TIDY} --quiet)
endif()

# Presets decide on three things that a packager's build does without: warnings as errors (CMAKE_COMPILE_WARNING_AS_ERROR),
# several source files of a library or of a test compiled as one (CMAKE_UNITY_BUILD) and precompiled headers
# (TCPSCOPE_PRECOMPILE, see precompile.cmake). Most of a compiler's and of clang-tidy's work is in included headers: presets that
# are not for editing have the largest groups. tests/alone.py reads each file of core and collectors alone.

# tcpscope_library(<name> [PUBLIC <libraries…>] [PRIVATE <libraries…>] [SOURCES <generated files…>]): the sources of this
# folder and below as one library that links just what it lists. A folder without sources offers its headers only.
function(tcpscope_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "" "PUBLIC;PRIVATE;SOURCES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  list(APPEND sources ${library_SOURCES})
  if(NOT sources)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE tcpscope_compiler ${library_PUBLIC})
    return()
  endif()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC tcpscope_compiler ${library_PUBLIC} PRIVATE ${library_PRIVATE})
endfunction()
