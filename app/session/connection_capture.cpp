#include "app/session/connection_capture.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "collectors/pcap/capture_interface.h"
#include "collectors/pcap/capture_reader.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

/// A few times a second is what eyes follow, and never for more than a tenth of the time.
constexpr Milliseconds kReportInterval{200};
constexpr int kReportShare = 10;
/// Between two looks at what is wanted: some tenths of a millisecond.
constexpr std::uint64_t kCapturedBetweenPolls = 1024;
/// Another process writes its last block at once, unless it hangs.
constexpr Milliseconds kProcessEnds{3000};

LiveCaptureSettings settingsOf(const CaptureOrder& order, const CaptureMeans& means) {
  LiveCaptureSettings settings;
  settings.filter = order.request.filter;
  if (!order.request.interface.empty()) {
    settings.interface = order.request.interface;
  } else if (means.open) {
    settings.interface = captureInterfaceOf(order.local.address, order.remote.address);
  }
  return settings;
}

/// What another process captures, as far as there is something: while there is not, `goOn` is asked again and again.
class CapturedElsewhere final : public ByteSource {
public:
  CapturedElsewhere(CapturingProcess& process, int wakeDescriptor, std::function<bool()> goOn)
      : m_process(process), m_wakeDescriptor(wakeDescriptor), m_goOn(std::move(goOn)) {}

  Expected<std::size_t, CaptureFault> read(std::span<std::byte> out) override {
    while (true) {
      if (!m_endBy && !m_goOn()) {
        m_process.requestEnd();
        m_endBy = monotonicNow() + kProcessEnds;
      }
      if (m_endBy && monotonicNow() >= *m_endBy) return std::size_t{0};
      std::array<pollfd, 2> waiting = {{{m_process.descriptor(), POLLIN, 0}, {m_wakeDescriptor, POLLIN, 0}}};
      // Once the end was asked for, it alone is waited for.
      const nfds_t count = m_endBy ? 1 : 2;
      poll(waiting.data(), count, static_cast<int>(kReportInterval.count()));
      if (waiting[0].revents == 0) continue;
      const ssize_t bytes = ::read(m_process.descriptor(), out.data(), out.size());
      if (bytes < 0 && errno == EINTR) continue;
      return static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
    }
  }

private:
  CapturingProcess& m_process;
  int m_wakeDescriptor;
  std::function<bool()> m_goOn;
  std::optional<Moment> m_endBy;
};

}  // namespace

Expected<std::unique_ptr<ConnectionCapture>, SystemError> ConnectionCapture::start(const CaptureOrder& order,
                                                                                   CaptureMeans means, Sink sink) {
  const int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) return Unexpected<SystemError>({SystemAttempt::openWakeDescriptor, errno, {}});
  std::unique_ptr<ConnectionCapture> capture(new ConnectionCapture(order, std::move(means), std::move(sink), wake));
  try {
    ConnectionCapture& running = *capture;
    capture->m_thread = std::jthread([&running](const std::stop_token& stop) { running.run(stop); });
  } catch (const std::system_error& error) {
    return Unexpected<SystemError>({SystemAttempt::startThread, error.code().value(), {}});
  }
  return capture;
}

ConnectionCapture::ConnectionCapture(const CaptureOrder& order, CaptureMeans means, Sink sink, int wakeDescriptor)
    : m_number(order.request.number),
      m_means(std::move(means)),
      m_sink(std::move(sink)),
      m_wake(wakeDescriptor),
      m_request(order.request),
      m_settings(settingsOf(order, m_means)),
      m_ownClock(readClocks().pair),
      m_stream(order, m_means.ring, m_means.otherClock) {
  m_stream.state.interface = m_settings.interface;
}

ConnectionCapture::~ConnectionCapture() {
  m_thread.request_stop();
  wake();
}

void ConnectionCapture::wake() const {
  const std::uint64_t one = 1;
  // A full counter is readable already.
  if (write(m_wake.get(), &one, sizeof one) < 0) return;
}

void ConnectionCapture::want(const CaptureRequest& request) {
  {
    const std::lock_guard lock(m_mutex);
    m_request = request;
  }
  wake();
}

bool ConnectionCapture::isEndWanted(const std::stop_token& stop) {
  if (stop.stop_requested()) return true;
  const std::lock_guard lock(m_mutex);
  return m_request.isOver;
}

void ConnectionCapture::applyRequest() {
  std::uint64_t count = 0;
  if (read(m_wake.get(), &count, sizeof count) < 0) count = 0;
  CaptureRequest request;
  {
    const std::lock_guard lock(m_mutex);
    request = m_request;
  }
  const std::uint32_t done = m_stream.state.saved ? m_stream.state.saved->number : 0;
  if (request.saveNumber == done || request.saveTo.empty()) return;
  m_stream.save(request.saveTo, request.saveNumber, m_settings.snapLength);
}

