#include "collectors/bpf/registered_controls.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace tcpscope {
namespace {

/// A folder like /proc whose kernel offers these controls, and one of pins.
class ControlStatesTest : public ::testing::Test {
protected:
  ControlStatesTest() {
    std::string path = (std::filesystem::temp_directory_path() / "tcpscope-controls-XXXXXX").string();
    m_root = mkdtemp(path.data());
  }
  ~ControlStatesTest() override { std::filesystem::remove_all(m_root); }

  LoadedControls statesWith(const char* available) {
    std::filesystem::create_directories(m_root / "sys/net/ipv4");
    std::ofstream(m_root / "sys/net/ipv4/tcp_available_congestion_control") << available;
    return readLoadedControls(m_root / "pins", m_root);
  }

  std::filesystem::path m_root;
};

TEST_F(ControlStatesTest, WhatTheKernelDoesNotOfferIsNotLoaded) {
  for (const LoadedControl& state : statesWith("reno cubic highspeed\n")) {
    EXPECT_EQ(state.holder, ControlHolder::none) << state.name;
  }
}

TEST_F(ControlStatesTest, AreTakenFromWholeNames) {
  const LoadedControls states = statesWith("reno ghstcp_orig\n");
  EXPECT_EQ(states[0].name, "hstcp");
  EXPECT_EQ(states[0].holder, ControlHolder::none);
  EXPECT_EQ(states[1].name, "ghstcp_orig");
  EXPECT_NE(states[1].holder, ControlHolder::none);
  EXPECT_EQ(states[2].holder, ControlHolder::none);
}

TEST_F(ControlStatesTest, APinKeepsThem) {
  std::filesystem::create_directories(m_root / "pins");
  std::ofstream(m_root / "pins/hstcp") << "";
  const LoadedControls states = statesWith("hstcp ghstcp\n");
  EXPECT_EQ(states[0].holder, ControlHolder::pin);
  EXPECT_NE(states[2].holder, ControlHolder::pin);
}

TEST_F(ControlStatesTest, NothingPinnedIsNothingToUnload) {
  EXPECT_EQ(unpinControls(m_root / "pins").value_or(7), 0);
}

}  // namespace
}  // namespace tcpscope
