// Which patches of a rank lie beside which, and what it exchanges with other ranks: all that who orders them
// has to know of a mesh.
//
// Words: a *message* is what goes to and comes from one other rank that lies across a face, numbered from 0
// in the order of ranks.
//
// Invariant: a pure function of the mesh and of who owns it.
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "exchange/face_plan.hpp"
#include "mesh/part.hpp"

namespace heddle::wave {

/// What lies around a patch.
struct Surroundings {
  std::span<const int> neighbours;  // of this rank that share a face with it, rising, itself not included
  std::span<const int> messages;    // from other ranks that it reads; it is part of those to the same ranks
  bool is_at_boundary = false;      // of the domain
  bool is_at_hanging_face = false;
};

class PatchGraph {
 public:
  PatchGraph() = default;
  /// messages: those of the part's exchange::FacePlan.
  template <int D, int R>
  PatchGraph(const mesh::Part<D, R>& part, const std::vector<exchange::FaceMessage>& messages) {
    std::vector<std::set<int>> senders(messages.size());
    for (int patch = 0; patch < part.own(); ++patch) {
      std::set<int> around, from;
      Place place;
      for (const auto& face : part.faces(patch)) {
        place.is_at_boundary |= face.kind == mesh::FaceKind::boundary;
        place.is_at_hanging_face |=
            face.kind == mesh::FaceKind::coarser || face.kind == mesh::FaceKind::finer;
        for (int n = 0; n < face.count(); ++n) {
          const int across = face.leaf[n];
          if (part.is_own(across)) {
            around.insert(across);
            continue;
          }
          const auto message = std::find_if(
              messages.begin(), messages.end(),
              [&](const exchange::FaceMessage& candidate) { return candidate.rank == part.owner(across); });
          from.insert(static_cast<int>(message - messages.begin()));
        }
      }
      around.erase(patch);
      places_.push_back(place);
      neighbours_.add(around);
      messages_of_patch_.add(from);
      for (const int m : from) senders[static_cast<std::size_t>(m)].insert(patch);
    }
    for (const auto& some : senders) patches_of_message_.add(some);
  }

  /// Numbered along the curve.
  [[nodiscard]] int patches() const { return static_cast<int>(places_.size()); }
  [[nodiscard]] Surroundings surroundings(int patch) const {
    const Place& place = places_[static_cast<std::size_t>(patch)];
    return {neighbours_.of(patch), messages_of_patch_.of(patch), place.is_at_boundary,
            place.is_at_hanging_face};
  }
  [[nodiscard]] int messages() const { return patches_of_message_.size(); }
  /// Whose layers it takes along. Rising.
  [[nodiscard]] std::span<const int> patches_of_message(int message) const {
    return patches_of_message_.of(message);
  }

 private:
  // A list of numbers for each of many things, one after the other.
  class Lists {
   public:
    template <class Numbers>
    void add(const Numbers& numbers) {
      all_.insert(all_.end(), numbers.begin(), numbers.end());
      firsts_.push_back(all_.size());
    }
    [[nodiscard]] int size() const { return static_cast<int>(firsts_.size()) - 1; }
    [[nodiscard]] std::span<const int> of(int n) const {
      const auto at = static_cast<std::size_t>(n);
      return {all_.data() + firsts_[at], all_.data() + firsts_[at + 1]};
    }

   private:
    std::vector<int> all_;
    std::vector<std::size_t> firsts_{0};
  };
  struct Place {
    bool is_at_boundary = false, is_at_hanging_face = false;
  };

  std::vector<Place> places_;
  Lists neighbours_;  // own ones, of each patch
  Lists messages_of_patch_, patches_of_message_;
};

}  // namespace heddle::wave
