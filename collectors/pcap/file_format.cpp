#include "collectors/pcap/file_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "collectors/trace/trace_frame.h"

namespace tcpscope {

namespace {

using namespace std::string_view_literals;

struct Signature {
  FileFormat format;
  std::string_view bytes;
  std::size_t at = 0;
};

/// pcap and the nanoseconds' and Kuznetzov's variants of it, in both byte orders; pcapng's section header.
constexpr std::array kSignatures = {
    Signature{FileFormat::pcap, "\xd4\xc3\xb2\xa1"sv},
    Signature{FileFormat::pcap, "\xa1\xb2\xc3\xd4"sv},
    Signature{FileFormat::pcap, "\x4d\x3c\xb2\xa1"sv},
    Signature{FileFormat::pcap, "\xa1\xb2\x3c\x4d"sv},
    Signature{FileFormat::pcap, "\x34\xcd\xb2\xa1"sv},
    Signature{FileFormat::pcap, "\xa1\xb2\xcd\x34"sv},
    Signature{FileFormat::pcapng, "\x0a\x0d\x0d\x0a"sv},
    Signature{FileFormat::gzip, "\x1f\x8b"sv},
    Signature{FileFormat::zstd, "\x28\xb5\x2f\xfd"sv},
    // A frame to be skipped, as recordings begin with one (collectors/trace/segment_header.h).
    Signature{FileFormat::zstd, "\x5c\x2a\x4d\x18"sv},
    Signature{FileFormat::snoop, "snoop\0\0\0"sv},
    Signature{FileFormat::networkMonitor, "RTSS"sv},
    Signature{FileFormat::networkMonitor, "GMBU"sv},
    Signature{FileFormat::sniffer, "TRSNIFF data    \x1a"sv},
    Signature{FileFormat::netXray, "XCP\0"sv},
    Signature{FileFormat::omniPeek, "\x7fver"sv},
    Signature{FileFormat::iptrace, "iptrace "sv},
    Signature{FileFormat::btsnoop, "btsnoop\0"sv},
    Signature{FileFormat::xz, "\xfd\x37zXZ\0"sv},
    Signature{FileFormat::bzip2, "BZh"sv},
    Signature{FileFormat::lz4, "\x04\x22\x4d\x18"sv},
    Signature{FileFormat::compress, "\x1f\x9d"sv},
    Signature{FileFormat::zip, "PK\x03\x04"sv},
    Signature{FileFormat::sevenZip, "7z\xbc\xaf\x27\x1c"sv},
    Signature{FileFormat::tar, "ustar"sv, 257},
    Signature{FileFormat::pdf, "%PDF"sv},
    Signature{FileFormat::elf,
              "\x7f"
              "ELF"sv},
    Signature{FileFormat::sqlite, "SQLite format 3\0"sv},
    Signature{FileFormat::image, "\x89PNG"sv},
    Signature{FileFormat::image, "\xff\xd8\xff"sv},
};

std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t size, bool isBigEndian) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t from = isBigEndian ? at + i : at + size - 1 - i;
    value = value << 8U | static_cast<std::uint8_t>(bytes[from]);
  }
  return value;
}

/// An ERF file has no signature: its first record is known by a time in this century, a type that exists and lengths
/// that fit each other.
bool looksLikeErf(std::string_view begin) {
  constexpr std::size_t kRecordHeader = 16;
  constexpr std::uint32_t kYear2000 = 946'684'800;
  constexpr std::uint32_t kLastType = 48;
  if (begin.size() < kRecordHeader) return false;
  const std::uint32_t type = number(begin, 8, 1, true) & 0x7fU;
  const std::uint32_t recordBytes = number(begin, 10, 2, true);
  const std::uint32_t wireBytes = number(begin, 14, 2, true);
  return number(begin, 4, 4, false) >= kYear2000 && type >= 1 && type <= kLastType && recordBytes > kRecordHeader &&
         wireBytes > 0 && recordBytes <= wireBytes + 64;
}

bool isText(std::string_view begin) {
  return std::all_of(begin.begin(), begin.end(), [](char c) {
    const auto value = static_cast<unsigned char>(c);
    return value >= 0x20 ? value != 0x7f : c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\x1b';
  });
}

bool beginsWith(std::string_view text, std::string_view lowerCase) {
  return text.size() >= lowerCase.size() &&
         std::equal(lowerCase.begin(), lowerCase.end(), text.begin(),
                    [](char want, char have) { return std::tolower(static_cast<unsigned char>(have)) == want; });
}

FileFormat kindOfText(std::string_view text) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  text.remove_prefix(first == std::string_view::npos ? text.size() : first);
  if (beginsWith(text, "<!doctype html") || beginsWith(text, "<html")) return FileFormat::html;
  if (beginsWith(text, "<?xml")) return FileFormat::xml;
  if (beginsWith(text, "{") || beginsWith(text, "[")) return FileFormat::json;
  return FileFormat::text;
}

}  // namespace

FileFormat fileFormatOf(std::span<const std::byte> begin) {
  const std::string_view text(reinterpret_cast<const char*>(begin.data()), std::min(begin.size(), kFormatBytes));
  for (const Signature& signature : kSignatures) {
    if (text.size() >= signature.at + signature.bytes.size() &&
        text.substr(signature.at, signature.bytes.size()) == signature.bytes) {
      return signature.format;
    }
  }
  if (beginsWithFrame(begin)) return FileFormat::tcpscopeRecording;
  if (!text.empty() && isText(text)) return kindOfText(text);
  return looksLikeErf(text) ? FileFormat::erf : FileFormat::unknown;
}

}  // namespace tcpscope
