#include "core/present/text/capture_text.h"

#include <fmt/format.h>

#include <system_error>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

std::string reasonOf(int errorNumber) {
  return errorNumber == 0 ? std::string("the system gave no reason") : std::generic_category().message(errorNumber);
}

/// What makes a capture of this format readable.
std::string wayOut(FileFormat format) {
  switch (format) {
    case FileFormat::snoop:
    case FileFormat::erf:
    case FileFormat::networkMonitor:
    case FileFormat::sniffer:
    case FileFormat::netXray:
    case FileFormat::omniPeek:
    case FileFormat::iptrace:
    case FileFormat::btsnoop:
      return "convert it first: editcap -F pcapng OLD NEW.pcapng";
    case FileFormat::tcpscopeRecording:
      return "look at it with 'tcpscope-cli analyze FILE'";
    case FileFormat::xz:
      return "unpack it first: xz -dk FILE";
    case FileFormat::bzip2:
      return "unpack it first: bzip2 -dk FILE";
    case FileFormat::lz4:
      return "unpack it first: lz4 -d FILE";
    case FileFormat::compress:
    case FileFormat::gzip:
      return "unpack it first: gzip -d FILE";
    case FileFormat::zstd:
      return "unpack it first: zstd -d FILE";
    case FileFormat::zip:
    case FileFormat::sevenZip:
    case FileFormat::tar:
      return "unpack it first and give the capture inside of it";
    case FileFormat::text:
      return "tcpdump's printed lines hold too little: let it write the packets with 'tcpdump -w FILE'";
    default:
      return "give a file that tcpdump, dumpcap or Wireshark wrote";
  }
}

std::string_view were(std::uint64_t count) {
  return count == 1 ? "was" : "were";
}

}  // namespace

std::string_view title(FileFormat format) {
  switch (format) {
    case FileFormat::pcap:
      return "pcap";
    case FileFormat::pcapng:
      return "pcapng";
    case FileFormat::snoop:
      return "a capture of Sun's snoop";
    case FileFormat::erf:
      return "an ERF capture";
    case FileFormat::networkMonitor:
      return "a capture of Microsoft's Network Monitor";
    case FileFormat::sniffer:
      return "a capture of Network General's Sniffer";
    case FileFormat::netXray:
      return "a NetXRay capture";
    case FileFormat::omniPeek:
      return "an OmniPeek capture";
    case FileFormat::iptrace:
      return "a capture of AIX's iptrace";
    case FileFormat::btsnoop:
      return "a Bluetooth capture";
    case FileFormat::tcpscopeRecording:
      return "a recording of tcpscope";
    case FileFormat::text:
      return "text";
    case FileFormat::html:
      return "a web page";
    case FileFormat::xml:
      return "XML";
    case FileFormat::json:
      return "JSON";
    case FileFormat::gzip:
      return "packed twice with gzip";
    case FileFormat::zstd:
      return "packed twice with zstd";
    case FileFormat::xz:
      return "packed with xz";
    case FileFormat::bzip2:
      return "packed with bzip2";
    case FileFormat::lz4:
      return "packed with lz4";
    case FileFormat::compress:
      return "packed with compress";
    case FileFormat::zip:
      return "a zip archive";
    case FileFormat::sevenZip:
      return "a 7z archive";
    case FileFormat::tar:
      return "a tar archive";
    case FileFormat::pdf:
      return "a PDF document";
    case FileFormat::elf:
      return "a program";
    case FileFormat::sqlite:
      return "an SQLite database";
    case FileFormat::image:
      return "an image";
    case FileFormat::unknown:
      break;
  }
  return "of a format that is not known here";
}

std::string refusal(const CaptureFault& fault, const UntrustedText& name) {
  const std::string file = name.rawBytes() == "-" ? std::string("standard input") : "'" + forTerminal(name) + "'";
  switch (fault.kind) {
    case CaptureFaultKind::openFailed:
      return fmt::format("cannot open {}: {}; give a capture that tcpdump, dumpcap or Wireshark wrote", file,
                         reasonOf(fault.errorNumber));
    case CaptureFaultKind::readFailed:
      return fmt::format("cannot read {}: {}; give a file of packets that its medium still holds", file,
                         reasonOf(fault.errorNumber));
    case CaptureFaultKind::empty:
      return fmt::format(
          "{} is empty: not a single byte; tcpdump writes nothing before its first packets unless it "
          "gets -U",
          file);
    case CaptureFaultKind::otherFormat:
      return fmt::format("{} is {}, no capture in pcap or pcapng; {}", file, title(fault.format), wayOut(fault.format));
    case CaptureFaultKind::cut:
      return fmt::format("{} ends at byte {}, before its first packet; copy it again from where it was made", file,
                         fault.offset);
    case CaptureFaultKind::unsupportedVersion:
      return fmt::format(
          "{} begins like a capture, but says a version, byte order or link type that nobody has "
          "defined (byte {}); copy it again from where it was made",
          file, fault.offset);
    case CaptureFaultKind::damagedCompression:
      return fmt::format("{} cannot be unpacked: damaged at its beginning; copy it again from where it was made", file);
    case CaptureFaultKind::lyingLength:
    case CaptureFaultKind::unknownInterface:
    case CaptureFaultKind::lostPackets:
      break;
  }
  return fmt::format("{} is damaged at byte {}, before its first packet; copy it again from where it was made", file,
                     fault.offset);
}

