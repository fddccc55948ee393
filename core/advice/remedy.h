// What can be changed so that a connection, or the next one like it, becomes faster: values, no sentences (core/text).
//
// A remedy answers a verdict: it carries the verdict's evidence and is no surer than it. What it brings is a forecast
// with its reason; where nothing known says how much, only the rate of today is given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/evidence/finding.h"

namespace tcpscope {

enum class RemedyId : std::uint8_t {
  lockedReceiveBuffer,
  lockedSendBuffer,
  autoTuningOff,
  windowScalingOff,
  receiveBufferLimit,
  sendBufferLimit,
  receiverElsewhere,
  sackOff,
  pacingLimit,
  mtuBlackHole,
  randomLoss,
  unsentData,
  ecnOff,
  timestampsOff,
  rememberedThreshold,
  jumboFrames,
  parallelStreams,
  congestionWindowClamp,
  windowClamp,
  initialWindow,
  connectionReuse,
  idleRestart,
  smallSegments,
  smallWrites,
  delayedAcks,
  applicationWindow,
  count,
};

/// snake_case, as in the JSON documents.
std::string_view name(RemedyId id);

/// Who has to act; which of the ends is not always known.
enum class RemedyPlace : std::uint8_t { here, program, peer, eitherEnd };
std::string_view name(RemedyPlace place);

enum class Reach : std::uint8_t {
  /// This connection, at once.
  live,
  /// Connections that begin after it.
  afterReconnect,
};
std::string_view name(Reach reach);

enum class SettingKind : std::uint8_t {
  sysctl,
  socketOption,
  /// What no setting holds: the key is what a shell or a program takes before the value. tcpscope leaves it to people.
  command,
};
std::string_view name(SettingKind kind);

struct SettingChange {
  SettingKind kind = SettingKind::sysctl;
  /// "net.ipv4.tcp_rmem", "SO_BUF_LOCK", "sudo ip link set dev DEVICE mtu".
  std::string_view key;
  /// Absent where it is not known.
  std::optional<std::string> now;
  std::string wanted;

  bool operator==(const SettingChange&) const = default;
};

enum class GainReason : std::uint8_t {
  /// `to` is the rate that the user aims at: reached if the path carries it.
  targetRate,
  /// `to` is what the path carries, by the spacing of its packets.
  pathCapacity,
  /// `to` is what the next limit allows today; it may grow further.
  nextLimit,
  /// Data waits less before it is sent; the rate stays.
  waitsLess,
  /// `to` is what the model of loss gives where packets go on getting lost as often as today: at most that.
  lossModel,
  /// A transfer, or a burst after a silence, takes fewer RTTs.
  fewerRtts,
  /// The rate stays: it keeps old packets from being taken for new ones.
  safety,
  /// Nothing known says how much.
  pathDecides,
};
std::string_view name(GainReason reason);

struct ExpectedGain {
  /// Rate now.
  std::optional<BitsPerSecond> from;
  std::optional<BitsPerSecond> to;
  GainReason why = GainReason::pathDecides;
  /// By how much less data waits at the sender before it is sent.
  std::optional<double> waitsLessSeconds{};
  /// Of a transfer, or of a burst.
  std::optional<double> savesRtts{};
  std::optional<double> savesSeconds{};
  /// The most that it can bring; absent where only the path ends it.
  std::optional<BitsPerSecond> atMost{};
};

enum class Precondition : std::uint8_t {
  /// The settings of the place could not be read: what is set now has to be compared first.
  settingsUnknown,
  /// The program sets the buffer again at its next connection, unless it is changed.
  programSetsItAgain,
  /// Tuning goes on from the window of today: the sender's buffer and the path have to have room, too.
  bothEndsNeedRoom,
  /// Window scaling was not negotiated: which of the ends did not offer it is not known.
  bothEndsHaveToScale,
  /// Others on the same path slow down for a loss that this one ignores: they may get less than before.
  othersSlowDownForLoss,
  /// Paced packets lie among the bursts of others in a queue that drops its tail, and meet more of its losses.
  pacedMeetMoreLosses,
  /// A packet that is too large for one link of the path is split or dropped there.
  everyLinkHasToCarryIt,
  /// The model counts losses by packet: where bits are damaged, large packets are hit more often.
  packetsAreLostNotBits,
  /// At a saturated bottleneck several connections take the share of as many users.
  takesTheShareOfAsMany,
  /// Explicit congestion notification is of use where the queues of the path mark.
  queuesHaveToMark,
  /// An end asks for it on the connections that it opens.
  openingEndHasToAsk,
  /// What begins with more at once meets queues that are full already with more.
  queuesHaveToHoldTheBurst,
  /// Metrics of the peer outlast the route that they came from.
  metricsHaveToBeFlushed,
};
std::string_view name(Precondition condition);

struct Remedy {
  RemedyId id = RemedyId::count;
  RemedyPlace place = RemedyPlace::here;
  Reach reach = Reach::live;
  std::vector<SettingChange> changes;
  ExpectedGain gain;
  /// Most kernel memory that a connection may take after it, and how many such connections fit before the kernel
  /// begins to press (tcp_mem); absent where nothing grows or it is not known.
  std::optional<Bytes> memoryPerConnection;
  std::optional<std::uint64_t> connectionsThatFit;
  std::vector<Evidence> evidence;
  std::vector<Precondition> preconditions;
  /// 0…1; confident means at least 0.8.
  double confidenceRatio = 0.0;
};

/// How tcpscope itself can make all of a remedy's changes, and undo them: sysctls of this place, or socket options of a
/// program's live connection. Nothing where another has to act, or nothing helps this connection.
std::optional<SettingKind> undoableKind(const Remedy& remedy);

}  // namespace tcpscope
