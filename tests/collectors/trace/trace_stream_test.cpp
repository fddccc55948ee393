#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "collectors/trace/crc32c.h"
#include "collectors/trace/trace_reader.h"
#include "tests/support/same_observation.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::exampleStream;
using test::expectSame;
using Stream = std::vector<std::byte>;

/// A text in which every difference of a value shows: it is written again, and its bytes compared.
Stream written(const TraceValue& value) {
  Stream bytes;
  TraceWriter writer(bytes);
  std::visit([&writer](const auto& one) { writer.write(one); }, value);
  return bytes;
}

std::vector<Stream> readInChunks(const Stream& stream, const std::function<std::size_t()>& chunkSize) {
  TraceReader reader(PlaceId{0});
  std::vector<Stream> values;
  const auto drain = [&] {
    while (const auto value = reader.next()) values.push_back(written(*value));
  };
  for (std::span<const std::byte> rest(stream); !rest.empty();) {
    const std::size_t size = std::min(chunkSize(), rest.size());
    reader.feed(rest.first(size));
    rest = rest.subspan(size);
    drain();
  }
  reader.end();
  drain();
  return values;
}

std::vector<Stream> readAtOnce(const Stream& stream) {
  return readInChunks(stream, [&] { return stream.size(); });
}

/// Everything of these batches in one.
ObservationBatch joined(TraceReader& reader) {
  ObservationBatch all;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  while (const auto value = reader.next()) {
    const auto* batch = std::get_if<ObservationBatch>(&*value);
    if (batch == nullptr) continue;
    append(all.changed, batch->changed);
    append(all.closed, batch->closed);
    append(all.owners, batch->owners);
    append(all.liveOptions, batch->liveOptions);
    append(all.programWaits, batch->programWaits);
    append(all.gaps, batch->gaps);
    all.unchanged += batch->unchanged;
    if (batch->dumpEndedAt) all.dumpEndedAt = batch->dumpEndedAt;
  }
  return all;
}

ObservationBatch throughBytes(const ObservationBatch& batch) {
  Stream bytes;
  TraceWriter writer(bytes);
  writer.write(test::exampleHello());
  writer.write(batch);
  TraceReader reader(PlaceId{0});
  reader.feed(bytes);
  reader.end();
  return joined(reader);
}

TEST(TraceStream, ASocketIsReadBackUnchanged) {
  ObservationBatch batch;
  batch.changed = {test::fullSocket(1), test::bareSocket(2)};
  const ObservationBatch back = throughBytes(batch);
  ASSERT_EQ(back.changed.size(), 2U);
  expectSame(back.changed[0], batch.changed[0]);
  expectSame(back.changed[1], batch.changed[1]);
}

TEST(TraceStream, LongNamesAreCutAndCounted) {
  ObservationBatch batch;
  for (std::uint64_t cookie = 1; cookie <= 3; ++cookie) {
    Owner owner{7, UntrustedText(std::string(cookie == 2 ? 10 : kMaxWireText, 'x')), std::nullopt, std::nullopt};
    batch.owners.push_back({{PlaceId{0}, cookie}, owner});
  }
  const ObservationBatch back = throughBytes(batch);
  ASSERT_EQ(back.owners.size(), 3U);
  EXPECT_EQ(back.owners[0].owner.processName.rawBytes(), std::string(kMostOwnerTextBytes, 'x'));
  EXPECT_EQ(back.owners[1].owner, batch.owners[1].owner);
  ASSERT_EQ(back.gaps.size(), 1U);
  EXPECT_EQ(back.gaps[0].kind, GapKind::textCut);
  EXPECT_EQ(back.gaps[0].count, 2U);
}

TEST(TraceStream, AnOlderKernelsShorterRecordStaysShort) {
  ObservationBatch batch;
  SocketObservation socket = test::ObservationBuilder().reportedBytes(192).build();
  batch.changed = {socket};
  EXPECT_EQ(throughBytes(batch).changed.at(0).info.bytes().size(), 192U);
  EXPECT_FALSE(throughBytes(batch).changed.at(0).info.bytesSent().has_value());
}

TEST(TraceStream, HolesStayHoles) {
  ObservationBatch batch;
  batch.changed = {test::ObservationBuilder()
                       .acked(4711)
                       .set(tcp_info::kLastDataSent, 120U)
                       .without(tcp_info::kCaState)
                       .without(tcp_info::kTotalRtoTime)
                       .build()};
  const ObservationBatch back = throughBytes(batch);
  ASSERT_EQ(back.changed.size(), 1U);
  expectSame(back.changed[0], batch.changed[0]);
  EXPECT_FALSE(back.changed[0].info.caState());
  EXPECT_EQ(back.changed[0].info.bytesAcked(), Bytes(4711));
}