std::string countOfPackets(std::uint64_t count) {
  return fmt::format("{} packet{}", count, count == 1 ? "" : "s");
}

std::string sentence(const CaptureGap& gap) {
  const std::string some = countOfPackets(gap.count);
  const std::uint64_t offset = gap.offset.value_or(0);
  switch (gap.kind) {
    case CaptureGapKind::openFailed:
      return "The file could not be opened: " + reasonOf(gap.errorNumber) + ".";
    case CaptureGapKind::readFailed:
      return fmt::format("Reading failed at byte {}: {}; all before it is used.", offset, reasonOf(gap.errorNumber));
    case CaptureGapKind::empty:
      return "The file is empty.";
    case CaptureGapKind::otherFormat:
      return fmt::format("The file is {}, no capture in pcap or pcapng.", title(gap.format));
    case CaptureGapKind::unsupportedVersion:
      return fmt::format("The file says a version, byte order or link type at byte {} that nobody has defined.",
                         offset);
    case CaptureGapKind::cut:
      return fmt::format(
          "The file ends in the middle of a packet at byte {}; all before it is used. It is still being "
          "written, or was copied incompletely.",
          offset);
    case CaptureGapKind::lyingLength:
      return fmt::format(
          "The file is damaged at byte {}: the length there cannot be, and nothing tells where the next "
          "packet begins; all before it is used.",
          offset);
    case CaptureGapKind::unknownInterface:
      return fmt::format("{} of an interface that the capture does not describe {} left out, the first at byte {}.",
                         some, were(gap.count), offset);
    case CaptureGapKind::damagedCompression:
      return fmt::format(
          "The file cannot be unpacked beyond byte {} of the capture in it; all before it is used. It "
          "was copied incompletely, or is damaged.",
          offset);
    case CaptureGapKind::lostPackets:
      return fmt::format(
          "The capture says that {} {} lost between those that it has: what is missing there is not the "
          "network's doing.",
          some, were(gap.count));
    case CaptureGapKind::otherProtocol:
      return fmt::format("{} {} not TCP.", some, were(gap.count));
    case CaptureGapKind::tunnel:
      return fmt::format("{} {} in a tunnel; --inside-tunnels looks at the connections in there.", some,
                         were(gap.count));
    case CaptureGapKind::laterFragment:
      return fmt::format(
          "{} {} left out: fragments behind the first, which have no TCP header. Their payload is not "
          "counted.",
          some, were(gap.count));
    case CaptureGapKind::snapLength:
      return fmt::format(
          "{} {} cut before the end of the TCP header; capture with a larger snap length, 128 bytes are "
          "enough (tcpdump -s 128).",
          some, were(gap.count));
    case CaptureGapKind::malformed:
      return fmt::format("{} {} left out: lengths in the headers contradict each other.", some, were(gap.count));
    case CaptureGapKind::unknownLinkType:
      return fmt::format("{} {} left out: captured on a kind of link that is not known here.", some, were(gap.count));
    case CaptureGapKind::withoutTime:
      return fmt::format("{} {} left out: the capture does not say when they passed.", some, were(gap.count));
    case CaptureGapKind::droppedByCapture:
      return fmt::format(
          "The capture's own statistics say that {} {} dropped while capturing: what is missing there is "
          "not the network's doing.",
          some, were(gap.count));
    case CaptureGapKind::connectionLimit:
      return fmt::format("{} {} left out: the capture holds more connections than are followed at once.", some,
                         were(gap.count));
    case CaptureGapKind::backwardTime:
      return fmt::format("{} {} earlier than the one before: the clock was set, or several captures were put together.",
                         some, were(gap.count));
    case CaptureGapKind::stopped:
      return fmt::format("Stopped on request after {} bytes of the file; all before is used.", offset);
  }
  return {};
}

}  // namespace tcpscope
