// A recording, or what an agent sends, that names many sockets in few bytes, each seen once.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "collectors/trace/recording_output.h"
#include "tests/support/trace_examples.h"

namespace tcpscope::test {

/// The end of all follows a second later where `end` is set. The gaps come with the first.
inline void writeManySockets(const std::string& path, std::size_t sockets, bool end = false,
                             std::vector<CollectionGap> gaps = {}) {
  constexpr std::size_t kAtOnce = 1000;
  const Moment begin = exampleHello().clock.monotonic;
  auto output = RecordingOutput::create(path, {[begin] { return begin; }, {}, {}});
  ASSERT_TRUE(output);
  TraceWriter writer((*output)->buffer());
  writer.write(exampleHello());
  ObservationBatch batch;
  batch.gaps = std::move(gaps);
  const auto write = [&](std::uint64_t cookie) {
    if (batch.changed.size() + batch.closed.size() < kAtOnce && cookie < sockets) return;
    writer.write(std::exchange(batch, {}));
    ASSERT_TRUE((*output)->flush());
  };
  for (std::uint64_t cookie = 1; cookie <= sockets; ++cookie) {
    batch.changed.push_back(ObservationBuilder().cookie(cookie).build());
    write(cookie);
  }
  for (std::uint64_t cookie = 1; end && cookie <= sockets; ++cookie) {
    batch.closed.push_back({{PlaceId{0}, cookie}, begin + std::chrono::milliseconds(1500), {}});
    write(cookie);
  }
  ASSERT_TRUE((*output)->finish());
}

/// One dump.
inline std::vector<std::byte> manySocketsOfAgent(std::size_t sockets) {
  std::vector<std::byte> bytes;
  TraceWriter writer(bytes);
  writer.write(exampleHello());
  ObservationBatch batch;
  for (std::uint64_t cookie = 1; cookie <= sockets; ++cookie) {
    batch.changed.push_back(ObservationBuilder().cookie(cookie).build());
  }
  batch.dumpEndedAt = exampleHello().clock.monotonic + std::chrono::seconds(1);
  writer.write(batch);
  return bytes;
}

}  // namespace tcpscope::test
