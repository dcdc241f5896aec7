// What a library asks before anything else: errors in words, the version, features, texts about the runtime.
#include "alpi_by_name.h"

#include <omp.h>

static void errors_have_texts_of_their_own(void) {
  for (int i = ALPI_SUCCESS; i <= ALPI_ERR_FEATURE_UNKNOWN; ++i) {
    CHECK(alpi_error_string(i) != NULL && strlen(alpi_error_string(i)) > 0);
    CHECK(alpi_error_string(i) == alpi_error_string(i));  // static
    for (int j = ALPI_SUCCESS; j < i; ++j) CHECK(strcmp(alpi_error_string(i), alpi_error_string(j)) != 0);
  }
  // Others are no reason to crash.
  CHECK(alpi_error_string(-1) != NULL);
  CHECK(alpi_error_string(1000) != NULL);
}

static void the_version_is_compared_by_major_and_minor(void) {
  int major = -1, minor = -1;
  CHECK_SUCCESS(alpi_version_get(&major, &minor));
  CHECK(major == 1 && minor == 2);
  for (int i = 0; i <= minor; ++i) CHECK_SUCCESS(alpi_version_check(major, i));
  CHECK(alpi_version_check(major, minor + 1) == ALPI_ERR_VERSION);
  CHECK(alpi_version_check(major + 1, 0) == ALPI_ERR_VERSION);
  CHECK(alpi_version_check(major - 1, 0) == ALPI_ERR_VERSION);
  CHECK(alpi_version_get(NULL, &minor) == ALPI_ERR_PARAMETER);
  CHECK(alpi_version_get(&major, NULL) == ALPI_ERR_PARAMETER);
}

static void known_features_are_there_in_any_combination(void) {
  for (int features = 0; features < 16; ++features) CHECK_SUCCESS(alpi_feature_check(features));
  for (int bit = 4; bit < 31; ++bit) {
    CHECK(alpi_feature_check(1 << bit) == ALPI_ERR_FEATURE_UNKNOWN);
    CHECK(alpi_feature_check(ALPI_FEATURE_BLOCKING | 1 << bit) == ALPI_ERR_FEATURE_UNKNOWN);
  }
}

static void texts_fit_into_what_is_given(int query) {
  char text[256], part[256];
  int length = -1;
  memset(text, 'x', sizeof text);
  CHECK_SUCCESS(alpi_info_get(query, text, sizeof text, &length));
  CHECK(memchr(text, 0, sizeof text) != NULL);
  CHECK(length > 0 && strlen(text) == (size_t)length);
  CHECK_SUCCESS(alpi_info_get(query, part, sizeof part, NULL));
  CHECK(strcmp(text, part) == 0);
  // Nothing is written behind the capacity, and what is written is a beginning that ends in a zero.
  for (size_t capacity = 1; capacity <= (size_t)length; ++capacity) {
    memset(part, 'x', sizeof part);
    CHECK_SUCCESS(alpi_info_get(query, part, capacity, NULL));
    CHECK(strlen(part) == capacity - 1 && strncmp(part, text, capacity - 1) == 0);
    for (size_t i = capacity; i < sizeof part; ++i) CHECK(part[i] == 'x');
  }
  CHECK(alpi_info_get(query, NULL, sizeof text, &length) == ALPI_ERR_PARAMETER);
}

static void unknown_texts_are_refused(void) {
  char text[16] = "before";
  CHECK(alpi_info_get(-1, text, sizeof text, NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_info_get(ALPI_INFO_VERSION + 1, text, sizeof text, NULL) == ALPI_ERR_PARAMETER);
}

int main(void) {
  find_alpi();
  errors_have_texts_of_their_own();
  the_version_is_compared_by_major_and_minor();
  known_features_are_there_in_any_combination();
  for (int query = ALPI_INFO_RUNTIME_NAME; query <= ALPI_INFO_VERSION; ++query)
    texts_fit_into_what_is_given(query);
  unknown_texts_are_refused();
  // The answers are the same on every thread.
#pragma omp parallel
  the_version_is_compared_by_major_and_minor();
  return omp_in_parallel();
}
