#include "app/remote/agent_protocol.h"

#include <algorithm>

#include "collectors/host/place_reader.h"
#include "collectors/ss/ss_reader.h"
#include "collectors/trace/trace_reader.h"
#include "collectors/trace/trace_writer.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kClocksDisagree = std::chrono::seconds(10);
/// The times that ss can be given are hundredths of a second: rates of shorter steps would be noise.
constexpr Milliseconds kShortestPoll{1000};

class FrameProtocol final : public AgentProtocol {
public:
  explicit FrameProtocol(PlaceId place) : m_place(place), m_reader(place) {}

  void feed(std::span<const std::byte> bytes, Moment /*heardAt*/) override { m_reader.feed(bytes); }
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
    if (isNew || wanted.focus != m_asked->focus) {
      const auto where = wanted.focus ? namespaceNumber(wanted.focus->id.place, m_place) : std::nullopt;
      writer.write(FocusRequest{wanted.focus, where});
    }
    m_asked = wanted;
  }

private:
  PlaceId m_place;
  TraceReader m_reader;
  std::optional<CollectorRequest> m_asked;
};

/// An empty line requests one sample, and the next is requested only after the last one has ended: a slow host sets its
/// own pace.
class SsProtocol final : public AgentProtocol {
public:
  explicit SsProtocol(PlaceId place) : m_reader(place) {}

  void feed(std::span<const std::byte> bytes, Moment heardAt) override { m_reader.feed(bytes, heardAt); }
  void end() override {}
  std::optional<TraceValue> next() override { return m_reader.next(); }
  /// The reader dates every sample by its arrival.
  void relateClocks(const TraceHello& /*hello*/, const ClockPair& /*heardAt*/) override {}

  void ask(const CollectorRequest& wanted, Moment now, std::vector<std::byte>& out) override {
    if (m_reader.pollsEnded() < m_pollsAsked || now < m_due) return;
    out.push_back(static_cast<std::byte>('\n'));
    ++m_pollsAsked;
    m_due = now + std::max(wanted.listInterval, kShortestPoll);
  }
  [[nodiscard]] std::optional<Moment> nextAsk() const override {
    return m_reader.pollsEnded() < m_pollsAsked ? std::nullopt : std::optional(m_due);
  }

private:
  SsReader m_reader;
  std::uint64_t m_pollsAsked = 0;
  Moment m_due;
};

}  // namespace

std::unique_ptr<AgentProtocol> openProtocol(AgentMeans means, PlaceId place) {
  if (means == AgentMeans::throughSs) return std::make_unique<SsProtocol>(place);
  return std::make_unique<FrameProtocol>(place);
}

Nanoseconds clockOffset(const TraceHello& hello, std::string_view ownBootId, const ClockPair& heardAt) {
  if (!ownBootId.empty() && hello.place.bootId == ownBootId) return Nanoseconds(0);
  const Nanoseconds behind = heardAt.wall - hello.clock.wall;
  const bool agree = behind >= Nanoseconds(0) && behind <= kClocksDisagree;
  return (heardAt.monotonic - hello.clock.monotonic) - (agree ? behind : Nanoseconds(0));
}

}  // namespace tcpscope