TEST(TraceStream, AnIdleSocketKeepsItsBytesWhileItsAgesGrow) {
  const auto record = [](std::chrono::milliseconds later) {
    SocketObservation socket = test::ObservationBuilder()
                                   .at(10s + later)
                                   .set(tcp_info::kLastDataSent, static_cast<std::uint32_t>((500ms + later).count()))
                                   .set(tcp_info::kLastAckRecv, static_cast<std::uint32_t>((480ms + later).count()))
                                   .set(tcp_info::kLastAckSent, static_cast<std::uint32_t>((480ms + later).count()))
                                   .set(tcp_info::kLastDataRecv, static_cast<std::uint32_t>((480ms + later).count()))
                                   .build();
    Stream bytes;
    appendSocketRecord(bytes, socket);
    // Only the time of the sample differs; it follows the length (2 bytes) and the cookie.
    std::fill(bytes.begin() + 10, bytes.begin() + 18, std::byte{0});
    return bytes;
  };
  EXPECT_EQ(record(0ms), record(3700ms));
}

TEST(TraceStream, AWholeBatchIsReadBack) {
  const ObservationBatch batch = test::exampleBatch(600);
  const ObservationBatch back = throughBytes(batch);
  ASSERT_EQ(back.changed.size(), 600U);
  expectSame(back.changed.back(), batch.changed.back());
  ASSERT_EQ(back.closed.size(), 2U);
  EXPECT_EQ(back.closed[0].closedAt, batch.closed[0].closedAt);
  ASSERT_TRUE(back.closed[0].last.has_value());
  expectSame(*back.closed[0].last, *batch.closed[0].last);
  EXPECT_FALSE(back.closed[1].last.has_value());
  ASSERT_EQ(back.owners.size(), 2U);
  EXPECT_EQ(back.owners[0].owner, batch.owners[0].owner);
  EXPECT_EQ(back.owners[1].owner, batch.owners[1].owner);
  ASSERT_EQ(back.liveOptions.size(), 1U);
  EXPECT_EQ(back.liveOptions[0].options,
            (LiveOptions{{true, false}, NagleOptions{false, true}, std::chrono::seconds(20)}));
  ASSERT_EQ(back.programWaits.size(), 1U);
  EXPECT_EQ(back.programWaits[0].id.cookie, 1U);
  EXPECT_EQ(back.programWaits[0].waits, batch.programWaits[0].waits);
  ASSERT_EQ(back.gaps.size(), 1U);
  EXPECT_EQ(back.gaps[0].kind, GapKind::focusSlotMissed);
  EXPECT_EQ(back.gaps[0].count, 12U);
  EXPECT_EQ(back.unchanged, 4000U);
  EXPECT_EQ(back.dumpEndedAt, batch.dumpEndedAt);
}

TEST(TraceStream, TheEndOfADumpIsTheLastThingOfIt) {
  Stream bytes;
  TraceWriter writer(bytes);
  writer.write(test::exampleBatch(600));
  TraceReader reader(PlaceId{0});
  reader.feed(bytes);
  bool ended = false;
  while (const auto value = reader.next()) {
    EXPECT_FALSE(ended);
    ended = std::get<ObservationBatch>(*value).dumpEndedAt.has_value();
  }
  EXPECT_TRUE(ended);
}

TEST(TraceStream, EveryValueSurvivesTheWayThroughBytes) {
  const Stream stream = exampleStream();
  Stream again;
  for (const Stream& value : readAtOnce(stream)) again.insert(again.end(), value.begin(), value.end());
  EXPECT_EQ(again, stream);
}

TEST(TraceStream, HowTheBytesAreSplitMakesNoDifference) {
  Stream stream = exampleStream();
  // Damage, too, must be reported at the same place.
  stream[stream.size() / 2] ^= std::byte{0x10};
  const std::vector<Stream> whole = readAtOnce(stream);
  EXPECT_EQ(readInChunks(stream, [] { return std::size_t{1}; }), whole);
  std::mt19937 random(20240607);
  for (int round = 0; round < 200; ++round) {
    EXPECT_EQ(readInChunks(stream, [&] { return std::uniform_int_distribution<std::size_t>(1, 700)(random); }), whole);
  }
}

TEST(TraceStream, OneDamagedByteCostsOneFrameAndIsSaid) {
  const Stream good = exampleStream();
  const std::size_t values = readAtOnce(good).size();
  for (std::size_t at = 0; at < good.size(); ++at) {
    Stream bad = good;
    bad[at] ^= std::byte{0x40};
    TraceReader reader(PlaceId{0});
    reader.feed(bad);
    reader.end();
    std::size_t seen = 0;
    std::uint64_t gaps = 0;
    while (const auto value = reader.next()) {
      ++seen;
      const auto* batch = std::get_if<ObservationBatch>(&*value);
      if (batch == nullptr) continue;
      for (const CollectionGap& gap : batch->gaps) gaps += gap.kind == GapKind::damagedFrame ? 1 : 0;
    }
    ASSERT_EQ(gaps, 1U) << "byte " << at;
    ASSERT_EQ(seen, values) << "byte " << at << ": the gap stands for the one value that is missing";
    ASSERT_TRUE(reader.damagedAt().has_value());
    ASSERT_LE(*reader.damagedAt(), at);
  }
}

