#include "core/present/text/change_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "core/base/escape.h"
#include "core/present/text/obsolete_setting_text.h"
#include "core/present/text/sysctl_source_text.h"

namespace tcpscope {

namespace {

std::string reason(int number) {
  return std::generic_category().message(number);
}

std::string whyNotTaken(int number) {
  if (number == 0) return "it set another";
  // Of a word, such as a congestion control.
  if (number == ENOENT) return "it has nothing of this name";
  return reason(number);
}

std::string refusedSentence(const ChangeError& error) {
  const SettingRefusal refusal = error.refusal.value_or(SettingRefusal::keyNotAllowed);
  std::string text = fmt::format("{} {}; nothing was changed", forTerminal(error.object), sentence(refusal));
  // What old guides switch on has a reason to be left out that teaches more than the list.
  const auto obsolete = obsoleteReason(error.object.rawBytes(), "1");
  if (refusal == SettingRefusal::keyNotAllowed && obsolete) text += fmt::format(". {}", sentence(*obsolete));
  return text;
}

}  // namespace

std::string_view sentence(SettingRefusal refusal) {
  switch (refusal) {
    case SettingRefusal::keyNotAllowed:
      return "is not among the settings that tcpscope changes";
    case SettingRefusal::wrongCount:
      return "does not take so many values";
    case SettingRefusal::notANumber:
      return "takes plain decimal numbers";
    case SettingRefusal::outOfRange:
      return "does not make sense with this value";
    case SettingRefusal::notOrdered:
      return "takes the least, the start and the most, in this order";
    case SettingRefusal::unknownWord:
      return "does not know this word";
    case SettingRefusal::keyTwice:
      return "was named twice";
    case SettingRefusal::tooMuch:
      return "is more than one request may hold";
  }
  return "was refused";
}

std::string sentence(const ChangeError& error) {
  const std::string object = forTerminal(error.object);
  switch (error.kind) {
    case ChangeErrorKind::refusedSetting:
      return refusedSentence(error);
    case ChangeErrorKind::noSuchSetting:
      return fmt::format("this kernel, or this network namespace, has no {}; nothing was changed", object);
    case ChangeErrorKind::missingRight:
      return fmt::format("no right to change {}: {}; run the command with sudo", object, reason(error.errorNumber));
    case ChangeErrorKind::changedMeanwhile:
      return fmt::format("{} is not what it was expected to be, somebody changed it; look again with --preview",
                         object);
    case ChangeErrorKind::notTaken:
      return fmt::format("the kernel did not take the value of {}: {}; everything was put back", object,
                         whyNotTaken(error.errorNumber));
    case ChangeErrorKind::writeFailed:
      return fmt::format("{} could not be changed: {}", object, reason(error.errorNumber));
    case ChangeErrorKind::unfinishedChange:
      return fmt::format("change {} was interrupted; undo it first: tcpscope-cli revert {}", object, object);
    case ChangeErrorKind::noSuchChange:
      return fmt::format("there is no change {}; 'tcpscope-cli changes' lists them", object);
    case ChangeErrorKind::wrongState:
      return fmt::format("change {} does not wait for that; 'tcpscope-cli changes' says what became of it", object);
    case ChangeErrorKind::otherNamespace:
      return fmt::format("change {} was made in another network namespace; name it with --netns", object);
    case ChangeErrorKind::cannotPersistHere:
      return "only the settings of the host's own network namespace come back at boot; leave out --persist";
    case ChangeErrorKind::persistedFileChanged:
      return fmt::format("somebody else changed {} in /etc/sysctl.d; move it away, then try again", object);
    case ChangeErrorKind::persistFailed:
      return fmt::format("the settings for the next boot could not be written to {}: {}", object,
                         reason(error.errorNumber));
    case ChangeErrorKind::journalFailed:
      return fmt::format("the journal of changes cannot be used, {}: {}; nothing was changed", object,
                         reason(error.errorNumber));
    case ChangeErrorKind::journalDamaged:
      return fmt::format("{} in the journal of changes is damaged; look at it, then move it away", object);
    case ChangeErrorKind::timerFailed:
      return fmt::format("nothing could be started that undoes the change in time: {}; nothing was changed",
                         reason(error.errorNumber));
  }
  return "the change failed";
}

std::string sentence(const HelperError& error) {
  switch (error.kind) {
    case HelperErrorKind::denied:
      return "the system did not allow it; nothing was changed";
    case HelperErrorKind::notAvailable:
      return fmt::format("nothing on this system changes settings for tcpscope ({}); use sudo tcpscope-cli apply",
                         forTerminal(error.said));
    case HelperErrorKind::failed:
      return forTerminal(error.said);
  }
  return "the change failed";
}

std::string sentence(const SettingPreview& preview) {
  switch (preview.verdict) {
    case PreviewVerdict::changes:
      return "would change";
    case PreviewVerdict::same:
      return "set already";
    case PreviewVerdict::refused:
      return fmt::format("refused: {}", sentence(preview.refusal.value_or(SettingRefusal::keyNotAllowed)));
    case PreviewVerdict::missing:
      return "not known to this kernel or network namespace";
  }
  return {};
}

std::vector<std::string> notes(const SettingPreview& preview) {
  std::vector<std::string> all;
  if (preview.obsolete) all.emplace_back(sentence(*preview.obsolete));
  if (preview.setBy) {
    const std::string value = preview.setBy->value ? forTerminal(*preview.setBy->value) : std::string("what it was");
    all.push_back(fmt::format("{} sets it to {} at boot.", placeOf(*preview.setBy), value));
  }
  if (std::string later = overrideSentence(preview.overriddenBy); !later.empty()) all.push_back(std::move(later));
  return all;
}

std::string sentence(const RestoredSetting& restored) {
  switch (restored.outcome) {
    case RestoreOutcome::restored:
      return "put back";
    case RestoreOutcome::wasOriginal:
      return "was as before already";
    case RestoreOutcome::leftAlone:
      return "left alone: somebody else changed it since";
    case RestoreOutcome::gone:
      return "gone with its network namespace";
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
      return "waits to be confirmed";
    case ChangeState::confirmed:
      return "in force";
    case ChangeState::reverted:
      return "undone";
  }
  return {};
}

}  // namespace tcpscope
