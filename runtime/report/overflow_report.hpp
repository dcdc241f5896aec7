// Stack overflows, in words.
#pragma once

namespace heddle {

/// From now on the program says which task, or which thread, has used up its stack, before it ends by that.
void report_stack_overflows();

}  // namespace heddle
