// Recordings made to be small as files and large in memory.
#include "app/session/recorded_session.h"

#include <gtest/gtest.h>

#include <functional>

#include "collectors/trace/recording_output.h"
#include "tests/support/json_schema.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

std::uint64_t countOf(const SessionSnapshot& snapshot, GapKind kind) {
  for (const CollectionGap& gap : snapshot.gaps) {
    if (gap.kind == kind) return gap.count;
  }
  return 0;
}

class HostileRecording : public ::testing::Test {
protected:
  /// One batch after the other.
  std::unique_ptr<RecordedSession> read(std::size_t batches, const std::function<ObservationBatch(std::size_t)>& make) {
    write(batches, make);
    auto session = RecordedSession::read(m_file.path(), {});
    EXPECT_TRUE(session);
    return session ? std::move(*session) : nullptr;
  }

  static constexpr std::size_t kSockets = 20'000;

private:
  void write(std::size_t batches, const std::function<ObservationBatch(std::size_t)>& make) {
    const Moment begin = test::exampleHello().clock.monotonic;
    auto output = RecordingOutput::create(m_file.path(), {[begin] { return begin; }, {}, {}});
    ASSERT_TRUE(output);
    TraceWriter writer((*output)->buffer());
    writer.write(test::exampleHello());
    for (std::size_t batch = 0; batch < batches; ++batch) {
      writer.write(make(batch));
      ASSERT_TRUE((*output)->flush());
    }
    ASSERT_TRUE((*output)->finish());
  }

  test::TemporaryFile m_file{""};
};

TEST_F(HostileRecording, OfOwnersWithLongNamesTakesLittleMemory) {
  constexpr std::size_t kAtOnce = 100;
  const auto session = read(kSockets / kAtOnce, [](std::size_t number) {
    ObservationBatch batch;
    for (std::uint64_t cookie = number * kAtOnce + 1; cookie <= (number + 1) * kAtOnce; ++cookie) {
      const Owner owner{static_cast<std::int32_t>(cookie), UntrustedText(std::string(kMaxWireText, 'x')),
                        UntrustedText(std::string(kMaxWireText, 'y')), UntrustedText(std::string(kMaxWireText, 'z'))};
      batch.changed.push_back(test::ObservationBuilder().cookie(cookie).build());
      batch.owners.push_back({{PlaceId{0}, cookie}, owner});
    }
    return batch;
  });
  ASSERT_NE(session, nullptr);
  constexpr std::size_t kPerSocket = 2048;
  EXPECT_LT(session->session().copyBytes().own, kSockets * kPerSocket);
  EXPECT_EQ(countOf(*session->atEnd(), GapKind::textCut), kSockets);
}

TEST_F(HostileRecording, OfListenersTakesNoMoreThanTheirBudget) {
  constexpr std::size_t kAtOnce = 1000;
  const auto session = read(kSockets / kAtOnce, [](std::size_t number) {
    ObservationBatch batch;
    for (std::uint64_t cookie = number * kAtOnce + 1; cookie <= (number + 1) * kAtOnce; ++cookie) {
      batch.changed.push_back(test::ObservationBuilder().cookie(cookie).state(TcpState::listen).build());
    }
    return batch;
  });
  ASSERT_NE(session, nullptr);
  const auto snapshot = session->atEnd();
  EXPECT_EQ(countOf(*snapshot, GapKind::socketBudget), kSockets - SessionBudget().listeners);
  constexpr std::size_t kPerListener = 2048;
  EXPECT_LT(session->session().copyBytes().own, SessionBudget().listeners * kPerListener);
}

}  // namespace
}  // namespace tcpscope