void ConnectionCapture::report(const std::stop_token& stop) {
  const Moment began = monotonicNow();
  m_sink(m_stream.observe(), stop);
  const Moment ended = monotonicNow();
  m_due = ended + std::max<Nanoseconds>(kReportInterval, (ended - began) * kReportShare);
}

bool ConnectionCapture::goOn(const std::stop_token& stop) {
  applyRequest();
  if (m_stream.hasNews() && monotonicNow() >= m_due) report(stop);
  return !isEndWanted(stop);
}

void ConnectionCapture::run(const std::stop_token& stop) {
  report(stop);
  capture(stop);
  if (m_stream.state.phase != LiveCapturePhase::failed) m_stream.state.phase = LiveCapturePhase::ended;
  while (!stop.stop_requested()) {
    report(stop);
    pollfd waiting{m_wake.get(), POLLIN, 0};
    poll(&waiting, 1, -1);
    applyRequest();
  }
}

void ConnectionCapture::take(const CapturedFrame& frame) {
  m_stream.take(frame);
  if (!m_means.recorder) return;
  const auto recorder = m_means.recorder();
  if (!recorder) return;
  const auto& other = m_means.otherClock;
  if (!other || !other->pair || !frame.time) return recorder->take(frame);
  // A recording has one clock: that of the host that records.
  CapturedFrame converted = frame;
  converted.time = m_ownClock.wallAt(other->pair->monotonic + (*frame.time - other->pair->wall));
  recorder->take(converted);
}

void ConnectionCapture::setCounts(const std::optional<LiveCaptureCounts>& counts) {
  m_stream.setCounts(counts);
  if (!m_means.recorder || !counts) return;
  if (const auto recorder = m_means.recorder()) recorder->setCounts(m_number, *counts);
}

void ConnectionCapture::fail(LiveCaptureError error) {
  m_stream.state.phase = LiveCapturePhase::failed;
  m_stream.state.error = std::move(error);
}

void ConnectionCapture::capture(const std::stop_token& stop) {
  std::optional<LiveCaptureError> mayNot;
  if (m_means.open) {
    auto opened = m_means.open(m_settings);
    if (opened) return takeFrom(**opened, stop);
    if (opened.error().kind != LiveCaptureErrorKind::missingRight) return fail(opened.error());
    mayNot = opened.error();
  }
  // Another program's own words against a filter are not for people.
  if (const auto fault = LiveCapture::faultOf(m_settings.filter)) return fail(*fault);
  // Where neither may, the right of this process is what is missing.
  if (auto taken = takeFromProcess(stop); !taken) fail(mayNot.value_or(taken.error()));
}

void ConnectionCapture::takeFrom(LiveCapture& capture, const std::stop_token& stop) {
  m_stream.state.phase = LiveCapturePhase::running;
  m_stream.noteNews();
  bool mayGoOn = true;
  while (mayGoOn) {
    std::array<pollfd, 2> waiting = {{{capture.wakeDescriptor(), POLLIN, 0}, {m_wake.get(), POLLIN, 0}}};
    poll(waiting.data(), waiting.size(), static_cast<int>(kReportInterval.count()));
    mayGoOn = goOn(stop);
    // What waits when the end is wanted belongs to the capture.
    for (std::uint64_t taken = 0; taken < kCapturedBetweenPolls || !mayGoOn; ++taken) {
      const auto frame = capture.next();
      if (!frame) return fail(frame.error());
      if (*frame == nullptr) break;
      take(**frame);
    }
    setCounts(capture.counts());
  }
}

Expected<void, LiveCaptureError> ConnectionCapture::takeFromProcess(const std::stop_token& stop) {
  if (!m_means.process) return Unexpected<LiveCaptureError>({LiveCaptureErrorKind::elsewhere, {}, {}});
  const auto process = m_means.process(m_settings);
  if (!process) return Unexpected<LiveCaptureError>(process.error());
  CapturingProcess& capturing = **process;
  auto reader = CaptureReader::open(
      std::make_unique<CapturedElsewhere>(capturing, m_wake.get(), [this, &stop] { return goOn(stop); }));
  if (!reader) return Unexpected<LiveCaptureError>(capturing.whyNothing());
  m_stream.state.phase = LiveCapturePhase::running;
  m_stream.state.isThroughDumpcap = static_cast<bool>(m_means.open);
  m_stream.noteNews();
  std::optional<std::uint64_t> dropped;
  const auto takeDrops = [&] {
    const auto now = (*reader)->drops().byStatistics;
    if (!now || now == dropped) return;
    dropped = now;
    setCounts(LiveCaptureCounts{Count(m_stream.state.packets), Count(*dropped), Count(0)});
  };
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame != nullptr) take(*item.frame);
    takeDrops();
  }
  takeDrops();
  return {};
}

}  // namespace tcpscope
