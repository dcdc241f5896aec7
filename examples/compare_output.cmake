# cmake -DPROGRAM=... -DEXPECTED=... -P compare_output.cmake: runs PROGRAM and compares its output with a file.

execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}:\n${output}${errors}")
endif()
file(READ ${EXPECTED} expected)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} printed\n${output}where ${EXPECTED} has\n${expected}${errors}")
endif()
if(NOT errors STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} complained:\n${errors}")
endif()
