# Compiling through 'heddle cc', which any Python starts: for directives that compilers do not know yet.
# heddle_cc: the words before a compiler's command. heddle_cc_parts: what has to be compiled again with.

find_program(HEDDLE_PYTHON python3 HINTS ${PROJECT_SOURCE_DIR}/.venv/bin REQUIRED)
set(heddle_cc ${HEDDLE_PYTHON} -I ${PROJECT_SOURCE_DIR}/tools/heddle/cc/__main__.py)
file(GLOB heddle_cc_parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/heddle/cc/*.*)

function(heddle_compile_by_heddle_cc target)
  set_target_properties(${target} PROPERTIES C_COMPILER_LAUNCHER "${heddle_cc}" CXX_COMPILER_LAUNCHER "${heddle_cc}")
  get_target_property(sources ${target} SOURCES)
  set_source_files_properties(${sources} PROPERTIES OBJECT_DEPENDS "${heddle_cc_parts}")
endfunction()
