#include "core/present/text/tune_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "core/base/escape.h"
#include "core/present/text/control_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

std::string_view locksText(std::uint64_t locks) {
  switch (locks & (kSendBufferLock | kReceiveBufferLock)) {
    case kSendBufferLock:
      return "send";
    case kReceiveBufferLock:
      return "receive";
    case kSendBufferLock | kReceiveBufferLock:
      return "both";
    default:
      return "none";
  }
}

std::string numberText(const SocketOptionRow& row, std::uint64_t number) {
  const auto value = static_cast<double>(number);
  switch (row.unit) {
    case OptionUnit::bytes:
      return formatBytes(value);
    case OptionUnit::bytesPerSecond:
      return formatRate(BitsPerSecond(value * 8));
    case OptionUnit::microseconds:
      return formatTime(value / 1e6);
    case OptionUnit::milliseconds:
      return formatTime(value / 1e3);
    case OptionUnit::seconds:
      return formatTime(value);
    case OptionUnit::onOff:
      return number == 0 ? "off" : "on";
    case OptionUnit::bufferLocks:
      return std::string(locksText(number));
    case OptionUnit::number:
    case OptionUnit::name:
      break;
  }
  return std::to_string(number);
}

std::string example(const SocketOptionRow& row) {
  switch (row.unit) {
    case OptionUnit::bytes:
      return "a size such as 4MiB";
    case OptionUnit::bytesPerSecond:
      return "a rate such as 100Mbit, or unlimited";
    case OptionUnit::microseconds:
    case OptionUnit::milliseconds:
    case OptionUnit::seconds:
      return "a time such as 40ms";
    case OptionUnit::number:
      return "a whole number";
    case OptionUnit::onOff:
      return "on or off";
    case OptionUnit::bufferLocks:
      return "none, send, receive or both";
    case OptionUnit::name:
      return "a name that net.ipv4.tcp_available_congestion_control shows";
  }
  return {};
}

std::string reasonOf(const TuneError& error) {
  return error.errorNumber == 0 ? std::string("the system gave no reason")
                                : std::generic_category().message(error.errorNumber);
}

std::string rangeSentence(const TuneError& error) {
  const SocketOptionRow& row = optionRow(*error.option);
  return fmt::format("{} of {} is out of range; use {}", forTerminal(error.object), row.name, rangeText(row));
}

std::string refusalSentence(const TuneError& error, std::string_view asRoot) {
  const SocketOptionRow& row = optionRow(*error.option);
  const std::string value = forTerminal(error.object);
  if (row.id == SocketOption::congestionControl) {
    if (error.errorNumber == EPERM) {
      return fmt::format(
          "the congestion control '{}' is not among net.ipv4.tcp_allowed_congestion_control, and only root may take "
          "others; run '{}'",
          value, asRoot);
    }
    if (error.errorNumber == ENOENT) {
      return fmt::format("this kernel does not offer the congestion control '{}'; load it with '{}'", value,
                         loadCommand(value));
    }
  }
  if (error.errorNumber == EPERM) return fmt::format("no permission to set {}; run '{}'", row.name, asRoot);
  return fmt::format("the kernel refuses {} for {}: {}; nothing was changed", value, row.name, reasonOf(error));
}

std::string recordSentence(const TuneError& error) {
  const std::string file = forTerminal(error.object);
  if (error.kind == TuneErrorKind::recordNotWritten) {
    return fmt::format("cannot save the values that an undo needs to '{}': {}; nothing was changed", file,
                       reasonOf(error));
  }
  if (error.kind == TuneErrorKind::recordNotUpdated) {
    return fmt::format("the originals are set again, but '{}' cannot be written: {}; when it can be, undo again", file,
                       reasonOf(error));
  }
  if (error.errorNumber == 0) {
    return fmt::format("'{}' is damaged and cannot be used for an undo; set the options by hand", file);
  }
  return fmt::format("cannot read '{}', which holds the values that an undo needs: {}", file, reasonOf(error));
}

std::string_view optionName(const TuneError& error) {
  return error.option ? optionRow(*error.option).name : std::string_view();
}

std::string_view limitOf(SocketOption option) {
  return option == SocketOption::sendBuffer ? "net.core.wmem_max" : "net.core.rmem_max";
}

