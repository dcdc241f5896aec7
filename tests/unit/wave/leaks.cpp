// What AddressSanitizer is told of the runtime that the tests happen to run on: libgomp 12 does not give back
// a table of dependences at the end of the process.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libgomp.so\n";
}
