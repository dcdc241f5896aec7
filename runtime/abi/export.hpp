// Names that programs link against. Everything else in the library is hidden.
#pragma once

#define HEDDLE_EXPORT extern "C" [[gnu::visibility("default")]]
