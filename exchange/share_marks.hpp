// Marks of a refinement go between ranks that touch: one message each way to every partner.
#pragma once

#include "exchange/communicator.hpp"
#include "mesh/balance.hpp"

namespace heddle::exchange {

/// For mesh::balance(). Requires: part and communicator stay as long as what is returned.
template <int D, int R>
[[nodiscard]] mesh::ShareMarks share_marks(const mesh::Part<D, R>& part, Communicator& ranks);

}  // namespace heddle::exchange
