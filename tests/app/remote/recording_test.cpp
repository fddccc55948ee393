// A recording of a real transfer reproduces what was seen live, down to the last figure of the diagnosis.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/session/local_place.h"
#include "app/session/recorded_session.h"
#include "app/session/replay_session.h"
#include "collectors/system/monotonic_clock.h"
#include "collectors/trace/recording_file.h"
#include "collectors/trace/recording_output.h"
#include "collectors/trace/segment_header.h"
#include "collectors/trace/trace_writer.h"
#include "core/host/sysctl_values.h"
#include "core/present/json/connections_document.h"
#include "core/session/anonymizer.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/path_relay.h"
#include "tests/support/session_watch.h"
#include "tests/support/trace_examples.h"
#include "tests/support/traffic.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using test::NetworkHost;

/// A file of this test alone, gone with the object.
class TemporaryFile {
public:
  TemporaryFile() {
    std::string pattern = std::filesystem::temp_directory_path() / "tcpscope-test-XXXXXX";
    const int descriptor = mkstemp(pattern.data());
    if (descriptor >= 0) ::close(descriptor);
    m_path = pattern;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(m_path); }
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
  std::filesystem::path m_path;
};

/// The connections document, without its time.
json saidOf(const SessionSnapshot& snapshot, std::vector<std::shared_ptr<const ConnectionDetail>> details) {
  ConnectionsDocument document;
  document.places = snapshot.places;
  document.gaps = snapshot.gaps;
  document.listeners = snapshot.listeners;
  document.connections = std::move(details);
  json said = json::parse(toJson(document));
  for (json& place : said["places"]) place.erase("recording");
  return said;
}

TEST(Recording, OfARealTransferGivesTheSameDiagnosis) {
  auto sending = NetworkHost::make({"10.77.0.1", 1500, {{"tcp_notsent_lowat", "7654321"}}});
  if (!sending) GTEST_SKIP() << "this machine gives no network namespace: " << sending.error();
  auto receiving = NetworkHost::make({"10.77.0.2", 1500, {}});
  if (!receiving) GTEST_SKIP() << "this machine gives no network namespace: " << receiving.error();
  lab::DuplexSettings path;
  path.forward.rate = BitsPerSecond(50e6);
  path.forward.delay = 10ms;
  path.forward.loss = lab::BernoulliLoss{0.005};
  path.backward.delay = 10ms;
  const std::array<const NetworkHost*, 2> hosts = {sending->get(), receiving->get()};
  const test::PathRelay relay(hosts, test::betweenTwoHosts(path));
  (*receiving)->start([] { run(test::ReceiverProgram(), 60s); });
  (*sending)->start([] { run(test::SenderProgram(), 60s); });

  const auto place = findLocalPlace(std::to_string((*sending)->pid()));
  ASSERT_TRUE(place.has_value());
  auto poller = openPoller(*place);
  ASSERT_TRUE(poller.has_value());
  const ProcessAnswers answers = answersFromProc();
  const TemporaryFile file;
  auto output = RecordingOutput::create(file.path(), {monotonicNow});
  ASSERT_TRUE(output.has_value());
  TraceWriter writer((*output)->buffer());
  TraceHello hello;
  hello.place = place->place;
  hello.clock = clockPairNow();
  writer.write(hello);
  writer.write(place->facts);

  // As much is looked back over as the recording will be.
  SessionBudget budget;
  budget.verdictWindow = 24h * 365;
  AnalysisSession live(budget);
  live.setPlaces({place->place}, hello.clock);
  OwnerQuestions questions;
  Moment last;
  double acked = 0;
  const auto take = [&](const ObservationBatch& batch) {
    live.accept(batch);
    questions.note(batch);
    writer.write(batch);
    last = std::max(last, latestMoment(batch).value_or(last));
    for (const SocketObservation& socket : batch.changed) {
      acked = std::max(acked, static_cast<double>(socket.info.bytesAcked().value_or(Bytes(0)).value()));
    }
  };
  for (int poll = 0; poll < 600 && (poll < 30 || acked < 5e6); ++poll) {
    (*poller)->pollOnce([&](ObservationBatch&& batch) { return take(batch), true; });
    if (!questions.empty()) take(answers(questions.take(), {}));
    ASSERT_TRUE((*output)->flush());
    std::this_thread::sleep_for(50ms);
  }
  ASSERT_GE(acked, 5e6) << "the transfer did not start";
  ASSERT_TRUE((*output)->finish());
  const auto snapshot = live.tick(last);
  const json seenLive = saidOf(*snapshot, detailsOf(live, *snapshot));

  const auto recorded = RecordedSession::read(file.path(), {});
  ASSERT_TRUE(recorded.has_value());
  const auto replayed = (*recorded)->atEnd();
  const json seenAgain = saidOf(*replayed, (*recorded)->details(*replayed));
  EXPECT_EQ(seenAgain, seenLive) << json::diff(seenLive, seenAgain).dump(1);
  ASSERT_FALSE(seenLive["connections"].empty());
  EXPECT_TRUE(seenLive["connections"][0].contains("process"));
  EXPECT_FALSE(seenLive["connections"][0]["verdict"].is_null());
  for (const SessionSnapshot* shown : {snapshot.get(), replayed.get()}) {
    EXPECT_EQ(shown->settings(place->place.id).number("net.ipv4.tcp_notsent_lowat"), 7'654'321U);
  }
}

