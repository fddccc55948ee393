// A lab that a test runs, and what is waited for in it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <thread>

#include "app/lab/engine/lab_process.h"
#include "core/present/text/lab_text.h"
#include "tests/app/lab/lab_scenario.h"

namespace tcpscope::test {

class RunningLab : public testing::Test {
protected:
  /// Skips the test where this machine cannot have labs. Test for lab() afterwards.
  void start(const lab::Scenario& scenario, std::span<const int> captures = {}) {
    auto started = lab::LabProcess::startCaptured(scenario, captures);
    if (!started && started.error().kind == LabErrorKind::noUserNamespaces) GTEST_SKIP() << sentence(started.error());
    ASSERT_TRUE(started) << sentence(started.error());
    m_lab = std::move(*started);
  }

  /// With this traffic between two hosts.
  void start(const std::vector<lab::TrafficSettings>& traffic) {
    lab::Scenario scenario = twoHosts();
    scenario.traffic = traffic;
    start(scenario);
  }

  [[nodiscard]] lab::LabProcess* lab() { return m_lab.get(); }

  /// The report once it looks like that; a failure and an empty report where it never does.
  lab::LabResult reportWhen(const std::function<bool(const lab::LabResult&)>& isReached) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      auto report = m_lab->report();
      if (!report) {
        ADD_FAILURE() << sentence(report.error());
        return {};
      }
      if (isReached(*report)) return *report;
      std::this_thread::sleep_for(Milliseconds(5));
    }
    ADD_FAILURE() << "not reached in time";
    return {};
  }

  /// The report when this many transfers are through.
  lab::LabResult reportWhenEnded(std::size_t transfers) {
    return reportWhen([transfers](const lab::LabResult& report) {
      const auto ended = std::count_if(report.transfers.begin(), report.transfers.end(),
                                       [](const lab::TransferRecord& one) { return one.endedAt.has_value(); });
      return static_cast<std::size_t>(ended) >= transfers;
    });
  }

private:
  std::unique_ptr<lab::LabProcess> m_lab;
};

}  // namespace tcpscope::test
