#include "core/present/text/capture_text.h"

#include <fmt/format.h>

#include <cmath>
#include <system_error>

#include "core/base/escape.h"
#include "core/present/text/error_text.h"
#include "core/present/text/quantity_text.h"

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
      return "open it with 'tcpscope-cli analyze FILE'";
    case FileFormat::xz:
      return "decompress it first: xz -dk FILE";
    case FileFormat::bzip2:
      return "decompress it first: bzip2 -dk FILE";
    case FileFormat::lz4:
      return "decompress it first: lz4 -d FILE";
    case FileFormat::compress:
    case FileFormat::gzip:
      return "decompress it first: gzip -d FILE";
    case FileFormat::zstd:
      return "decompress it first: zstd -d FILE";
    case FileFormat::zip:
    case FileFormat::sevenZip:
    case FileFormat::tar:
      return "extract the capture first";
    case FileFormat::text:
      return "tcpdump's text output lacks the packets: write them with 'tcpdump -w FILE'";
    default:
      return "use a file written by tcpdump, dumpcap or Wireshark";
  }
}

/// Of those that are not read, the ones that captures with IP in them are known to have.
std::string_view linkTypeName(std::uint16_t linkType) {
  switch (linkType) {
    case 6:
      return "Token Ring";
    case 7:
      return "ARCNET";
    case 8:
      return "SLIP";
    case 10:
      return "FDDI";
    case 100:
      return "RFC 1483 on ATM";
    case 105:
      return "IEEE 802.11";
    case 107:
      return "Frame Relay";
    case 119:
      return "IEEE 802.11 with Prism header";
    case 122:
      return "IP over Fibre Channel";
    case 127:
      return "IEEE 802.11 with radiotap header";
    case 163:
      return "IEEE 802.11 with AVS header";
    case 189:
    case 220:
    case 249:
      return "USB";
    case 187:
    case 201:
      return "Bluetooth HCI";
    case 192:
      return "PPI around a link type that is not read";
    case 195:
    case 230:
      return "IEEE 802.15.4";
    case 252:
      return "exported PDUs of Wireshark";
    case 253:
      return "netlink";
    default:
      return "";
  }
}

std::string linkTypeText(std::uint16_t linkType) {
  const std::string_view name = linkTypeName(linkType);
  return name.empty() ? fmt::format("link type {} is not supported", linkType)
                      : fmt::format("link type {} ({}) is not supported", linkType, name);
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
      return "compressed twice with gzip";
    case FileFormat::zstd:
      return "compressed twice with zstd";
    case FileFormat::xz:
      return "compressed with xz";
    case FileFormat::bzip2:
      return "compressed with bzip2";
    case FileFormat::lz4:
      return "compressed with lz4";
    case FileFormat::compress:
      return "compressed with compress";
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
  return "of an unknown format";
}

std::string refusal(const CaptureFault& fault, const UntrustedText& name) {
  const std::string file = name.rawBytes() == "-" ? std::string("standard input") : "'" + forTerminal(name) + "'";
  switch (fault.kind) {
    case CaptureFaultKind::openFailed:
      return fmt::format("cannot open {}: {}; check its name and who may read it", file, reasonOf(fault.errorNumber));
    case CaptureFaultKind::readFailed:
      return fmt::format("cannot read {}: {}; check the medium that the file is on", file, reasonOf(fault.errorNumber));
    case CaptureFaultKind::empty:
      return fmt::format("{} is empty; tcpdump writes nothing before its first packets unless -U is given", file);
    case CaptureFaultKind::otherFormat:
      return fmt::format("{} is {}, not a pcap or pcapng capture; {}", file, title(fault.format), wayOut(fault.format));
    case CaptureFaultKind::cut:
      return fmt::format(
          "{} ends at byte {} of the uncompressed capture, before its first packet; copy it again from its source",
          file, fault.offset);
    case CaptureFaultKind::unsupportedVersion:
      return fmt::format(
          "{} begins like a capture, but has an undefined version, byte order or link type (byte {}); copy it again "
          "from its source",
          file, fault.offset);
    case CaptureFaultKind::damagedCompression:
      return fmt::format("{} cannot be decompressed: damaged at its beginning; copy it again from its source", file);
    case CaptureFaultKind::lyingLength:
    case CaptureFaultKind::unknownInterface:
    case CaptureFaultKind::lostPackets:
      break;
  }
  return fmt::format("{} is damaged at byte {}, before its first packet; copy it again from its source", file,
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
      return fmt::format("Reading failed at byte {}: {}; everything before it is used.", offset,
                         reasonOf(gap.errorNumber));
    case CaptureGapKind::empty:
      return "The file is empty.";
    case CaptureGapKind::otherFormat:
      return fmt::format("The file is {}, not a pcap or pcapng capture.", title(gap.format));
    case CaptureGapKind::unsupportedVersion:
      return fmt::format("The file has an undefined version, byte order or link type at byte {}.", offset);
    case CaptureGapKind::cut:
      return fmt::format(
          "The file ends in the middle of a packet at byte {} of the uncompressed capture; everything before it is "
          "used. It is still being written, or was copied incompletely.",
          offset);
    case CaptureGapKind::lyingLength:
      return fmt::format(
          "The file is damaged at byte {}: an impossible length, so the next packet cannot be found; everything before "
          "it is used.",
          offset);
    case CaptureGapKind::unknownInterface:
      return fmt::format("{} of an interface that the capture does not describe {} left out, the first at byte {}.",
                         some, were(gap.count), offset);
    case CaptureGapKind::damagedCompression:
      return fmt::format(
          "The file cannot be decompressed beyond byte {} of the capture; everything before it is used. It "
          "was copied incompletely, or is damaged.",
          offset);
    case CaptureGapKind::lostPackets:
      return fmt::format("The capture reports that {} {} lost by the capture itself, not by the network.", some,
                         were(gap.count));
    case CaptureGapKind::otherProtocol:
      return fmt::format("{} {} not TCP.", some, were(gap.count));
    case CaptureGapKind::tunnel:
      return fmt::format("{} {} in a tunnel; --inside-tunnels analyzes the connections inside.", some, were(gap.count));
    case CaptureGapKind::fragment:
      return fmt::format(
          "{} {} left out: fragments of IP packets that could not be reassembled. Their payload is not counted.", some,
          were(gap.count));
    case CaptureGapKind::snapLength:
      return fmt::format(
          "{} {} cut before the end of the TCP header; capture with a larger snap length, 128 bytes are "
          "enough (tcpdump -s 128).",
          some, were(gap.count));
    case CaptureGapKind::malformed:
      return fmt::format("{} {} left out: inconsistent lengths in the headers.", some, were(gap.count));
    case CaptureGapKind::unknownLinkType:
      return fmt::format("{} {} left out: {}.", some, were(gap.count),
                         gap.linkType ? linkTypeText(*gap.linkType) : std::string("of other unknown link types"));
    case CaptureGapKind::withoutTime:
      return fmt::format("{} {} left out: no timestamps in the capture.", some, were(gap.count));
    case CaptureGapKind::repeated:
      return fmt::format("{} {} left out: the file holds the same capture again, appended to it.", some,
                         were(gap.count));
    case CaptureGapKind::droppedByCapture:
      return fmt::format("The capture's own statistics report that {} {} dropped by the capture, not by the network.",
                         some, were(gap.count));
    case CaptureGapKind::connectionLimit:
      return fmt::format("{} {} left out: more connections at once than the analysis tracks.", some, were(gap.count));
    case CaptureGapKind::memoryLimit:
      return fmt::format(
          "{} {} left out: the analysis reached its memory limit, which --memory of analyze sets; everything before is "
          "used.",
          some, were(gap.count));
    case CaptureGapKind::backwardTime:
      return fmt::format("{} {} earlier than the previous one: the clock was set, or several captures were merged.",
                         some, were(gap.count));
    case CaptureGapKind::stopped:
      return fmt::format("Stopped on request after {} bytes of the file; everything before is used.", offset);
  }
  return {};
}