TEST(TraceStream, WhateverIsCutOffAtTheEndIsSaid) {
  const Stream good = exampleStream();
  const std::vector<Stream> all = readAtOnce(good);
  for (std::size_t size = 1; size < good.size(); ++size) {
    const std::vector<Stream> values = readAtOnce({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    ASSERT_LE(values.size(), all.size());
    // All but the last are what the whole stream gives; the last is the gap, or the cut fell between two frames.
    for (std::size_t i = 0; i + 1 < values.size(); ++i) ASSERT_EQ(values[i], all[i]);
  }
}

TEST(TraceStream, UnknownKindsAreSkippedByTheirLength) {
  const std::vector<Stream> known = readAtOnce(exampleStream());
  Stream stream;
  const Stream foreign(1000, std::byte{0xF5});
  appendFrame(stream, static_cast<FrameKind>(200), foreign);
  appendFrame(stream, FrameKind::packets, foreign);
  const Stream rest = exampleStream();
  stream.insert(stream.end(), rest.begin(), rest.end());
  appendFrame(stream, static_cast<FrameKind>(60), {});
  EXPECT_EQ(readAtOnce(stream), known);
}

TEST(TraceStream, UnknownPartsOfASocketArePassedOver) {
  Stream record;
  appendSocketRecord(record, test::fullSocket(1));
  // Behind the length of two bytes; the new part is of kind 99 with three bytes.
  Stream longer(record.begin() + 2, record.end());
  for (const int byte : {99, 3, 1, 2, 3}) longer.push_back(static_cast<std::byte>(byte));
  Stream bytes;
  WireWriter writer(bytes);
  writer.count(longer.size());
  writer.bytes(longer);
  WireReader reader(bytes);
  const auto socket = readSocketRecord(reader, {PlaceId{0}, AccecnLayout::linux618});
  ASSERT_TRUE(socket.has_value());
  expectSame(*socket, test::fullSocket(1));
}

TEST(TraceStream, AnEndlessRunOfGarbageIsReportedInPiecesAndTakesNoMemory) {
  TraceReader reader(PlaceId{0});
  const Stream garbage(64 * 1024, std::byte{0xF5});
  std::size_t gaps = 0;
  for (int i = 0; i < 16 * 5; ++i) {
    reader.feed(garbage);
    while (reader.next()) ++gaps;
  }
  EXPECT_GE(gaps, 4U);
  EXPECT_LE(gaps, 5U);
}

TEST(TraceStream, MomentsMoveWithTheClockAndAgesStay) {
  Stream bytes;
  TraceWriter writer(bytes);
  writer.write(test::exampleHello());
  ObservationBatch batch;
  batch.changed = {test::fullSocket(1)};
  writer.write(batch);
  TraceReader reader(PlaceId{3});
  reader.setClockOffset(-2s);
  reader.feed(bytes);
  const ObservationBatch back = joined(reader);
  ASSERT_EQ(back.changed.size(), 1U);
  const SocketObservation& socket = back.changed[0];
  EXPECT_EQ(socket.id, (ConnectionId{PlaceId{3}, 1}));
  EXPECT_EQ(socket.takenAt, batch.changed[0].takenAt - 2s);
  EXPECT_EQ(socket.info.lastDataSent(), Microseconds(120'000));
  EXPECT_EQ(socket.info.lastDataRecv(), Microseconds(3'600'000'000));
}

TEST(Checksum, MatchesTheStandard) {
  // RFC 3720, B.4, and the usual check value.
  const auto of = [](std::string_view text) { return crc32c(std::as_bytes(std::span(text.data(), text.size()))); };
  EXPECT_EQ(of("123456789"), 0xE3069283U);
  EXPECT_EQ(of(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(of(std::string(32, '\xff')), 0x62A8AB43U);
}

TEST(TraceWriter, WritesAllFactsOfAHostAtOnce) {
  HostFacts many;
  for (int number = 0; number < 200; ++number) {
    many.push_back({UntrustedText("key-" + std::to_string(number)), UntrustedText("value")});
  }
  TraceReader reader(PlaceId{0});
  reader.feed(written(many));
  const auto read = reader.next();
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<HostFacts>(*read), many);
  EXPECT_FALSE(reader.next());
}

TEST(TraceWriter, WritesAsManyFactsAsAFrameHolds) {
  const HostFacts large(100, {UntrustedText(std::string(4000, 'k')), UntrustedText(std::string(4000, 'v'))});
  const Stream bytes = written(large);
  TraceReader reader(PlaceId{0});
  reader.feed(bytes);
  const auto read = reader.next();
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<HostFacts>(*read).size(), kMaxPayloadBytes / 8020);
  EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace tcpscope
