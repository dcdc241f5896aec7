// A mistake of the user: what is wrong and how to mend it, in one line. It ends the program with status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle::program {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle::program