/// Writes the sample of this number, 100 ms after the previous one, with 100 kB more sent.
Moment writePoll(TraceWriter& writer, int poll) {
  ObservationBatch batch;
  const auto bytes = static_cast<std::uint64_t>(100'000 * poll);
  batch.changed = {test::ObservationBuilder().at(100ms * poll).acked(bytes).chronographs(100ms * poll).build()};
  batch.dumpEndedAt = batch.changed[0].takenAt;
  writer.write(batch);
  return *batch.dumpEndedAt;
}

/// A recording of `polls` polls of one connection.
void writeExample(const std::filesystem::path& path, int polls) {
  Moment now;
  auto output = RecordingOutput::create(path, {[&now] { return now; }});
  ASSERT_TRUE(output.has_value());
  TraceWriter writer((*output)->buffer());
  writer.write(test::exampleHello());
  for (int poll = 0; poll < polls; ++poll) {
    now = writePoll(writer, poll);
    ASSERT_TRUE((*output)->flush());
  }
  ASSERT_TRUE((*output)->finish());
}

/// All frames of a recording, unpacked.
std::string framesOf(const std::filesystem::path& path) {
  std::string frames;
  const auto file = RecordingFile::open(path);
  if (!file) return frames;
  for (auto bytes = (*file)->next(); !bytes.empty(); bytes = (*file)->next()) {
    frames.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return frames;
}

TEST(AnonymizedRecording, HoldsNoNamesAndGivesTheSameVerdicts) {
  const TemporaryFile plain;
  const TemporaryFile hidden;
  const Endpoint local{IpAddress::parse("10.20.30.40").value(), 443};
  const Endpoint remote{IpAddress::parse("2a00:1450:4001:81b::200e").value(), 50'000};
  Owner owner{42, UntrustedText("payrolld"), UntrustedText("jane.doe"), UntrustedText("payroll.service")};
  json verdicts[2];
  for (const bool hides : {false, true}) {
    const std::filesystem::path& path = hides ? hidden.path() : plain.path();
    Moment now;
    auto output = RecordingOutput::create(path, {[&now] { return now; }});
    ASSERT_TRUE(output.has_value());
    TraceWriter writer((*output)->buffer());
    Anonymizer anonymizer;
    TraceHello hello = test::exampleHello();
    hello.place.host = UntrustedText("db1.customer.example");
    if (hides) anonymizer.hide(hello.place);
    writer.write(hello);
    for (int poll = 0; poll < 100; ++poll) {
      ObservationBatch batch;
      const auto bytes = static_cast<std::uint64_t>(100'000 * poll);
      SocketObservation socket =
          test::ObservationBuilder().at(100ms * poll).acked(bytes).chronographs(100ms * poll).build();
      socket.local = local;
      socket.remote = remote;
      batch.changed = {socket};
      batch.retransmissions = {{local, remote, socket.takenAt}};
      batch.events = {{"set_state", local, remote, socket.takenAt, HistoryEventKind::retransmission, 1, {}}};
      if (poll == 1) batch.owners = {{socket.id, owner}};
      batch.dumpEndedAt = now = socket.takenAt;
      if (hides) anonymizer.hide(batch);
      writer.write(batch);
      ASSERT_TRUE((*output)->flush());
    }
    ASSERT_TRUE((*output)->finish());
    const auto recorded = RecordedSession::read(path, {});
    ASSERT_TRUE(recorded.has_value());
    const auto end = (*recorded)->atEnd();
    const json said = saidOf(*end, (*recorded)->details(*end));
    ASSERT_EQ(said["connections"].size(), 1U);
    json connection = said["connections"][0];
    for (const char* named : {"local", "remote", "process"}) {
      EXPECT_TRUE(connection.contains(named));
      connection.erase(named);
    }
    verdicts[hides ? 1 : 0] = connection;
  }
  EXPECT_EQ(verdicts[1], verdicts[0]) << json::diff(verdicts[0], verdicts[1]).dump(1);
  EXPECT_EQ(verdicts[0]["verdict"]["limit"], "network") << "there is a verdict to compare";

  const auto textOf = [](const IpAddress& address) {
    const std::size_t size = address.family() == AddressFamily::ipv4 ? 4 : 16;
    return std::string(reinterpret_cast<const char*>(address.bytes().data()), size);
  };
  const std::string frames = framesOf(plain.path());
  const std::string hiddenFrames = framesOf(hidden.path());
  for (const std::string& identifying :
       {textOf(local.address), textOf(remote.address), std::string("db1.customer"), std::string("payroll"),
        std::string("jane"), std::string("6.18.4"), test::exampleHello().place.bootId,
        test::exampleHello().place.networkNamespace}) {
    EXPECT_NE(frames.find(identifying), std::string::npos) << "the test searches for the wrong bytes";
    EXPECT_EQ(hiddenFrames.find(identifying), std::string::npos);
  }
}

TEST(Recording, IsSmallerThanItsFrames) {
  const TemporaryFile file;
  writeExample(file.path(), 1000);
  // 1000 records with 280 bytes of TCP_INFO each, in 200 segments.
  EXPECT_LT(std::filesystem::file_size(file.path()), 90'000U);
}

TEST(Recording, ThatWasCutKeepsWhatCameBefore) {
  const TemporaryFile file;
  writeExample(file.path(), 1000);
  const auto size = std::filesystem::file_size(file.path());
  std::filesystem::resize_file(file.path(), size / 2);
  const auto recorded = RecordedSession::read(file.path(), {});
  ASSERT_TRUE(recorded.has_value());
  const auto snapshot = (*recorded)->atEnd();
  EXPECT_EQ(snapshot->order->size(), 1U);
  ASSERT_EQ(snapshot->gaps.size(), 1U);
  EXPECT_EQ(snapshot->gaps[0].kind, GapKind::damagedFrame);
}

TEST(Recording, ThatWasDamagedInTheMiddleIsReadAsFarAsItGoes) {
  const TemporaryFile file;
  writeExample(file.path(), 1000);
  {
    std::fstream stream(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file.path()) * 3 / 4));
    // More than the header of a segment, without which nothing is lost.
    stream << std::string(2 * kSegmentHeaderBytes, '\7');
  }
  const auto recorded = RecordedSession::read(file.path(), {});
  ASSERT_TRUE(recorded.has_value());
  const auto snapshot = (*recorded)->atEnd();
  ASSERT_FALSE(snapshot->gaps.empty());
  EXPECT_EQ(snapshot->gaps[0].kind, GapKind::damagedFrame);
}

TEST(Recording, AnythingElseIsRefusedWithItsName) {
  const TemporaryFile file;
  std::ofstream(file.path()) << "127.0.0.1 is no recording";
  const auto recorded = RecordedSession::read(file.path(), {});
  ASSERT_FALSE(recorded.has_value());
  EXPECT_EQ(recorded.error().attempt, SystemAttempt::readRecording);
  EXPECT_EQ(recorded.error().errorNumber, 0);
  EXPECT_EQ(RecordedSession::read("/does/not/exist", {}).error().errorNumber, ENOENT);
}

TEST(Recording, AnAgentsStreamInAFileIsOne) {
  const TemporaryFile file;
  const std::vector<std::byte> stream = test::exampleStream();
  std::ofstream(file.path(), std::ios::binary)
      .write(reinterpret_cast<const char*>(stream.data()), static_cast<std::streamsize>(stream.size()));
  const auto recorded = RecordedSession::read(file.path(), {});
  ASSERT_TRUE(recorded.has_value());
  EXPECT_EQ((*recorded)->place().host, UntrustedText("sender"));
  EXPECT_EQ((*recorded)->place().recording, UntrustedText(file.path().filename().string()));
  EXPECT_GT((*recorded)->atEnd()->order->size(), 0U);
}

TEST(Recording, AFullDiskIsSaid) {
  const TemporaryFile file;
  RecordingSettings settings{monotonicNow};
  settings.write = [](int, const void*, std::size_t) -> ssize_t { return errno = ENOSPC, -1; };
  auto output = RecordingOutput::create(file.path(), settings);
  ASSERT_TRUE(output.has_value());
  TraceWriter writer((*output)->buffer());
  writer.write(test::exampleHello());
  EXPECT_FALSE((*output)->finish());
  EXPECT_EQ((*output)->errorNumber(), ENOSPC);
}

TEST(Replay, RunsOnTheRecordingsClockAndStopsAtItsEnd) {
  const TemporaryFile file;
  writeExample(file.path(), 12);
  SessionControl control;
  control.listInterval = 40ms;
  const auto session = openReplay(file.path(), control);
  ASSERT_TRUE(session.has_value());
  const Moment begin = test::exampleHello().clock.monotonic;
  const auto snapshot =
      test::waitForSnapshot(**session, [&](const SessionSnapshot& seen) { return seen.time >= begin + 1100ms; });
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(snapshot->time, begin + 1100ms);
  EXPECT_EQ(snapshot->clock.wall, test::exampleHello().clock.wall);
  ASSERT_EQ(snapshot->places.size(), 1U);
  EXPECT_FALSE(snapshot->places[0].recording.empty());

  // The connection gets the focus only now, and shows each of the twelve samples.
  control.focus = ConnectionId{PlaceId{0}, 1};
  (*session)->setControl(control);
  const auto watched =
      test::waitForSnapshot(**session, [](const SessionSnapshot& seen) { return !seen.details.empty(); });
  ASSERT_NE(watched, nullptr);
  EXPECT_EQ(watched->details.begin()->second->history.sampleCount(), 12U);
}

}  // namespace
}  // namespace tcpscope
