#include "core/present/text/change_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "core/base/escape.h"
#include "core/present/text/error_text.h"
#include "core/present/text/host_text.h"

namespace tcpscope {

namespace {

std::string reason(int number) {
  return std::generic_category().message(number);
}

std::string whyNotTaken(int number) {
  if (number == 0) return "it set another value";
  // For a name, such as a congestion control.
  if (number == ENOENT) return "it has nothing with this name";
  return reason(number);
}

std::string refusedSentence(const ChangeError& error) {
  const SettingRefusal refusal = error.refusal.value_or(SettingRefusal::keyNotAllowed);
  std::string text = fmt::format("{} {}; nothing was changed", forTerminal(error.object), sentence(refusal));
  // For settings that old guides recommend, the reason why they are obsolete says more than the list.
  const auto obsolete = obsoleteReason(error.object.rawBytes(), "1");
  if (refusal == SettingRefusal::keyNotAllowed && obsolete) text += fmt::format(". {}", sentence(*obsolete));
  return text;
}

/// Of another host.
std::string hostSentence(const ChangeError& error) {
  const std::string host = forPlainText(error.object);
  switch (error.kind) {
    case ChangeErrorKind::unreachable: {
      std::string text = sentence(SystemError{SystemAttempt::reachAgent, error.errorNumber, error.object});
      if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() -= 'a' - 'A';
      if (!text.empty() && text.back() != '.') text += '.';
      return text;
    }
    case ChangeErrorKind::sudoAsks:
      return fmt::format("sudo on '{}' asks for a password; nothing was changed. Run this there, then refresh:", host);
    case ChangeErrorKind::sudoRefuses:
      return fmt::format(
          "sudo on '{}' does not let this login run it; nothing was changed. Ask an administrator to run this there, "
          "then refresh:",
          host);
    case ChangeErrorKind::noSudo:
      return fmt::format(
          "The login on '{}' is not root and there is no sudo; nothing was changed. Run this there as root, then "
          "refresh:",
          host);
    case ChangeErrorKind::otherPlace:
      return fmt::format(
          "'{}' is not the host that was previewed: it has rebooted, or the address leads to another host. Nothing was "
          "changed; go back and preview the change again.",
          host);
    case ChangeErrorKind::left:
      return fmt::format(
          "'{}' is no longer in the list of hosts; nothing was changed. Connect to it again, then preview the change "
          "again.",
          host);
    case ChangeErrorKind::notConnected:
      return fmt::format("'{}' is not connected. Refresh when it is back.", host);
    case ChangeErrorKind::reportLost:
      return fmt::format(
          "The connection to '{}' ended before the result arrived. The result is requested when the host "
          "is connected again.",
          host);
    case ChangeErrorKind::notActive:
      return fmt::format("No such change is active on '{}': it never arrived, or it was reverted.", host);
    default:
      return fmt::format(
          "The journal of '{}' does not show the result of the change; see 'tcpscope-cli changes' there.", host);
  }
}

}  // namespace

std::string_view sentence(SettingRefusal refusal) {
  switch (refusal) {
    case SettingRefusal::keyNotAllowed:
      return "is not a setting that tcpscope changes";
    case SettingRefusal::wrongCount:
      return "does not take this number of values";
    case SettingRefusal::notANumber:
      return "takes plain decimal numbers";
    case SettingRefusal::outOfRange:
      return "does not allow this value";
    case SettingRefusal::notOrdered:
      return "takes minimum, initial and maximum value, in this order";
    case SettingRefusal::unknownWord:
      return "does not know this name";
    case SettingRefusal::keyTwice:
      return "is given twice";
    case SettingRefusal::tooMuch:
      return "exceeds the size of one request";
  }
  return "was refused";
}

std::string sentence(const ChangeError& error) {
  std::string object = forTerminal(error.object);
  switch (error.kind) {
    case ChangeErrorKind::refusedSetting:
      return refusedSentence(error);
    case ChangeErrorKind::noSuchSetting:
      return fmt::format("this kernel or network namespace has no {}; nothing was changed", object);
    case ChangeErrorKind::missingRight:
      return fmt::format("no permission to change {}: {}; run the command with sudo", object,
                         reason(error.errorNumber));
    case ChangeErrorKind::changedMeanwhile:
      return fmt::format("{} does not have the expected value: it was changed meanwhile; check with --preview", object);
    case ChangeErrorKind::notTaken:
      return fmt::format("the kernel refused the value of {}: {}; all settings were restored", object,
                         whyNotTaken(error.errorNumber));
    case ChangeErrorKind::writeFailed:
      return fmt::format("{} could not be changed: {}", object, reason(error.errorNumber));
    case ChangeErrorKind::unfinishedChange:
      return fmt::format("change {} was interrupted; revert it first: tcpscope-cli revert {}", object, object);
    case ChangeErrorKind::noSuchChange:
      return fmt::format("there is no change {}; 'tcpscope-cli changes' lists them", object);
    case ChangeErrorKind::wrongState:
      return fmt::format("change {} is not in a state that allows this; see 'tcpscope-cli changes'", object);
    case ChangeErrorKind::otherNamespace:
      return fmt::format("change {} was made in another network namespace; select it with --netns", object);
    case ChangeErrorKind::cannotPersistHere:
      return "only settings of the host's own network namespace can persist; omit --persist";
    case ChangeErrorKind::persistedFileChanged:
      return fmt::format("{} in /etc/sysctl.d was changed by another program; move it elsewhere, then try again",
                         object);
    case ChangeErrorKind::persistFailed:
      return fmt::format("the settings for the next boot could not be written to {}: {}", object,
                         reason(error.errorNumber));
    case ChangeErrorKind::journalFailed:
      return fmt::format("the journal of changes cannot be used, {}: {}; nothing was changed", object,
                         reason(error.errorNumber));
    case ChangeErrorKind::journalNotUpdated:
      return fmt::format(
          "the originals are set again, but the journal of changes cannot be written, {}: {}; when it can "
          "be, revert again",
          object, reason(error.errorNumber));
    case ChangeErrorKind::journalDamaged:
      return fmt::format("{} in the journal of changes is damaged; check it, then move it elsewhere", object);
    case ChangeErrorKind::comparisonRunning:
      return "another 'tcpscope-cli verify' is running on this host; wait for its end";
    case ChangeErrorKind::timerFailed:
      return fmt::format("the timer that reverts the change could not be started: {}; nothing was changed",
                         reason(error.errorNumber));
    case ChangeErrorKind::denied:
      return "permission denied; nothing was changed";
    case ChangeErrorKind::helperNotAvailable:
      return fmt::format("nothing on this system changes settings for tcpscope ({}); use sudo tcpscope-cli apply",
                         object);
    case ChangeErrorKind::reported:
      return object;
    case ChangeErrorKind::unreadableReport:
      return "tcpscope-cli returned no readable report.";
    case ChangeErrorKind::unreachable:
    case ChangeErrorKind::sudoAsks:
    case ChangeErrorKind::sudoRefuses:
    case ChangeErrorKind::noSudo:
    case ChangeErrorKind::otherPlace:
    case ChangeErrorKind::left:
    case ChangeErrorKind::notConnected:
    case ChangeErrorKind::reportLost:
    case ChangeErrorKind::notActive:
    case ChangeErrorKind::outcomeNotReported:
      return hostSentence(error);
  }
  return "the change failed";
}

std::string sentence(const SettingPreview& preview) {
  if (!preview.text.empty()) return preview.text;
  switch (preview.verdict) {
    case PreviewVerdict::changes:
      return "would change";
    case PreviewVerdict::same:
      return "already set";
    case PreviewVerdict::refused:
      return fmt::format("refused: {}", sentence(preview.refusal.value_or(SettingRefusal::keyNotAllowed)));
    case PreviewVerdict::missing:
      return "unknown to this kernel or network namespace";
  }
  return {};
}

std::vector<std::string> notes(const SettingPreview& preview) {
  std::vector<std::string> all = preview.notes;
  if (preview.obsolete) all.emplace_back(sentence(*preview.obsolete));
  if (preview.setBy) {
    const std::string value = preview.setBy->value ? forTerminal(*preview.setBy->value) : std::string("what it was");
    all.push_back(fmt::format("{} sets it to {} at boot.", placeOf(*preview.setBy), value));
  }
  if (std::string later = overrideSentence(preview.overriddenBy); !later.empty()) all.push_back(std::move(later));
  return all;
}

std::string sentence(const RestoredSetting& restored) {
  if (!restored.text.empty()) return restored.text;
  switch (restored.outcome) {
    case RestoreOutcome::restored:
      return "restored";
    case RestoreOutcome::wasOriginal:
      return "already had its original value";
    case RestoreOutcome::leftAlone:
      return "not changed: it was changed by another program since";
    case RestoreOutcome::handedOn:
      return "keeps the value of a later change, which restores it when it is reverted";
    case RestoreOutcome::failed:
      return fmt::format("failed: {}", reason(restored.errorNumber));
  }
  return {};
}

std::string_view title(ChangeState state) {
  switch (state) {
    case ChangeState::preparing:
      return "interrupted";
    case ChangeState::applied:
      return "waiting for confirmation";
    case ChangeState::confirmed:
      return "confirmed";
    case ChangeState::reverted:
      return "reverted";
    case ChangeState::gone:
      return "gone with its boot or network namespace";
  }
  return {};
}

std::string_view sentence(ObsoleteReason reason) {
  switch (reason) {
    case ObsoleteReason::recyclingGone:
      return "Removed in Linux 4.12: it refused connections of clients that share an address behind NAT. Leave it out.";
    case ObsoleteReason::chosenElsewhere:
      return "Gone since Linux 2.6.14: net.ipv4.tcp_congestion_control chooses the congestion control.";
    case ObsoleteReason::gone:
      return "Removed from the kernel long ago: setting it fails and changes nothing. Leave it out.";
    case ObsoleteReason::ignored:
      return "The kernel still shows it and ignores it: setting it changes nothing. Leave it out.";
    case ObsoleteReason::measuredInstead:
      return "Since Linux 6.6 the kernel measures how much of a buffer is window, and ignores this. The buffer's size "
             "is what counts: net.ipv4.tcp_rmem.";
    case ObsoleteReason::reuseIsNotSpeed:
      return "It allows outgoing connections to reuse ports sooner, and makes no transfer faster. Set it only where "
             "ports run out.";
    case ObsoleteReason::protectionLowered:
      return "This limit protects against attacks: lowering it makes nothing faster, and the kernel then drops "
             "connections too early. Do not lower it.";
    case ObsoleteReason::computedAtBoot:
      return "The kernel computes it at boot from the machine's memory, in pages, not bytes: values from another "
             "machine cause memory pressure too early, or exhaust memory. The buffers of a connection are "
             "net.ipv4.tcp_rmem and net.ipv4.tcp_wmem.";
    case ObsoleteReason::notForTcp:
      return "It is for other protocols: the initial size of TCP's buffers is the second value of net.ipv4.tcp_rmem "
             "and net.ipv4.tcp_wmem.";
    case ObsoleteReason::sackOff:
      return "Without SACK (RFC 2018) only one lost segment per RTT is repaired. Leave it on.";
    case ObsoleteReason::duplicateSackOff:
      return "Without duplicate selective acknowledgments (RFC 2883) a sender does not learn of spurious "
             "retransmissions. Leave it on.";
    case ObsoleteReason::timestampsOff:
      return "Without timestamps (RFC 7323) RTT samples are less accurate, and fast connections have no protection "
             "against wrapped sequence numbers. Leave them on.";
    case ObsoleteReason::windowScalingOff:
      return "Without window scaling (RFC 7323) no window above 64 KiB can be advertised. Leave it on.";
    case ObsoleteReason::autoTuningOff:
      return "Without autotuning receive buffers keep their initial size. Leave it on.";
    case ObsoleteReason::resetsClients:
      return "When an application is slow to accept, it resets connections that would have succeeded a moment later. "
             "Make the application faster, or increase its backlog.";
    case ObsoleteReason::count:
      break;
  }
  return "";
}

}  // namespace tcpscope
