// The strategies' table, and what a user may write in its place.
#include "wave/exec/strategy.hpp"

#include <gtest/gtest.h>

#include <set>

#include "program/user_error.hpp"

namespace heddle::wave {
namespace {

TEST(Strategy, EveryRowIsReadAgainFromItsNameAndFromItsText) {
  std::set<std::string> texts;
  for (const NamedStrategy& row : strategies()) {
    EXPECT_EQ(parse_strategy(std::string(row.name)), row.strategy);
    EXPECT_EQ(parse_strategy(to_text(row.strategy)), row.strategy) << to_text(row.strategy);
    EXPECT_EQ(name_of(row.strategy), row.name);
    EXPECT_TRUE(texts.insert(to_text(row.strategy)).second)
        << row.name << " is another row under another name";
  }
  EXPECT_EQ(texts.size(), 10U);
}

TEST(Strategy, TheTextSaysWhatTheRowIs) {
  EXPECT_EQ(to_text(parse_strategy("native")), "hold=0,fuse=1-1,when=polled");
  EXPECT_EQ(to_text(parse_strategy("hold-back")), "hold=all,fuse=1-1,when=polled");
  EXPECT_EQ(to_text(parse_strategy("backfill-and-eventually-native")), "hold=all,fuse=1-1,when=idle+rest");
  EXPECT_EQ(to_text(parse_strategy("merge-and-backfill")), "hold=all,fuse=2-16,when=idle+end");
  EXPECT_EQ(to_text(parse_strategy("in-runtime")), "hold=0,fuse=1-1,when=background");
}

TEST(Strategy, MayBeOneThatTheTableLacks) {
  const Strategy strategy = parse_strategy("hold=64,fuse=4-all,when=rest+idle");
  EXPECT_EQ(strategy.hold_limit, 64);
  EXPECT_EQ(strategy.fuse_least, 4);
  EXPECT_EQ(strategy.fuse_most, kAllPatches);
  EXPECT_TRUE(strategy.when_idle && strategy.rest_at_end);
  EXPECT_FALSE(strategy.at_end || strategy.is_background);
  EXPECT_EQ(name_of(strategy), "hold=64,fuse=4-all,when=idle+rest");
  EXPECT_EQ(parse_strategy(name_of(strategy)), strategy);
  // What is left out is as in native.
  EXPECT_EQ(parse_strategy("hold=0"), parse_strategy("native"));
}

TEST(Strategy, WhatMakesNoSenseIsRefused) {
  for (const char* text :
       {"", "bsp", "hold", "hold=", "hold=-1", "hold=2x", "hold=all,fuse=3", "hold=all,fuse=0-1",
        "hold=all,fuse=3-2", "hold=all,when=never", "hold=all,when=", "hold=0,when=idle", "hold=0,fuse=1-4",
        "hold=all,when=background", "hold=all,fuse=1-1,when=idle,what=1", "native,", "Native"}) {
    EXPECT_THROW((void)parse_strategy(text), program::UserError) << text;
  }
}

}  // namespace
}  // namespace heddle::wave
