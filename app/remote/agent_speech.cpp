#include "app/remote/agent_speech.h"

#include <algorithm>

#include "collectors/host/place_reader.h"
#include "collectors/ss/ss_reader.h"
#include "collectors/trace/trace_reader.h"
#include "collectors/trace/trace_writer.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kClocksDisagree = std::chrono::seconds(10);
/// The times that ss can be given are hundredths of a second: rates of shorter steps would be noise.
constexpr Milliseconds kShortestLook{1000};

class FrameSpeech final : public AgentSpeech {
public:
  explicit FrameSpeech(PlaceId place) : m_place(place), m_reader(place) {}

  void feed(std::span<const std::byte> bytes) override { m_reader.feed(bytes); }
  void end() override { m_reader.end(); }
  std::optional<TraceValue> next() override { return m_reader.next(); }
  void relateClocks(const TraceHello& hello, const ClockPair& heardAt) override {
    m_reader.setClockOffset(clockOffset(hello, readPlace(m_place).bootId, heardAt));
  }

  void ask(const CollectorRequest& wanted, Moment /*now*/, std::vector<std::byte>& out) override {
    if (wanted == m_asked) return;
    TraceWriter writer(out);
    const bool isNew = !m_asked;
    if (isNew || wanted.listInterval != m_asked->listInterval || wanted.focusInterval != m_asked->focusInterval) {
      writer.write(IntervalRequest{wanted.listInterval, wanted.focusInterval});
    }
    // The filter itself stays here: leaving out is allowed, not demanded, and the session filters what it shows.
    if (isNew || wanted.stateMask != m_asked->stateMask) writer.write(FilterRequest{wanted.stateMask, {}});
    if (isNew || wanted.focus != m_asked->focus) writer.write(FocusRequest{wanted.focus});
    m_asked = wanted;
  }

private:
  PlaceId m_place;
  TraceReader m_reader;
  std::optional<CollectorRequest> m_asked;
};

/// An empty line asks for a look; none is asked for before the last one has ended, so that a slow host is not hurried.
class SsSpeech final : public AgentSpeech {
public:
  explicit SsSpeech(PlaceId place) : m_reader(place) {}

  void feed(std::span<const std::byte> bytes) override { m_reader.feed(bytes); }
  void end() override {}
  std::optional<TraceValue> next() override { return m_reader.next(); }
  void relateClocks(const TraceHello& hello, const ClockPair& heardAt) override {
    // Its wall clock is told in whole seconds, and its other one runs on while the host sleeps: what it says is taken
    // as said when it is heard.
    m_reader.setClockOffset(heardAt.monotonic - hello.clock.monotonic);
  }

  void ask(const CollectorRequest& wanted, Moment now, std::vector<std::byte>& out) override {
    if (m_reader.looksEnded() < m_looksAsked || now < m_due) return;
    out.push_back(static_cast<std::byte>('\n'));
    ++m_looksAsked;
    m_due = now + std::max(wanted.listInterval, kShortestLook);
  }
  [[nodiscard]] std::optional<Moment> nextAsk() const override {
    return m_reader.looksEnded() < m_looksAsked ? std::nullopt : std::optional(m_due);
  }

private:
  SsReader m_reader;
  std::uint64_t m_looksAsked = 0;
  Moment m_due;
};

}  // namespace

std::unique_ptr<AgentSpeech> openSpeech(AgentMeans means, PlaceId place) {
  if (means == AgentMeans::throughSs) return std::make_unique<SsSpeech>(place);
  return std::make_unique<FrameSpeech>(place);
}

Nanoseconds clockOffset(const TraceHello& hello, std::string_view ownBootId, const ClockPair& heardAt) {
  if (!ownBootId.empty() && hello.place.bootId == ownBootId) return Nanoseconds(0);
  const Nanoseconds behind = heardAt.wall - hello.clock.wall;
  const bool agree = behind >= Nanoseconds(0) && behind <= kClocksDisagree;
  return (heardAt.monotonic - hello.clock.monotonic) - (agree ? behind : Nanoseconds(0));
}

}  // namespace tcpscope