std::string otherValueSentence(const TuneNote& note, const TuneReport& report) {
  for (const TunedOption& change : report.changes) {
    if (change.option != note.option || !change.after) continue;
    return fmt::format("The kernel set {} instead of {}.", valueText(note.option, *change.after),
                       valueText(note.option, change.wanted));
  }
  return "The kernel set another value.";
}

}  // namespace

std::string_view explanation(SocketOption option) {
  switch (option) {
    case SocketOption::sendBuffer:
      return "memory for data written and not yet acknowledged, overhead included; the kernel doubles what is set";
    case SocketOption::receiveBuffer:
      return "memory for data received and not yet read, overhead included; the kernel doubles what is set";
    case SocketOption::bufferLock:
      return "buffers with a fixed size, without autotuning";
    case SocketOption::windowClamp:
      return "largest receive window that is advertised";
    case SocketOption::congestionControl:
      return "congestion control algorithm";
    case SocketOption::maxPacingRate:
      return "maximum pacing rate";
    case SocketOption::notSentLowWater:
      return "the application may write while less than this is unsent; 0: net.ipv4.tcp_notsent_lowat";
    case SocketOption::noDelay:
      return "small writes are sent at once (Nagle disabled)";
    case SocketOption::cork:
      return "only full segments are sent";
    case SocketOption::quickAck:
      return "acknowledged at once";
    case SocketOption::userTimeout:
      return "gives up after this time without an acknowledgment; 0: net.ipv4.tcp_retries2";
    case SocketOption::retransmitTimeoutMin:
      return "minimum retransmission timeout (RTO)";
    case SocketOption::retransmitTimeoutMax:
      return "maximum retransmission timeout (RTO)";
    case SocketOption::delayedAckMax:
      return "maximum delay of an acknowledgment";
    case SocketOption::keepAlive:
      return "probes a silent peer (keep-alive)";
    case SocketOption::keepAliveIdle:
      return "idle time before the first keep-alive probe";
    case SocketOption::keepAliveInterval:
      return "interval between keep-alive probes";
    case SocketOption::keepAliveProbes:
      return "keep-alive probes before it gives up";
    case SocketOption::maxSegment:
      return "maximum segment size (MSS)";
    case SocketOption::count:
      break;
  }
  return {};
}

std::string valueText(SocketOption option, const OptionValue& value) {
  const SocketOptionRow& row = optionRow(option);
  if (row.unit == OptionUnit::name) return forTerminal(value.name.text());
  if (row.unlimited != 0 && value.number == row.unlimited) return "unlimited";
  return numberText(row, value.number);
}

std::string rangeText(const SocketOptionRow& row) {
  return fmt::format("{} to {}{}", numberText(row, row.least), numberText(row, row.most),
                     row.unlimited == 0 ? "" : ", or unlimited");
}

std::string_view phrase(OptionSetter setter) {
  switch (setter) {
    case OptionSetter::unknown:
      return {};
    case OptionSetter::automatic:
      return "the kernel";
    case OptionSetter::program:
      return "the program";
    case OptionSetter::tcpscope:
      return "tcpscope";
  }
  return {};
}

std::string_view phrase(Changeable changeable) {
  switch (changeable) {
    case Changeable::live:
      return "yes";
    case Changeable::notKept:
      return "no: the kernel resets it after a few packets, only the application can set it each time";
    case Changeable::atStart:
      return "no: negotiated in the handshake, needs a reconnect";
  }
  return {};
}

