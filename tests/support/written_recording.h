// A recording for tests of replay: a minute of three connections, as a collector reports them, a dump a
// second and the first connection every 100 ms.
//
//   connection 1   sends all the time; receive-window limited for 30 s, then application-limited
//   connection 2   sends for 3 s, is silent, and resumes at 40 s
//   connection 3   appears at 10 s, loses segments, closes at 25 s; each retransmission is reported
//
// A setting of the host is changed at 20 s.
#pragma once

#include <gtest/gtest.h>

#include "collectors/trace/recording_output.h"
#include "collectors/trace/trace_writer.h"
#include "tests/support/observation_builder.h"
#include "tests/support/trace_examples.h"

namespace tcpscope::test {

inline constexpr std::chrono::seconds kWrittenSpan{60};
inline constexpr std::chrono::seconds kWrittenChangeAt{20};

inline Moment writtenBegin() {
  return exampleHello().clock.monotonic;
}

class WrittenMinute {
public:
  explicit WrittenMinute(const std::filesystem::path& path, const RecordingLimits& limits = {},
                         const UntrustedText& note = {}) {
    auto output = RecordingOutput::create(path, {[this] { return m_now; }, limits, note});
    if (!output) return;
    m_output = std::move(*output);
    m_writer.emplace(m_output->buffer());
    m_writer->write(exampleHello());
    for (int tenth = 0; tenth <= 600; ++tenth) writeTenth(tenth);
    EXPECT_TRUE(m_output->finish());
  }

private:
  static SocketObservation first(Milliseconds at) {
    ObservationBuilder builder;
    const auto bytes = static_cast<std::uint64_t>(at.count()) * 1000;
    const Milliseconds limited = std::min<Milliseconds>(at, std::chrono::seconds(30));
    builder.cookie(1).at(at).acked(bytes).dataSegmentsOut(static_cast<std::uint32_t>(bytes / 1448));
    builder.chronographs(at < std::chrono::seconds(30) ? at : limited + (at - limited) / 10, limited);
    return builder.build();
  }
  static SocketObservation second(Milliseconds at) {
    const Milliseconds sent = at < std::chrono::seconds(4) ? at : at - std::chrono::seconds(36);
    const auto bytes = static_cast<std::uint64_t>(sent.count()) * 500;
    return ObservationBuilder().cookie(2).at(at).acked(bytes).chronographs(sent).build();
  }
  static SocketObservation third(Milliseconds at) {
    const Milliseconds age = at - std::chrono::seconds(10);
    const auto bytes = static_cast<std::uint64_t>(age.count()) * 200;
    ObservationBuilder builder;
    builder.cookie(3).remote("198.51.100.3", 80).at(at).acked(bytes).chronographs(age);
    builder.dataSegmentsOut(static_cast<std::uint32_t>(age.count()));
    return builder.retransmitted(static_cast<std::uint32_t>(age.count() / 50)).build();
  }

  void writeTenth(int tenth) {
    const Milliseconds at(100 * tenth);
    m_now = writtenBegin() + at;
    ObservationBatch batch;
    batch.changed = {first(at)};
    if (tenth % 10 != 0) {
      batch.rate = SampleRate::focus;
    } else {
      addDump(batch, at);
    }
    batch.reportsRetransmissions = tenth == 0;
    if (at > std::chrono::seconds(10) && at < std::chrono::seconds(25) && tenth % 5 == 0) {
      batch.retransmissions = {{third(at).local, third(at).remote, m_now}};
    }
    m_writer->write(batch);
    if (at == kWrittenChangeAt) {
      ChangeMark mark;
      mark.time = m_now;
      mark.key = UntrustedText("net.ipv4.tcp_rmem");
      mark.before = UntrustedText("4096 131072 6291456");
      mark.after = UntrustedText("4096 131072 33554432");
      m_writer->write(mark);
    }
    EXPECT_TRUE(m_output->flush());
  }

  static void addDump(ObservationBatch& batch, Milliseconds at) {
    using std::chrono::seconds;
    if (at < seconds(4) || at >= seconds(40)) {
      batch.changed.push_back(second(at));
      // The dump before saw it silent.
      if (at == seconds(40)) batch.changed.back().unchangedUntil = batch.changed.back().takenAt - seconds(1);
    }
    if (at >= seconds(10) && at < seconds(25)) batch.changed.push_back(third(at));
    if (at == seconds(25)) batch.closed.push_back({third(at).id, writtenBegin() + at, third(at)});
    batch.dumpEndedAt = writtenBegin() + at;
  }

  Moment m_now = writtenBegin();
  std::unique_ptr<RecordingOutput> m_output;
  std::optional<TraceWriter> m_writer;
};

}  // namespace tcpscope::test
