#include "collectors/trace/stream_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/trace/trace_reader.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

using Stream = std::vector<std::byte>;

ObservationBatch socketsFrom(std::uint64_t first, std::size_t count) {
  ObservationBatch batch;
  for (std::uint64_t cookie = first; cookie < first + count; ++cookie)
    batch.changed.push_back(test::fullSocket(cookie));
  return batch;
}

Stream frames(const ObservationBatch& batch) {
  Stream bytes;
  TraceWriter writer(bytes);
  writer.write(test::exampleHello());
  writer.write(batch);
  return bytes;
}

struct Restated {
  std::set<std::uint64_t> sockets;
  std::vector<CollectionGap> gaps;
};

/// What a reader that begins here learns.
Restated restatedBy(const StreamState& state) {
  Stream bytes;
  state.appendOpening(bytes);
  state.appendSockets(bytes);
  TraceReader reader(PlaceId{0});
  reader.feed(bytes);
  reader.end();
  Restated restated;
  while (const auto value = reader.next()) {
    const auto* batch = std::get_if<ObservationBatch>(&*value);
    if (batch == nullptr) continue;
    for (const SocketObservation& socket : batch->changed) restated.sockets.insert(socket.id.cookie);
    restated.gaps.insert(restated.gaps.end(), batch->gaps.begin(), batch->gaps.end());
  }
  return restated;
}

TEST(StreamState, RestatesTheSocketsThatAreOpen) {
  StreamState state;
  ObservationBatch closing;
  closing.closed.push_back({test::fullSocket(2).id, Moment(), {}});
  state.accept(frames(socketsFrom(1, 3)));
  state.accept(frames(closing));
  const Restated restated = restatedBy(state);
  EXPECT_THAT(restated.sockets, testing::ElementsAre(1, 3));
  EXPECT_THAT(restated.gaps, testing::IsEmpty());
}

TEST(StreamState, CountsWhatTheBudgetHasNoSpaceFor) {
  constexpr std::size_t kSockets = 2'000;
  constexpr std::size_t kMostBytes = 256U << 10U;
  StreamState state(kMostBytes);
  state.accept(frames(socketsFrom(1, kSockets)));
  const Restated restated = restatedBy(state);
  EXPECT_GT(restated.sockets.size(), 100U);
  ASSERT_EQ(restated.gaps.size(), 1U);
  EXPECT_EQ(restated.gaps.front().kind, GapKind::socketBudget);
  EXPECT_EQ(restated.sockets.size() + restated.gaps.front().count, kSockets);
}

TEST(StreamState, TakesOthersInPlaceOfThoseThatClosed) {
  constexpr std::size_t kSockets = 2'000;
  StreamState state(256U << 10U);
  state.accept(frames(socketsFrom(1, kSockets)));
  const std::size_t fitting = restatedBy(state).sockets.size();
  ObservationBatch closing;
  for (const SocketObservation& socket : socketsFrom(1, kSockets).changed)
    closing.closed.push_back({socket.id, Moment(), {}});
  state.accept(frames(closing));
  EXPECT_THAT(restatedBy(state).sockets, testing::IsEmpty());
  state.accept(frames(socketsFrom(kSockets + 1, fitting)));
  EXPECT_EQ(restatedBy(state).sockets.size(), fitting);
}

}  // namespace
}  // namespace tcpscope
