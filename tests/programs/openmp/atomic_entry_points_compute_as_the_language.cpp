// LLVM's entry points for atomic updates, called by name: each computes what the language does, in one step,
// and captures give the old or the new value. Clang emits some of them, other compilers of that ABI the rest.
// OpenMP 5.2, 15.8.4 atomic.
#include <dlfcn.h>
#include <omp.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "check.h"

namespace {

__extension__ typedef float _Complex complex4;
__extension__ typedef double _Complex complex8;
__extension__ typedef long double _Complex complex10;

int g_called = 0;

template <class Function>
Function* entry(const std::string& name) {
  void* found = dlsym(RTLD_DEFAULT, ("__kmpc_atomic_" + name).c_str());
  if (found == nullptr) printf("missing: %s\n", name.c_str());
  CHECK(found != nullptr);
  ++g_called;
  return reinterpret_cast<Function*>(found);
}

int gtid() {
  static auto* number = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_DEFAULT, "__kmpc_global_thread_num"));
  return number(nullptr);
}

template <class T>
void check_change(const std::string& name, T start, T operand, T expected) {
  T value = start;
  entry<void(void*, int, T*, T)>(name)(nullptr, gtid(), &value, operand);
  if (value != expected) printf("%s\n", name.c_str());
  CHECK(value == expected);
}

template <class T>
void check_capture(const std::string& name, T start, T operand, T expected) {
  for (int is_new = 0; is_new < 2; ++is_new) {
    T value = start, seen;
    if constexpr (std::is_same_v<T, complex4>)
      entry<void(void*, int, T*, T, T*, int)>(name)(nullptr, gtid(), &value, operand, &seen, is_new);
    else
      seen = entry<T(void*, int, T*, T, int)>(name)(nullptr, gtid(), &value, operand, is_new);
    if (value != expected) printf("%s\n", name.c_str());
    CHECK(value == expected && seen == (is_new != 0 ? expected : start));
  }
}

template <class T, class Operation>
void check(const std::string& name, T a, T b, Operation operation, bool is_reversible = false) {
  check_change<T>(name, a, b, operation(a, b));
  check_capture<T>(name + "_cpt", a, b, operation(a, b));
  if (!is_reversible) return;
  check_change<T>(name + "_rev", a, b, operation(b, a));
  check_capture<T>(name + "_cpt_rev", a, b, operation(b, a));
}

template <class T>
void check_access(const std::string& type, T a, T b) {
  T value = a;
  CHECK(entry<T(void*, int, T*)>(type + "_rd")(nullptr, gtid(), &value) == a);
  entry<void(void*, int, T*, T)>(type + "_wr")(nullptr, gtid(), &value, b);
  CHECK(value == b);
  T old;
  if constexpr (std::is_same_v<T, complex4>)
    entry<void(void*, int, T*, T, T*)>(type + "_swp")(nullptr, gtid(), &value, a, &old);
  else
    old = entry<T(void*, int, T*, T)>(type + "_swp")(nullptr, gtid(), &value, a);
  CHECK(old == b && value == a);
}

template <class T>
void check_arithmetic(const std::string& type, T a, T b) {
  check<T>(type + "_add", a, b, [](T x, T y) { return static_cast<T>(x + y); });
  check<T>(type + "_mul", a, b, [](T x, T y) { return static_cast<T>(x * y); });
  check<T>(type + "_sub", a, b, [](T x, T y) { return static_cast<T>(x - y); }, true);
  check<T>(type + "_div", a, b, [](T x, T y) { return static_cast<T>(x / y); }, true);
  check_access<T>(type, a, b);
}

template <class T>
void check_order(const std::string& type, T a, T b) {
  check<T>(type + "_min", a, b, [](T x, T y) { return x < y ? x : y; });
  check<T>(type + "_max", a, b, [](T x, T y) { return x > y ? x : y; });
}

