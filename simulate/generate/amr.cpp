#include "simulate/generate/amr.hpp"

#include <array>

#include "program/user_error.hpp"
#include "simulate/generate/amr_mesh.hpp"
#include "simulate/generate/amr_rank.hpp"

namespace heddle::simulate {
namespace {

using Write = void (*)(AmrRank&, const amr::Settings&, ProcessText&);

constexpr std::array<amr::VariantName, 3> kVariants{{
    {"serial", "one thread on each rank"},
    {"loop", "loops of all threads, messages by one of them"},
    {"data-flow", "tasks, messages among them"},
}};
constexpr std::array<Write, kVariants.size()> kWriters{write_serial, write_loops, write_data_flow};

Write writer_of(const std::string& variant) {
  for (std::size_t i = 0; i < kVariants.size(); ++i)
    if (kVariants[i].name == variant) return kWriters[i];
  throw program::UserError("the variant " + variant + " cannot be generated; give serial, loop or data-flow");
}

void check(const amr::Settings& settings) {
  const auto refuse = [](const char* what, const char* instead) {
    throw program::UserError(std::string(what) + " cannot be generated; " + instead);
  };
  if (settings.stencil != 7) refuse("another --stencil than 7", "trace a run, or leave it out");
  if (settings.halo != amr::Halo::faces) refuse("another --halo than faces", "trace a run, or leave it out");
  if (settings.code != 0) refuse("another --code than 0", "trace a run, or leave it out");
  if (settings.comm_vars != settings.num_vars) refuse("--comm_vars", "trace a run, or leave it out");
  if (settings.permute) refuse("--permute", "trace a run, or leave it out");
  if (settings.method != amr::BalanceMethod::rcb)
    refuse("another partition than bisection", "leave its option out");
  if (settings.time_given) refuse("--time", "give --num_tsteps");
}

}  // namespace

std::span<const amr::VariantName> amr_variants() {
  return kVariants;
}

AmrWorkload amr_workload(const amr::Settings& settings, const AmrCosts& costs) {
  check(settings);
  const Write write = writer_of(settings.variant);
  const AmrMesh mesh(settings);
  AmrWorkload result;
  result.blocks = mesh.leaves();
  result.workload = {"heddle-amr " + settings.variant, 1, amr_kinds(), {}};
  result.workload.processes.resize(static_cast<std::size_t>(settings.rank_count()));
  int number = 0;
  for (ProcessText& text : result.workload.processes) {
    const AmrMesh::Plans plans = mesh.plans_of(number++);
    AmrRank rank(settings, costs, plans, text, result.amounts);
    write(rank, settings, text);
  }
  return result;
}

}  // namespace heddle::simulate
