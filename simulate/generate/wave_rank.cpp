#include "simulate/generate/wave_rank.hpp"

namespace heddle::simulate {

const std::vector<std::string>& wave_kinds() {
  static const std::vector<std::string> kinds{"initial task", "traversal", "enclave", "prepare",   "complete",
                                              "length",       "send",      "receive", "reduction", "wait"};
  return kinds;
}

WaveRank::WaveRank(const wave::InitialMesh& mesh, int rank, int ranks, const WaveCosts& costs,
                   ProcessText& text)
    : costs_(costs),
      share_(mesh.share_of(rank)),
      size_(mesh.size()),
      prepare_(costs.prepare.of(size_)),
      complete_(costs.complete.of(size_)),
      has_other_ranks_(ranks > 1) {
  for (int copy = 0; copy < 2; ++copy) {
    const auto at = static_cast<std::size_t>(copy);
    exchanges_[0][at] = exchanges_of(size_.state_layer, copy, text);
    if (completing_reads_around()) exchanges_[1][at] = exchanges_of(size_.face_state_layer, 2 + copy, text);
  }
  if (has_other_ranks_) {
    reduction_ = static_cast<int>(text.messages.size());
    text.messages.push_back({MessageKind::kCollective, 0, 0, 0});
  }
}

std::vector<WaveRank::Exchange> WaveRank::exchanges_of(double layer, int channel, ProcessText& text) const {
  std::vector<Exchange> result;
  for (const exchange::FaceMessage& message : share_.messages) {
    const double doubles = layer * static_cast<double>(message.sent.size());
    const int number = static_cast<int>(text.messages.size());
    result.push_back({number, number + 1, doubles});
    const auto bytes = static_cast<std::int64_t>(doubles * sizeof(double));
    text.messages.push_back({MessageKind::kSend, message.rank, channel, bytes});
    text.messages.push_back({MessageKind::kReceive, message.rank, channel, 0});
  }
  return result;
}

void WaveRank::start_exchange(Script& script, What what) const {
  for (const Exchange& one : exchanges(what, 0)) {
    add_work(script, receiving());
    script.push_back({Op::kPost, one.receive});
  }
  for (const Exchange& one : exchanges(what, 0)) {
    add_work(script, sending(one));
    script.push_back({Op::kPost, one.send});
  }
}

void WaveRank::finish_exchange(Script& script, What what) const {
  for (const Exchange& one : exchanges(what, 0)) script.push_back({Op::kAwait, one.receive});
  for (const Exchange& one : exchanges(what, 0)) script.push_back({Op::kAwait, one.send});
}

void WaveRank::reduce(Script& script) const {
  if (!has_other_ranks_) return;
  script.push_back({Op::kPost, reduction_});
  script.push_back({Op::kAwait, reduction_});
}

}  // namespace heddle::simulate