std::string sentence(const TuneNote& note, const TuneReport& report) {
  const std::string bytes = note.bytes ? formatBytes(static_cast<double>(*note.bytes)) : std::string();
  switch (note.kind) {
    case TuneNoteKind::otherValue:
      return otherValueSentence(note, report);
    case TuneNoteKind::capped:
      return fmt::format("The kernel granted {} only: {} bounds what an application may set; root may exceed it.",
                         bytes, limitOf(note.option));
    case TuneNoteKind::autoTuningOff:
      return fmt::format("This buffer is no longer autotuned; SO_BUF_LOCK={} re-enables autotuning.",
                         locksText(report.values.number(SocketOption::bufferLock) &
                                   ~(note.option == SocketOption::sendBuffer ? kSendBufferLock : kReceiveBufferLock)));
    case TuneNoteKind::lockedWithClamp:
      return "The receive buffer was locked with it: auto-tuning would rewrite the clamp.";
    case TuneNoteKind::clampMoved:
      return "Auto-tuning has rewritten the clamp; lock the receive buffer with it.";
    case TuneNoteKind::clampHolds:
      return fmt::format(
          "TCP_WINDOW_CLAMP limits the window to {}: increase it too, or re-enable autotuning with SO_BUF_LOCK.",
          bytes);
    case TuneNoteKind::windowScaleHolds:
      return fmt::format(
          "The window stays below {}: its scale was negotiated in the handshake. A larger one needs a reconnect, "
          "without a small SO_RCVBUF before connect() or listen().",
          bytes);
    case TuneNoteKind::pacingGoesOn:
      return "TCP still paces this connection, at its own rate.";
    case TuneNoteKind::windowMayStaySmall:
      return "The receive buffer became smaller while the connection is open: its window may stay below what the "
             "buffer allows, and the transfer slower than before, until the connection is opened again.";
    case TuneNoteKind::notShrunk:
      return fmt::format("{} stays at {}: the kernel autotunes it again and does not shrink it.",
                         optionRow(note.option).name, bytes);
  }
  return {};
}

std::string sentence(const RecordedOption& leftAlone, const OptionValues& now) {
  const auto& value = now[leftAlone.option];
  return fmt::format("{} was not changed: it was set to {} since; before tcpscope it was {}.",
                     optionRow(leftAlone.option).name, value ? valueText(leftAlone.option, *value) : "something else",
                     valueText(leftAlone.option, leftAlone.before));
}

std::string sentence(const TuneError& error, std::string_view asRoot) {
  const std::string object = forTerminal(error.object);
  switch (error.kind) {
    case TuneErrorKind::malformedChange:
      return fmt::format("'{}' is not OPTION=VALUE, such as SO_SNDBUF=4MiB", object);
    case TuneErrorKind::unknownOption:
      return fmt::format("unknown option '{}'; --show lists the options", object);
    case TuneErrorKind::malformedValue:
      return fmt::format("'{}' is not a value of {}; use {}", object, optionName(error),
                         example(optionRow(*error.option)));
    case TuneErrorKind::outOfRange:
      return rangeSentence(error);
    case TuneErrorKind::optionTwice:
      return fmt::format("{} is given twice; give it once", optionName(error));
    case TuneErrorKind::notKept:
      return fmt::format(
          "{} cannot be changed from outside: the kernel resets it after a few packets; the application has to set it "
          "each time",
          optionName(error));
    case TuneErrorKind::atStart:
      return fmt::format(
          "{} cannot be changed on a live connection: it was negotiated in the handshake; set it in the application "
          "and reconnect",
          optionName(error));
    case TuneErrorKind::noOwner:
      return fmt::format("no accessible process owns this connection; run '{}'", asRoot);
    case TuneErrorKind::gone:
      return "the connection no longer exists; see 'tcpscope-cli list'";
    case TuneErrorKind::notPermitted:
      return fmt::format("no permission to access the process that owns this connection; run '{}'", asRoot);
    case TuneErrorKind::otherSocket:
      return "the process has replaced the connection; nothing was changed; see 'tcpscope-cli list'";
    case TuneErrorKind::notSupported:
      return "this kernel cannot reach the sockets of a running program (pidfd_getfd); Linux 5.6 or later is needed";
    case TuneErrorKind::optionRefused:
      return refusalSentence(error, asRoot);
    case TuneErrorKind::optionNotInKernel:
      return fmt::format("this kernel does not know {}; leave it out", optionName(error));
    case TuneErrorKind::nothingToUndo:
      return "no recorded change of this connection to undo: it was not tuned, or was tuned by another user";
    case TuneErrorKind::onTrial:
      return "a change of this connection is on trial; keep it with --confirm or revert it with --undo first";
    case TuneErrorKind::notOnTrial:
      return "no change of this connection is on trial: it was kept, or its trial has ended and it was reverted";
    case TuneErrorKind::interrupted:
      return "the change was interrupted and may be incomplete; revert it with --undo and make it again";
    case TuneErrorKind::timerFailed:
      return fmt::format("cannot start the process that would revert the change: {}; nothing was changed",
                         reasonOf(error));
    case TuneErrorKind::recordUnreadable:
    case TuneErrorKind::recordNotWritten:
    case TuneErrorKind::recordNotUpdated:
      return recordSentence(error);
  }
  return reasonOf(error);
}

}  // namespace tcpscope
