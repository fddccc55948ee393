// Looks at made-up sockets, and the pictures after them.
#pragma once

#include <gtest/gtest.h>

#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"

namespace tcpscope::test {

inline Moment moment(Nanoseconds sinceStart) {
  return Moment() + std::chrono::seconds(1) + sinceStart;  // where the builder's clock starts
}

inline ObservationBatch dumpOf(std::vector<SocketObservation> changed, Nanoseconds endedAt) {
  ObservationBatch batch;
  batch.changed = std::move(changed);
  batch.dumpEndedAt = moment(endedAt);
  return batch;
}

inline ObservationBuilder connection(std::uint64_t cookie, Nanoseconds time) {
  return ObservationBuilder().at(time).cookie(cookie);
}

class SessionPolls : public ::testing::Test {
protected:
  /// One dump at `time` that saw these sockets change, and the picture after it.
  std::shared_ptr<const SessionSnapshot> poll(Nanoseconds time, std::vector<SocketObservation> changed) {
    m_session.accept(dumpOf(std::move(changed), time));
    return m_session.tick(moment(time));
  }
  static std::vector<std::uint64_t> cookiesInOrder(const SessionSnapshot& snapshot) {
    std::vector<std::uint64_t> cookies;
    for (const std::uint32_t slot : *snapshot.order) cookies.push_back(snapshot.row(slot).id.cookie);
    return cookies;
  }
  static ConnectionRow onlyRow(const SessionSnapshot& snapshot) {
    EXPECT_EQ(snapshot.order->size(), 1U);
    return snapshot.row(snapshot.order->front());
  }

  SessionBudget m_budget;
  AnalysisSession m_session{m_budget};
};

}  // namespace tcpscope::test
