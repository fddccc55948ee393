#include "collectors/pcap/capture_file.h"

#include <pcap/pcap.h>

#include <array>
#include <cerrno>
#include <cstdio>

namespace tcpscope {

namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

ssize_t readFromWindow(void* cookie, char* out, std::size_t size) {
  auto& window = *static_cast<InputWindow*>(cookie);
  const std::size_t count = window.read(std::as_writable_bytes(std::span(out, size)));
  if (count > 0 || !window.fault()) return static_cast<ssize_t>(count);
  errno = window.fault()->errorNumber != 0 ? window.fault()->errorNumber : EIO;
  return -1;
}

/// Why libpcap could not go on. Where the window has more bytes, it did not like those that it saw.
CaptureFault faultOf(const InputWindow& window, CaptureFaultKind ofBytes, std::uint64_t offset) {
  CaptureFault fault;
  if (window.fault()) fault = *window.fault();
  if (!window.fault()) fault.kind = window.sourceHasEnded() ? CaptureFaultKind::cut : ofBytes;
  fault.offset = fault.kind == ofBytes ? offset : window.endOffset();
  return fault;
}

/// The seconds are unsigned in files, and signed in what libpcap makes of them.
WallTime timeOf(const timeval& time) {
  const auto seconds = static_cast<std::int64_t>(static_cast<std::uint32_t>(time.tv_sec));
  // With the precision that was asked for, these are nanoseconds.
  return WallTime::fromNanoseconds(seconds * kNanosecondsPerSecond + time.tv_usec);
}

}  // namespace

struct CaptureFile::Handle {
  explicit Handle(pcap_t* opened) : capture(opened) {}
  ~Handle() { pcap_close(capture); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  pcap_t* capture;
};

CaptureFile::CaptureFile(InputWindow& window, std::unique_ptr<Handle> handle)
    : m_window(window), m_handle(std::move(handle)) {
  constexpr int kLinuxRawIp = 12;
  // The number that files have for raw IP is not the one that libpcap has for it on this system.
  const int linkType = pcap_datalink(m_handle->capture);
  m_linkType = linkType == kLinuxRawIp ? LinkType::rawIp : static_cast<LinkType>(linkType);
}

CaptureFile::~CaptureFile() = default;

Expected<std::unique_ptr<CaptureFormatReader>, CaptureFault> CaptureFile::open(InputWindow& window) {
  cookie_io_functions_t functions{};
  functions.read = readFromWindow;
  std::FILE* file = ::fopencookie(&window, "rb", functions);
  CaptureFault noMemory;
  noMemory.errorNumber = ENOMEM;
  if (file == nullptr) return Unexpected<CaptureFault>(noMemory);
  std::setvbuf(file, nullptr, _IONBF, 0);
  std::array<char, PCAP_ERRBUF_SIZE> message{};
  pcap_t* capture = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, message.data());
  if (capture == nullptr) {
    std::fclose(file);
    return Unexpected<CaptureFault>(faultOf(window, CaptureFaultKind::unsupportedVersion, 0));
  }
  return std::unique_ptr<CaptureFormatReader>(new CaptureFile(window, std::make_unique<Handle>(capture)));
}

std::optional<CaptureItem> CaptureFile::next() {
  if (m_isOver) return std::nullopt;
  const std::uint64_t offset = m_window.offset();
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  const int result = pcap_next_ex(m_handle->capture, &header, &bytes);
  if (result == 1) {
    CapturedFrame frame;
    frame.linkType = m_linkType;
    frame.number = m_number++;
    frame.time = timeOf(header->ts);
    frame.wireBytes = header->len;
    frame.bytes = std::as_bytes(std::span(bytes, header->caplen));
    return frame;
  }
  m_isOver = true;
  if (result == PCAP_ERROR_BREAK) return std::nullopt;
  return faultOf(m_window, CaptureFaultKind::lyingLength, offset);
}

}  // namespace tcpscope
