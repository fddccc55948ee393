#include "collectors/pcap/live_capture.h"

#include <pcap/pcap.h>

#include <array>

namespace tcpscope {

namespace {

/// How long packets may wait for others, so that a busy interface does not wake the reader for each of them.
constexpr int kWaitMilliseconds = 100;

/// The number that captures have for raw IP is not the one that libpcap has for it on this system.
LinkType linkTypeOf(pcap_t* capture) {
  constexpr int kLinuxRawIp = 12;
  const int linkType = pcap_datalink(capture);
  return linkType == kLinuxRawIp ? LinkType::rawIp : static_cast<LinkType>(linkType);
}

/// `precision`: PCAP_TSTAMP_PRECISION_…, of the fraction.
WallTime timeOf(const timeval& time, int precision) {
  const std::int64_t unit = precision == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1'000;
  return WallTime::fromNanoseconds(std::int64_t{time.tv_sec} * kNanosecondsPerSecond + time.tv_usec * unit);
}

LiveCaptureErrorKind kindOf(int status) {
  switch (status) {
    case PCAP_ERROR_PERM_DENIED:
    case PCAP_ERROR_PROMISC_PERM_DENIED:
      return LiveCaptureErrorKind::missingRight;
    case PCAP_ERROR_NO_SUCH_DEVICE:
      return LiveCaptureErrorKind::noSuchInterface;
    case PCAP_ERROR_IFACE_NOT_UP:
      return LiveCaptureErrorKind::interfaceIsDown;
    default:
      return LiveCaptureErrorKind::failed;
  }
}

Unexpected<LiveCaptureError> failure(LiveCaptureErrorKind kind, const std::string& object, const char* reason) {
  return Unexpected<LiveCaptureError>({kind, UntrustedText(object), UntrustedText(reason)});
}

}  // namespace

struct LiveCapture::Handle {
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (capture != nullptr) pcap_close(capture);
  }

  pcap_t* capture = nullptr;
  std::string interface;
};

LiveCapture::LiveCapture(std::unique_ptr<Handle> handle) : m_handle(std::move(handle)) {
  m_frame.linkType = linkTypeOf(m_handle->capture);
}

LiveCapture::~LiveCapture() = default;

Expected<std::unique_ptr<LiveCapture>, LiveCaptureError> LiveCapture::open(const LiveCaptureSettings& settings) {
  auto handle = std::make_unique<Handle>();
  handle->interface = settings.interface;
  std::array<char, PCAP_ERRBUF_SIZE> message{};
  pcap_t* capture = handle->capture = pcap_create(settings.interface.c_str(), message.data());
  if (capture == nullptr) return failure(LiveCaptureErrorKind::failed, settings.interface, message.data());
  pcap_set_snaplen(capture, static_cast<int>(settings.snapLength.value()));
  pcap_set_buffer_size(capture, static_cast<int>(settings.ring.value()));
  pcap_set_timeout(capture, kWaitMilliseconds);
  // Without: microseconds, which are converted.
  pcap_set_tstamp_precision(capture, PCAP_TSTAMP_PRECISION_NANO);
  if (const int status = pcap_activate(capture); status < 0) {
    return failure(kindOf(status), settings.interface, pcap_geterr(capture));
  }
  bpf_program program{};
  const char* filter = settings.filter.c_str();
  if (pcap_compile(capture, &program, filter, 1, PCAP_NETMASK_UNKNOWN) != 0) {
    return failure(LiveCaptureErrorKind::badFilter, settings.filter, pcap_geterr(capture));
  }
  const int filtered = pcap_setfilter(capture, &program);
  pcap_freecode(&program);
  if (filtered != 0) return failure(LiveCaptureErrorKind::failed, settings.interface, pcap_geterr(capture));
  if (pcap_setnonblock(capture, 1, message.data()) != 0) {
    return failure(LiveCaptureErrorKind::failed, settings.interface, message.data());
  }
  return std::unique_ptr<LiveCapture>(new LiveCapture(std::move(handle)));
}

std::optional<LiveCaptureError> LiveCapture::faultOf(const std::string& filter) {
  const std::unique_ptr<pcap_t, decltype(&pcap_close)> nowhere(pcap_open_dead(DLT_LINUX_SLL, 160), &pcap_close);
  if (!nowhere) return std::nullopt;
  bpf_program program{};
  if (pcap_compile(nowhere.get(), &program, filter.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0) {
    return failure(LiveCaptureErrorKind::badFilter, filter, pcap_geterr(nowhere.get())).value();
  }
  pcap_freecode(&program);
  return std::nullopt;
}

int LiveCapture::wakeDescriptor() const {
  return pcap_get_selectable_fd(m_handle->capture);
}

Expected<const CapturedFrame*, LiveCaptureError> LiveCapture::next() {
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  const int result = pcap_next_ex(m_handle->capture, &header, &bytes);
  if (result == 0) return nullptr;
  if (result != 1) {
    return failure(LiveCaptureErrorKind::interfaceFailed, m_handle->interface, pcap_geterr(m_handle->capture));
  }
  m_frame.time = timeOf(header->ts, pcap_get_tstamp_precision(m_handle->capture));
  m_frame.wireBytes = header->len;
  m_frame.bytes = std::as_bytes(std::span(bytes, header->caplen));
  return &m_frame;
}

std::optional<LiveCaptureCounts> LiveCapture::counts() const {
  pcap_stat stat{};
  if (pcap_stats(m_handle->capture, &stat) != 0) return std::nullopt;
  return LiveCaptureCounts{Count(stat.ps_recv), Count(stat.ps_drop), Count(stat.ps_ifdrop)};
}

}  // namespace tcpscope