std::string lossSentences(const std::vector<CaptureGap>& gaps) {
  std::string text;
  for (const CaptureGap& gap : gaps) {
    if (severity(gap.kind) != GapSeverity::info) text += (text.empty() ? "" : " ") + sentence(gap);
  }
  return text;
}

std::string sentence(const LiveCaptureError& error) {
  const std::string object = forTerminal(error.object);
  const std::string said = error.reason.empty() ? std::string() : fmt::format(" ({})", forTerminal(error.reason));
  switch (error.kind) {
    case LiveCaptureErrorKind::missingRight:
      return fmt::format(
          "capturing on {} requires the right to open packet sockets: run tcpscope as root, or allow your group to use "
          "dumpcap "
          "(install wireshark-common, 'sudo dpkg-reconfigure wireshark-common', 'sudo usermod -aG wireshark $USER') "
          "and log in again",
          object);
    case LiveCaptureErrorKind::noSuchInterface:
      return fmt::format("there is no interface {}{}; 'ip link' lists them, and 'any' is all of them", object, said);
    case LiveCaptureErrorKind::interfaceIsDown:
      return fmt::format("the interface {} is down; 'ip link set {} up' brings it up", object, object);
    case LiveCaptureErrorKind::interfaceFailed:
      return fmt::format("the interface {} delivers no more packets{}", object, said);
    case LiveCaptureErrorKind::badFilter:
      return fmt::format("'{}' is not a filter of pcap-filter(7){}", object, said);
    case LiveCaptureErrorKind::elsewhere:
      return "the packets of this connection pass another host or network namespace: run 'tcpscope-cli capture' there, "
             "and open the file here";
    case LiveCaptureErrorKind::failed:
      break;
  }
  return fmt::format("cannot capture on {}{}", object, said);
}

namespace {

std::string clockPredicate(const LiveCaptureState& state) {
  std::string text =
      state.clockError ? fmt::format("match the kernel's clock to within {}", formatTime(toSeconds(*state.clockError)))
                       : std::string("are those of the other host's clock");
  if (state.clockStep != Nanoseconds(0)) {
    text += fmt::format(", but the wall clock was set by {} since", formatTime(std::abs(toSeconds(state.clockStep))));
  }
  return text + '.';
}

}  // namespace

std::string sentence(const LiveCaptureState& state) {
  if (state.packets == 0) return {};
  std::string text = fmt::format("{} captured", countOfPackets(state.packets));
  if (state.connectionPackets != state.packets) {
    text += fmt::format(", {} of them of this connection", state.connectionPackets);
  }
  if (!state.dropped) {
    text += state.phase == LiveCapturePhase::ended ? "; drops unknown" : "; dumpcap reports drops when it ends";
  } else if (*state.dropped == 0) {
    text += ", none dropped";
  } else {
    text += fmt::format("; {} dropped by the capture, not by the network: verdicts have a lower confidence",
                        *state.dropped);
  }
  if (state.discarded > 0) text += fmt::format("; the oldest {} were dropped to save memory", state.discarded);
  return text + ". Their times " + clockPredicate(state);
}

std::string clockSentence(const LiveCaptureState& state) {
  return "Times of packets " + clockPredicate(state);
}

std::string sentence(const SavedCapture& saved) {
  if (saved.error) return sentence(*saved.error);
  return fmt::format("{} saved in {}.", countOfPackets(saved.packets), forPlainText(saved.file));
}

}  // namespace tcpscope