template <class T>
void check_fixed(const std::string& type, T a, T b) {
  check_arithmetic<T>(type, a, b);
  check_order<T>(type, a, b);
  check<T>(type + "_andb", a, b, [](T x, T y) { return static_cast<T>(x & y); });
  check<T>(type + "_orb", a, b, [](T x, T y) { return static_cast<T>(x | y); });
  check<T>(type + "_xor", a, b, [](T x, T y) { return static_cast<T>(x ^ y); });
  check<T>(type + "_neqv", a, b, [](T x, T y) { return static_cast<T>(x ^ y); });
  check<T>(type + "_eqv", a, b, [](T x, T y) { return static_cast<T>(~(x ^ y)); });
  check<T>(type + "_andl", a, b, [](T x, T y) { return static_cast<T>(x && y); });
  check<T>(type + "_orl", a, b, [](T x, T y) { return static_cast<T>(x || y); });
  const T low = 3, one = 1;
  check<T>(type + "_shl", low, one, [](T x, T y) { return static_cast<T>(x << y); }, true);
  check<T>(type + "_shr", low, one, [](T x, T y) { return static_cast<T>(x >> y); }, true);
  check_change<T>(type + "_shr", static_cast<T>(-8), one, static_cast<T>(-4));
  T value = 6;
  entry<void(void*, int, T*, double)>(type + "_mul_float8")(nullptr, gtid(), &value, 2.5);
  CHECK(value == 15);
  entry<void(void*, int, T*, double)>(type + "_div_float8")(nullptr, gtid(), &value, 0.5);
  CHECK(value == 30);
}

template <class T>
void check_unsigned(const std::string& type, T a, T b) {
  check<T>(type + "_div", a, b, [](T x, T y) { return static_cast<T>(x / y); }, true);
  const T three = 3;
  check<T>(type + "_shr", three, static_cast<T>(1), [](T x, T y) { return static_cast<T>(x >> y); }, true);
  check_change<T>(type + "_shr", static_cast<T>(-1), static_cast<T>(1),
                  static_cast<T>(static_cast<T>(-1) >> 1));
}

template <class T>
void check_compare_and_swap(const std::string& bytes) {
  T value = 5, seen = 77;
  CHECK(entry<bool(void*, int, T*, T, T)>("bool_" + bytes + "_cas")(nullptr, gtid(), &value, 5, 6) &&
        value == 6);
  CHECK(!entry<bool(void*, int, T*, T, T)>("bool_" + bytes + "_cas")(nullptr, gtid(), &value, 5, 7) &&
        value == 6);
  CHECK(entry<T(void*, int, T*, T, T)>("val_" + bytes + "_cas")(nullptr, gtid(), &value, 6, 8) == 6 &&
        value == 8);
  CHECK(entry<T(void*, int, T*, T, T)>("val_" + bytes + "_cas")(nullptr, gtid(), &value, 6, 9) == 8 &&
        value == 8);
  auto* flag = entry<bool(void*, int, T*, T, T, T*)>("bool_" + bytes + "_cas_cpt");
  CHECK(flag(nullptr, gtid(), &value, 8, 10, &seen) && value == 10 && seen == 77);
  CHECK(!flag(nullptr, gtid(), &value, 8, 11, &seen) && value == 10 && seen == 10);
  auto* kept = entry<T(void*, int, T*, T, T, T*)>("val_" + bytes + "_cas_cpt");
  CHECK(kept(nullptr, gtid(), &value, 10, 12, &seen) == 10 && value == 12 && seen == 12);
  CHECK(kept(nullptr, gtid(), &value, 10, 13, &seen) == 12 && value == 12 && seen == 12);
}

// Whatever the size, no update is lost.
template <class T>
void check_many_threads(const std::string& name) {
  alignas(64) T sum = 0;
  auto* add = entry<void(void*, int, T*, T)>(name);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 1000; ++i) add(nullptr, gtid(), &sum, 1);
  CHECK(sum == static_cast<T>(4000));
}

