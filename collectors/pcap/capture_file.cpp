#include "collectors/pcap/capture_file.h"

#include <pcap/pcap.h>
#include <stdio_ext.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace tcpscope {

namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

/// Gives what is there, so that a capture that is still being written is not waited for.
ssize_t readFromWindow(void* cookie, char* out, std::size_t size) {
  auto& window = *static_cast<InputWindow*>(cookie);
  const std::span<const std::byte> ahead = window.ahead(1);
  const std::size_t count = std::min(size, ahead.size());
  if (count > 0) std::memcpy(out, ahead.data(), count);
  window.take(count);
  if (count > 0 || !window.fault()) return static_cast<ssize_t>(count);
  errno = window.fault()->errorNumber != 0 ? window.fault()->errorNumber : EIO;
  return -1;
}

/// Answers where the window stands, for ftello(); it does not move.
int tellWindow(void* cookie, off64_t* offset, int whence) {
  if (*offset != 0 || whence != SEEK_CUR) return -1;
  *offset = static_cast<off64_t>(static_cast<InputWindow*>(cookie)->offset());
  return 0;
}

/// Kuznetzov's variant of the format has longer record headers.
bool hasLongHeaders(InputWindow& window) {
  constexpr std::uint32_t kMagic = 0xa1b2cd34;
  const std::span<const std::byte> begin = window.ahead(sizeof kMagic);
  std::uint32_t magic = 0;
  if (begin.size() >= sizeof magic) std::memcpy(&magic, begin.data(), sizeof magic);
  return magic == kMagic || magic == __builtin_bswap32(kMagic);
}

/// The seconds are unsigned in files, and signed in what libpcap makes of them.
WallTime timeOf(const timeval& time) {
  const auto seconds = static_cast<std::int64_t>(static_cast<std::uint32_t>(time.tv_sec));
  // With the precision that was asked for, these are nanoseconds.
  return WallTime::fromNanoseconds(seconds * kNanosecondsPerSecond + time.tv_usec);
}

}  // namespace

struct CaptureFile::Handle {
  Handle() = default;
  ~Handle() {
    // The first also closes the file.
    if (capture != nullptr) {
      pcap_close(capture);
    } else if (file != nullptr) {
      std::fclose(file);
    }
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  /// Where the record began whose header libpcap read last.
  [[nodiscard]] std::uint64_t recordOffset() const {
    return static_cast<std::uint64_t>(::ftello(file)) - recordHeaderBytes;
  }

  /// Why libpcap could not go on: the source failed or ended, or it did not like the bytes.
  [[nodiscard]] CaptureFault fault(const InputWindow& window, CaptureFaultKind ofBytes, std::uint64_t bytesAt) const {
    CaptureFault fault;
    if (std::ferror(file) != 0 && window.fault()) {
      fault = *window.fault();
      fault.offset = window.endOffset();
    } else if (std::feof(file) != 0) {
      fault.kind = CaptureFaultKind::cut;
      fault.offset = window.endOffset();
    } else {
      fault.kind = ofBytes;
      fault.offset = bytesAt;
    }
    return fault;
  }

  std::vector<char> buffer = std::vector<char>(16U << 10U);
  std::FILE* file = nullptr;
  pcap_t* capture = nullptr;
  std::uint64_t recordHeaderBytes = 16;
};

CaptureFile::CaptureFile(InputWindow& window, std::unique_ptr<Handle> handle)
    : m_window(window), m_handle(std::move(handle)) {
  constexpr int kLinuxRawIp = 12;
  // The number that files have for raw IP is not the one that libpcap has for it on this system.
  const int linkType = pcap_datalink(m_handle->capture);
  m_frame.linkType = linkType == kLinuxRawIp ? LinkType::rawIp : static_cast<LinkType>(linkType);
}

CaptureFile::~CaptureFile() = default;

Expected<std::unique_ptr<CaptureFormatReader>, CaptureFault> CaptureFile::open(InputWindow& window) {
  auto handle = std::make_unique<Handle>();
  if (hasLongHeaders(window)) handle->recordHeaderBytes = 24;
  cookie_io_functions_t functions{};
  functions.read = readFromWindow;
  functions.seek = tellWindow;
  handle->file = ::fopencookie(&window, "rb", functions);
  CaptureFault noMemory;
  noMemory.errorNumber = ENOMEM;
  if (handle->file == nullptr) return Unexpected<CaptureFault>(noMemory);
  std::setvbuf(handle->file, handle->buffer.data(), _IOFBF, handle->buffer.size());
  // No other thread has this file.
  __fsetlocking(handle->file, FSETLOCKING_BYCALLER);
  std::array<char, PCAP_ERRBUF_SIZE> message{};
  handle->capture = pcap_fopen_offline_with_tstamp_precision(handle->file, PCAP_TSTAMP_PRECISION_NANO, message.data());
  if (handle->capture == nullptr) {
    return Unexpected<CaptureFault>(handle->fault(window, CaptureFaultKind::unsupportedVersion, 0));
  }
  return std::unique_ptr<CaptureFormatReader>(new CaptureFile(window, std::move(handle)));
}

CaptureItem CaptureFile::next() {
  if (m_isOver) return {};
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  const int result = pcap_next_ex(m_handle->capture, &header, &bytes);
  if (result == 1) {
    m_frame.number = m_nextNumber++;
    m_frame.time = timeOf(header->ts);
    m_frame.wireBytes = header->len;
    m_frame.bytes = std::as_bytes(std::span(bytes, header->caplen));
    return frameItem();
  }
  m_isOver = true;
  if (result == PCAP_ERROR_BREAK) return {};
  return faultItem(m_handle->fault(m_window, CaptureFaultKind::lyingLength, m_handle->recordOffset()));
}

}  // namespace tcpscope
