# cmake -D BUILD=… -D SCRATCH=… -D CC=… -P installed_package.cmake: installs libheddle into a scratch prefix and builds a
# user's program against it twice, with find_package and with pkg-config. Ends with an error where a step fails.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(source ${CMAKE_CURRENT_LIST_DIR}/installed)
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
foreach(component IN ITEMS runtime development)
  run(${CMAKE_COMMAND} --install ${BUILD} --component ${component} --prefix ${SCRATCH}/prefix)
endforeach()

run(${CMAKE_COMMAND} -S ${source} -B ${SCRATCH}/build -G Ninja -DCMAKE_C_COMPILER=${CC}
  -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/user)

file(GLOB_RECURSE pc ${SCRATCH}/prefix/*/heddle.pc)
cmake_path(GET pc PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder})
function(ask option result)
  execute_process(COMMAND pkg-config ${option} heddle OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${answer}")
  set(${result} ${words} PARENT_SCOPE)
endfunction()
ask(--cflags cflags)
ask(--libs libs)
run(${CC} ${cflags} -c ${source}/user.c -o ${SCRATCH}/user.o)
cmake_path(GET folder PARENT_PATH libraries)
run(${CC} ${SCRATCH}/user.o ${libs} -Wl,-rpath,${libraries} -o ${SCRATCH}/user)
run(${SCRATCH}/user)
