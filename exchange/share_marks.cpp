#include "exchange/share_marks.hpp"

#include <algorithm>

#include "exchange/tags.hpp"

namespace heddle::exchange {
namespace {

using mesh::Mark;
using mesh::Marks;

std::span<std::byte> bytes_of(Marks& marks) {
  return std::as_writable_bytes(std::span(marks));
}

template <int D, int R>
bool share(const mesh::Part<D, R>& part, Communicator& ranks, Marks& marks, bool has_raised) {
  // Of its own leaves a partner learns what they became here; of mine, what they are.
  const auto& partners = part.partners();
  std::vector<Marks> out(partners.size()), in(partners.size());
  for (std::size_t p = 0; p < partners.size(); ++p) {
    in[p].resize(partners[p].mine.size() + partners[p].theirs.size());
    ranks.start_receive(partners[p].rank, kMarksTag, bytes_of(in[p]));
  }
  for (std::size_t p = 0; p < partners.size(); ++p) {
    for (const int local : partners[p].theirs) out[p].push_back(marks[static_cast<std::size_t>(local)]);
    for (const int local : partners[p].mine) out[p].push_back(marks[static_cast<std::size_t>(local)]);
    ranks.start_send(partners[p].rank, kMarksTag, bytes_of(out[p]));
  }
  bool was_raised = false;
  for (int p = ranks.next_received(); p != Communicator::kNone; p = ranks.next_received()) {
    const auto& partner = partners[static_cast<std::size_t>(p)];
    auto mark = in[static_cast<std::size_t>(p)].begin();
    for (const auto* list : {&partner.mine, &partner.theirs}) {
      for (const int local : *list) {
        Mark& known = marks[static_cast<std::size_t>(local)];
        was_raised = was_raised || known < *mark;
        known = std::max(known, *mark++);
      }
    }
  }
  ranks.finish_batch();
  return ranks.any(has_raised || was_raised);
}

}  // namespace

template <int D, int R>
mesh::ShareMarks share_marks(const mesh::Part<D, R>& part, Communicator& ranks) {
  if (ranks.size() == 1) return {};
  return [&part, &ranks](Marks& marks, bool has_raised) { return share(part, ranks, marks, has_raised); };
}

template mesh::ShareMarks share_marks(const mesh::Part<2, 2>&, Communicator&);
template mesh::ShareMarks share_marks(const mesh::Part<2, 3>&, Communicator&);
template mesh::ShareMarks share_marks(const mesh::Part<3, 2>&, Communicator&);
template mesh::ShareMarks share_marks(const mesh::Part<3, 3>&, Communicator&);

}  // namespace heddle::exchange
