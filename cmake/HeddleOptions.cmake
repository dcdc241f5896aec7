# Warnings and sanitizers, once, for every target of the project.

add_library(heddle_options INTERFACE)
# Fortran's tests take the sanitizers alone: flang knows none of these warnings.
target_compile_options(heddle_options INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic>)
# A compiler that continuous integration does not run may warn of more: whoever builds with it has done nothing wrong.
set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(HEDDLE_WERROR AND compiler MATCHES "^(GNU 12|Clang 19)\\.")
  target_compile_options(heddle_options INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()

if(HEDDLE_SANITIZE)
  if(NOT HEDDLE_SANITIZE MATCHES "^(address|thread)$")
    message(FATAL_ERROR "HEDDLE_SANITIZE is '${HEDDLE_SANITIZE}'; it must be empty, 'address' or 'thread'.")
  endif()
  set(sanitizers ${HEDDLE_SANITIZE})
  if(HEDDLE_SANITIZE STREQUAL "address")
    set(sanitizers address,undefined)
    # AddressSanitizer finds accesses by null pointers as well; UndefinedBehaviorSanitizer's checks of them are a tenth of
    # what compiling the engines takes.
    set(left_out -fno-sanitize=null $<$<BOOL:$<TARGET_PROPERTY:HEDDLE_TRUSTS_ALIGNMENT>>:-fno-sanitize=alignment>)
  endif()
  target_compile_options(heddle_options INTERFACE -fsanitize=${sanitizers} ${left_out} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  target_link_options(heddle_options INTERFACE -fsanitize=${sanitizers})
endif()

# heddle_compile_alone(file…): where a preset compiles several files together (CMAKE_UNITY_BUILD, to save the time of reading
# headers again and again) these are compiled by themselves: names of their own are those of others.
function(heddle_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# heddle_trust_alignment(TARGET…): UndefinedBehaviorSanitizer does not check that addresses are aligned. For code whose
# data lie in containers: the checks are nearly half of what compiling an engine under sanitizers takes.
function(heddle_trust_alignment)
  set_target_properties(${ARGN} PROPERTIES HEDDLE_TRUSTS_ALIGNMENT ON)
endfunction()

# heddle_compile_together(TARGET): several files at a time in every build, where they are command lines, reports and the
# like: a compiler spends most of its time there in what they have in common.
function(heddle_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# heddle_compile_quickly(TARGET…): command lines and reports, where nothing has to be fast. They consist of instances of
# CLI11's and JSON's templates: at -O3 a file of options takes 12 s, at -O1 6 s.
function(heddle_compile_quickly)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<IF:$<BOOL:${HEDDLE_SANITIZE}>,-O0,-O1>)
  endforeach()
endfunction()

# What the engines are compiled with where they may use all that this machine's processor has.
add_library(heddle_native INTERFACE)
if(HEDDLE_NATIVE)
  include(CheckCXXCompilerFlag)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(native_option -march=native)
    # Clang 19 warns of its own choice on processors with AVX10.
    target_compile_options(heddle_native INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-invalid-feature-combination>)
  else()
    set(native_option -mcpu=native)
  endif()
  check_cxx_compiler_flag(${native_option} HEDDLE_KNOWS_NATIVE)
  if(HEDDLE_KNOWS_NATIVE)
    target_compile_options(heddle_native INTERFACE ${native_option})
  else()
    message(NOTICE "heddle: ${CMAKE_CXX_COMPILER} does not know ${native_option}: the engines are compiled for any ${CMAKE_SYSTEM_PROCESSOR}.")
  endif()
endif()

# heddle_precompile(TARGET header…): has C++ sources of a target begin with these headers, read once.
function(heddle_precompile target)
  if(HEDDLE_PRECOMPILE)
    list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>" OUTPUT_VARIABLE headers)
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
endfunction()
