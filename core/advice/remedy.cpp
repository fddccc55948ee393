#include "core/advice/remedy.h"

#include <algorithm>

#include <array>

namespace tcpscope {

std::string_view name(RemedyId id) {
  static constexpr std::array<std::string_view, static_cast<std::size_t>(RemedyId::count) + 1> kNames = {
      "locked_receive_buffer", "locked_send_buffer", "auto_tuning_off", "window_scaling_off", "receive_buffer_limit",
      "send_buffer_limit",     "receiver_elsewhere", "sack_off",        "pacing_limit",       "mtu_black_hole",
      "random_loss",           "unsent_data",        "unknown"};
  static_assert(!kNames.back().empty(), "one name a remedy");
  return kNames[static_cast<std::size_t>(id)];
}

std::string_view name(RemedyPlace place) {
  switch (place) {
    case RemedyPlace::here:
      return "here";
    case RemedyPlace::program:
      return "program";
    case RemedyPlace::otherEnd:
      return "other_end";
    case RemedyPlace::eitherEnd:
      break;
  }
  return "either_end";
}

std::string_view name(Reach reach) {
  return reach == Reach::live ? "live" : "after_reconnect";
}

std::string_view name(SettingKind kind) {
  return kind == SettingKind::sysctl ? "sysctl" : "socket_option";
}

std::string_view name(GainReason reason) {
  switch (reason) {
    case GainReason::targetRate:
      return "target_rate";
    case GainReason::nextLimit:
      return "next_limit";
    case GainReason::waitsLess:
      return "waits_less";
    case GainReason::pathDecides:
      break;
  }
  return "path_decides";
}

std::string_view name(Precondition condition) {
  switch (condition) {
    case Precondition::settingsUnknown:
      return "settings_unknown";
    case Precondition::programSetsItAgain:
      return "program_sets_it_again";
    case Precondition::bothEndsNeedRoom:
      return "both_ends_need_room";
    case Precondition::othersSlowDownForLoss:
      break;
  }
  return "others_slow_down_for_loss";
}

std::optional<SettingKind> undoableKind(const Remedy& remedy) {
  if (remedy.changes.empty()) return std::nullopt;
  const auto areAll = [&](SettingKind kind) {
    return std::all_of(remedy.changes.begin(), remedy.changes.end(),
                       [&](const SettingChange& change) { return change.kind == kind && change.wanted != "unset"; });
  };
  if (remedy.place == RemedyPlace::here && areAll(SettingKind::sysctl)) return SettingKind::sysctl;
  // A rate that a program chose is its author's to change.
  const bool isTuned = remedy.place == RemedyPlace::program && remedy.reach == Reach::live &&
                       remedy.id != RemedyId::pacingLimit && areAll(SettingKind::socketOption);
  return isTuned ? std::optional(SettingKind::socketOption) : std::nullopt;
}

}  // namespace tcpscope
