#include "core/advice/remedy.h"

#include <algorithm>

#include <array>

namespace tcpscope {

std::string_view name(RemedyId id) {
  static constexpr std::array<std::string_view, static_cast<std::size_t>(RemedyId::count) + 1> kNames = {
      "locked_receive_buffer",
      "locked_send_buffer",
      "auto_tuning_off",
      "window_scaling_off",
      "receive_buffer_limit",
      "send_buffer_limit",
      "receiver_elsewhere",
      "sack_off",
      "pacing_limit",
      "mtu_black_hole",
      "random_loss",
      "unsent_data",
      "ecn_off",
      "timestamps_off",
      "remembered_threshold",
      "jumbo_frames",
      "parallel_streams",
      "congestion_window_clamp",
      "window_clamp",
      "initial_window",
      "connection_reuse",
      "idle_restart",
      "small_segments",
      "small_writes",
      "delayed_acks",
      "application_window",
      "unknown"};
  static_assert(!kNames.back().empty(), "one name a remedy");
  return kNames[static_cast<std::size_t>(id)];
}

std::string_view name(RemedyPlace place) {
  switch (place) {
    case RemedyPlace::here:
      return "here";
    case RemedyPlace::program:
      return "program";
    case RemedyPlace::peer:
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
  switch (kind) {
    case SettingKind::sysctl:
      return "sysctl";
    case SettingKind::socketOption:
      return "socket_option";
    case SettingKind::command:
      break;
  }
  return "command";
}

std::string_view name(GainReason reason) {
  switch (reason) {
    case GainReason::targetRate:
      return "target_rate";
    case GainReason::pathCapacity:
      return "path_capacity";
    case GainReason::nextLimit:
      return "next_limit";
    case GainReason::waitsLess:
      return "waits_less";
    case GainReason::lossModel:
      return "loss_model";
    case GainReason::fewerRtts:
      return "fewer_rtts";
    case GainReason::safety:
      return "safety";
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
    case Precondition::bothEndsHaveToScale:
      return "both_ends_have_to_scale";
    case Precondition::othersSlowDownForLoss:
      return "others_slow_down_for_loss";
    case Precondition::pacedMeetMoreLosses:
      return "paced_meet_more_losses";
    case Precondition::everyLinkHasToCarryIt:
      return "every_link_has_to_carry_it";
    case Precondition::packetsAreLostNotBits:
      return "packets_are_lost_not_bits";
    case Precondition::takesTheShareOfAsMany:
      return "takes_the_share_of_as_many";
    case Precondition::queuesHaveToMark:
      return "queues_have_to_mark";
    case Precondition::queuesHaveToHoldTheBurst:
      return "queues_have_to_hold_the_burst";
    case Precondition::metricsHaveToBeFlushed:
      return "metrics_have_to_be_flushed";
    case Precondition::openingEndHasToAsk:
      break;
  }
  return "opening_end_has_to_ask";
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