template <int bytes>
void check_any(const std::string& name) {
  struct Wide {
    unsigned char digits[bytes];
  } value{}, step{};
  step.digits[0] = 1;
  auto* change = entry<void(void*, int, void*, void*, void (*)(void*, void*, void*))>(name);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 50; ++i)
    change(nullptr, gtid(), &value, &step, [](void* result, void* variable, void* operand) {
      Wide next = *static_cast<Wide*>(variable);
      for (unsigned char& digit : next.digits)
        digit = static_cast<unsigned char>(digit + static_cast<Wide*>(operand)->digits[0]);
      *static_cast<Wide*>(result) = next;
    });
  for (const unsigned char digit : value.digits) CHECK(digit == 200);
}

}  // namespace

int main() {
  check_fixed<std::int8_t>("fixed1", 7, 3);
  check_fixed<std::int16_t>("fixed2", -700, 3);
  check_fixed<std::int32_t>("fixed4", 70000, -3);
  check_fixed<std::int64_t>("fixed8", -70000000000, 5);
  check_unsigned<std::uint8_t>("fixed1u", 200, 3);
  check_unsigned<std::uint16_t>("fixed2u", 60000, 7);
  check_unsigned<std::uint32_t>("fixed4u", 4000000000u, 7);
  check_unsigned<std::uint64_t>("fixed8u", 1ull << 63, 7);
  check_change<std::int8_t>("fixed1_add", 127, 1, -128);  // wraps around
  check_change<std::int32_t>("fixed4_mul", INT32_MAX, 2, -2);

  check_arithmetic<float>("float4", 7.5f, -2.0f);
  check_arithmetic<double>("float8", 7.5, -2.0);
  check_arithmetic<long double>("float10", 7.5L, -2.0L);
  check_order<float>("float4", 7.5f, -2.0f);
  check_order<double>("float8", 7.5, -2.0);
  check_order<long double>("float10", 7.5L, -2.0L);
  float single = 8;
  entry<void(void*, int, float*, double)>("float4_add_float8")(nullptr, gtid(), &single, 0.25);
  entry<void(void*, int, float*, double)>("float4_sub_float8")(nullptr, gtid(), &single, 0.5);
  entry<void(void*, int, float*, double)>("float4_mul_float8")(nullptr, gtid(), &single, 4.0);
  entry<void(void*, int, float*, double)>("float4_div_float8")(nullptr, gtid(), &single, 2.0);
  CHECK(single == 15.5f);

  complex4 a4;
  __real__ a4 = 1;
  __imag__ a4 = 2;
  const complex8 a8 = a4;
  const complex10 a10 = a4;
  check_arithmetic<complex4>("cmplx4", a4, a4 * a4);
  check_arithmetic<complex8>("cmplx8", a8, a8 * a8);
  check_arithmetic<complex10>("cmplx10", a10, a10 * a10);
  complex4 value = a4;
  for (const char* op : {"add", "mul", "sub", "div"})
    entry<void(void*, int, complex4*, complex8)>(std::string("cmplx4_") + op + "_cmplx8")(nullptr, gtid(),
                                                                                          &value, a8);
  const complex4 expected = ((a4 + a4) * a4 - a4) / a4;
  CHECK(value == expected);

  check_compare_and_swap<std::int8_t>("1");
  check_compare_and_swap<std::int16_t>("2");
  check_compare_and_swap<std::int32_t>("4");
  check_compare_and_swap<std::int64_t>("8");

  check_many_threads<std::int16_t>("fixed2_add");
  check_many_threads<std::int64_t>("fixed8_add");
  check_many_threads<float>("float4_add");
  check_many_threads<long double>("float10_add");
  check_many_threads<complex4>("cmplx4_add");
  check_many_threads<complex10>("cmplx10_add");
  check_any<1>("1");
  check_any<2>("2");
  check_any<4>("4");
  check_any<8>("8");
  check_any<10>("10");
  check_any<16>("16");
  check_any<20>("20");
  check_any<32>("32");
  CHECK(g_called > 340);
  return 0;
}
