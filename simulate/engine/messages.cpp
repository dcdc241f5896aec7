#include "simulate/engine/messages.hpp"

#include <bit>
#include <utility>

#include "simulate/engine/placement.hpp"

namespace heddle::simulate {

Messages::Messages(int processes, const Setting& setting, Agenda<Event>& agenda, Timeline* timeline)
    : costs_(setting.costs.messages),
      processes_(processes),
      nodes_(setting.nodes),
      network_(setting.network),
      agenda_(agenda),
      timeline_(timeline),
      joined_(static_cast<std::size_t>(processes), 0) {}

bool Messages::is_eager(const Flow& flow) const {
  return static_cast<double>(flow.bytes) <= costs_.eager_limit;
}

void Messages::post(int process, const MessageText& text, PostingHandle posting) {
  switch (text.kind) {
    case MessageKind::kSend:
      return send(process, text, std::move(posting));
    case MessageKind::kReceive:
      return receive(process, text, std::move(posting));
    case MessageKind::kCollective:
      return join(process, std::move(posting));
  }
}

void Messages::receive(int process, const MessageText& text, PostingHandle posting) {
  Channel& channel = channels_[{text.peer, process, text.channel}];
  if (channel.sends.empty()) {
    channel.receives.push_back(std::move(posting));
    return;
  }
  const std::uint64_t number = channel.sends.front();
  channel.sends.pop_front();
  meet(number, std::move(posting));
}

void Messages::send(int process, const MessageText& text, PostingHandle posting) {
  ++sent_;
  bytes_ += static_cast<std::uint64_t>(text.bytes);
  std::uint64_t number = flows_.size();
  if (free_.empty()) {
    flows_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  Flow& flow = flows_[number];
  flow = {posting, nullptr, process, text.peer, text.bytes};
  if (is_eager(flow)) {
    complete(posting);
    leave(number);
  }
  Channel& channel = channels_[{process, text.peer, text.channel}];
  if (channel.receives.empty()) {
    channel.sends.push_back(number);
    return;
  }
  PostingHandle receive = std::move(channel.receives.front());
  channel.receives.pop_front();
  meet(number, std::move(receive));
}

void Messages::meet(std::uint64_t number, PostingHandle receive) {
  Flow& flow = flows_[number];
  flow.receive = std::move(receive);
  if (!is_eager(flow)) return leave(number);
  if (flow.has_arrived) end(number);
}

void Messages::leave(std::uint64_t number) {
  const Flow& flow = flows_[number];
  const int from = node_of(flow.from, processes_, nodes_), to = node_of(flow.to, processes_, nodes_);
  if (from != to) return network_->send(from, to, flow.bytes, number);
  const Time takes = from_ns(costs_.latency + costs_.byte * static_cast<double>(flow.bytes));
  agenda_.plan(SimulatedClock::present + takes, {Event::What::kArrival, 0, 0, number});
}

void Messages::arrived(std::uint64_t number) {
  Flow& flow = flows_[number];
  flow.has_arrived = true;
  if (flow.receive != nullptr) end(number);
}

void Messages::end(std::uint64_t number) {
  Flow& flow = flows_[number];
  const PostingHandle send = std::move(flow.send), receive = std::move(flow.receive);
  if (timeline_ != nullptr)
    timeline_->messages.push_back({flow.from, send->worker, flow.to, receive->worker, to_ns(send->posted_at),
                                   to_ns(receive->posted_at), to_ns(SimulatedClock::present), flow.bytes});
  free_.push_back(number);
  complete(send);
  complete(receive);
}

void Messages::join(int process, PostingHandle posting) {
  const std::uint64_t number = joined_[static_cast<std::size_t>(process)]++;
  auto& members = open_[number];
  members.push_back(std::move(posting));
  if (static_cast<std::int64_t>(members.size()) != processes_) return;
  const int depth = std::bit_width(static_cast<std::uint64_t>(processes_ - 1));
  const Time way = nodes_ > 1 ? network_->latency(0, nodes_ - 1) : from_ns(costs_.latency);
  agenda_.plan(SimulatedClock::present + depth * (way + from_ns(costs_.receive)),
               {Event::What::kCollective, 0, 0, number});
}

void Messages::end_collective(std::uint64_t number) {
  const auto members = std::move(open_.at(number));
  open_.erase(number);
  for (const PostingHandle& member : members) complete(member);
}

void Messages::complete(const PostingHandle& posting) {
  if (std::exchange(posting->is_complete, true)) return;
  posting->owner.message_done(*posting);
}

}  // namespace heddle::simulate
