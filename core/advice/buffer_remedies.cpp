#include <algorithm>

#include "core/advice/buffer_size.h"
#include "core/advice/remedies.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/limits/socket_state.h"

namespace tcpscope::remedies {

namespace {

/// What is different between the two buffers.
struct LockedKind {
  RemedyId id;
  Side side;
  Limit limit;
  std::string_view option;
  std::string_view largestOfPrograms;
  const TunedBuffer& tuned;
};

/// Bits of SO_BUF_LOCK (include/uapi/linux/socket.h), as they are now and with this buffer's taken away.
SettingChange unlocked(const BufferLocks& locks, Side side) {
  const int sendBit = locks.sendBuffer ? 1 : 0;
  const int receiveBit = locks.receiveBuffer ? 2 : 0;
  const int kept = side == Side::sending ? receiveBit : sendBit;
  return {SettingKind::socketOption, "SO_BUF_LOCK", std::to_string(sendBit + receiveBit), std::to_string(kept)};
}

/// Of a larger receive buffer for connections that are opened afterwards: their scale follows from the buffer. Where
/// the handshake had no window scaling, it is enabled with it, if the same host may be the one that lacks it; else the
/// window stays below 64 KiB.
ExpectedGain gainOfNewReceiveBuffer(const AdviceInput& input, Remedy& remedy, Bytes size) {
  if (!lacksWindowScaling(input)) return gainOfBuffer(input, size);
  const auto here = input.settings.number(kWindowScalingKey);
  const bool isMissingHere = here == 0U;
  const bool changesHere = remedy.place == RemedyPlace::here;
  if (here && isMissingHere != changesHere) return gainWithinScale(input, size);
  SettingChange scaling{SettingKind::sysctl, kWindowScalingKey, std::nullopt, "1"};
  if (isMissingHere) scaling.now = "0";
  remedy.changes.push_back(std::move(scaling));
  if (!here) remedy.preconditions.push_back(Precondition::bothEndsHaveToScale);
  return gainOfBuffer(input, size);
}

std::optional<Remedy> lockedBuffer(const AdviceInput& input, const LockedKind& kind) {
  const Verdict& verdict = input.verdict();
  const auto& locks = input.evidence.bufferLocks;
  const bool holds = verdict.limit == kind.limit && verdict.cause == Cause::bufferLocked;
  if (input.side() != kind.side || !holds || !locks) return std::nullopt;
  const bool sends = kind.side == Side::sending;
  std::optional<std::uint64_t> sizeNow;
  std::optional<std::string> nowText;
  if (const auto& memory = input.evidence.memory) {
    const std::uint64_t size = (sends ? memory->sendBuffer : memory->receiveBuffer).value();
    sizeNow = size;
    nowText = std::to_string(size);
  }
  const auto wanted = wantedBuffer(input, kind.tuned, sizeNow);
  if (!wanted) return std::nullopt;
  Remedy remedy;
  remedy.id = kind.id;
  remedy.place = RemedyPlace::program;
  // A send buffer has no scale that caps it.
  remedy.reach = sends ? Reach::live : reachOfWindow(input.evidence.windowScale, *wanted);
  if (remedy.reach == Reach::live) {
    // The kernel doubles what a program asks for, and gives no more than its limit.
    const std::uint64_t allowed = input.settings.number(kind.largestOfPrograms).value_or(wanted->value());
    const std::uint64_t asked = std::min(wanted->value() / 2, allowed);
    remedy.changes = {{SettingKind::socketOption, kind.option, nowText, std::to_string(asked)}};
    // The window stays below what it was clamped to with the smaller buffer, unless more than ever arrives in a round
    // trip (tcp_rcv_space_adjust): the clamp goes, so that the buffer alone bounds it, at once.
    if (!sends) {
      remedy.changes.push_back(
          {SettingKind::socketOption, "TCP_WINDOW_CLAMP", std::nullopt, std::to_string(wanted->value())});
    }
    remedy.changes.push_back(unlocked(*locks, kind.side));
  } else {
    remedy.changes = {{SettingKind::socketOption, kind.option, nowText, "unset"}};
  }
  const bool keepsScale = remedy.reach == Reach::live || lacksWindowScaling(input);
  remedy.gain = !sends && keepsScale ? gainWithinScale(input, *wanted) : gainOfBuffer(input, *wanted);
  remedy.memoryPerConnection = wanted;
  remedy.connectionsThatFit = connectionsThatFit(input.settings, *wanted);
  remedy.preconditions = {Precondition::programSetsItAgain, Precondition::bothEndsNeedRoom};
  return remedy;
}

}  // namespace

std::optional<Remedy> lockedReceiveBuffer(const AdviceInput& input) {
  return lockedBuffer(input, {RemedyId::lockedReceiveBuffer, Side::receiving, Limit::receiver, "SO_RCVBUF",
                              "net.core.rmem_max", kReceiveBuffer});
}

std::optional<Remedy> lockedSendBuffer(const AdviceInput& input) {
  return lockedBuffer(input, {RemedyId::lockedSendBuffer, Side::sending, Limit::sendBuffer, "SO_SNDBUF",
                              "net.core.wmem_max", kSendBuffer});
}

std::optional<Remedy> windowClamp(const AdviceInput& input) {
  const auto& memory = input.evidence.memory;
  const auto& window = input.evidence.receiveWindow;
  const bool holds = input.verdict().limit == Limit::receiver && input.verdict().cause == Cause::windowClamp;
  if (input.side() != Side::receiving || !holds || !memory || !window) return std::nullopt;
  // As much as the scale lets through: the kernel keeps the window below the buffer's size.
  Bytes wanted = std::max(wantedBuffer(input, kReceiveBuffer, std::nullopt).value_or(memory->receiveBuffer),
                          memory->receiveBuffer);
  if (const auto& scale = input.evidence.windowScale) {
    wanted = std::min(wanted, Bytes(static_cast<std::uint64_t>(windowCeilingBytes(*scale))));
  }
  Remedy remedy;
  remedy.id = RemedyId::windowClamp;
  remedy.place = RemedyPlace::program;
  remedy.changes = {
      {SettingKind::socketOption, "TCP_WINDOW_CLAMP", std::to_string(window->value()), std::to_string(wanted.value())}};
  remedy.gain = gainWithinScale(input, wanted);
  remedy.preconditions = {Precondition::programSetsItAgain, Precondition::bothEndsNeedRoom};
  return remedy;
}

std::optional<Remedy> autoTuningOff(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_moderate_rcvbuf";
  const Verdict& verdict = input.verdict();
  const bool isBuffer = verdict.limit == Limit::receiver && verdict.cause == Cause::bufferLimit;
  if (input.side() != Side::receiving || !isBuffer || input.settings.number(kKey) != 0U) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::autoTuningOff;
  remedy.reach = kReachOfTunedReceiveBuffer;
  remedy.changes = {{SettingKind::sysctl, kKey, "0", "1"}};
  if (const auto sizes = input.settings.three(kReceiveBuffer.key)) {
    remedy.memoryPerConnection = Bytes((*sizes)[2]);
    remedy.connectionsThatFit = connectionsThatFit(input.settings, Bytes((*sizes)[2]));
  }
  const Bytes most = remedy.memoryPerConnection.value_or(Bytes(kReceiveBuffer.kernelDefault[2]));
  remedy.gain = gainOfNewReceiveBuffer(input, remedy, most);
  remedy.preconditions.push_back(Precondition::bothEndsNeedRoom);
  return remedy;
}

namespace {

/// The buffer itself, or a scale that followed from it when the connection began.
bool isOfReceiveBuffer(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  if (verdict.limit != Limit::receiver) return false;
  const auto& options = input.evidence.options;
  const bool scaleIsSmall = verdict.cause == Cause::windowScale && options && options->windowScale;
  return verdict.cause == Cause::bufferLimit || scaleIsSmall;
}

std::optional<Remedy> higherLimit(const AdviceInput& input, RemedyId id, const TunedBuffer& buffer, Reach reach) {
  const auto sizes = input.settings.three(buffer.key);
  const auto wanted = wantedBuffer(input, buffer, sizes ? std::optional((*sizes)[2]) : std::nullopt);
  if (!wanted) return std::nullopt;
  Remedy remedy;
  remedy.id = id;
  remedy.reach = reach;
  remedy.changes = {raisedLimit(input.settings, buffer, *wanted)};
  remedy.gain =
      buffer.key == kReceiveBuffer.key ? gainOfNewReceiveBuffer(input, remedy, *wanted) : gainOfBuffer(input, *wanted);
  remedy.memoryPerConnection = wanted;
  remedy.connectionsThatFit = connectionsThatFit(input.settings, *wanted);
  if (!sizes) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::bothEndsNeedRoom);
  return remedy;
}

}  // namespace

std::optional<Remedy> receiveBufferLimit(const AdviceInput& input) {
  if (input.side() != Side::receiving || !isOfReceiveBuffer(input)) return std::nullopt;
  // With autotuning off the third number limits nothing; whether it will is known only with a target.
  if (input.settings.number("net.ipv4.tcp_moderate_rcvbuf") == 0U && !input.goal.targetRate) return std::nullopt;
  return higherLimit(input, RemedyId::receiveBufferLimit, kReceiveBuffer, kReachOfTunedReceiveBuffer);
}

std::optional<Remedy> sendBufferLimit(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  const bool isBuffer = verdict.limit == Limit::sendBuffer && verdict.cause == Cause::bufferLimit;
  if (input.side() != Side::sending || !isBuffer) return std::nullopt;
  return higherLimit(input, RemedyId::sendBufferLimit, kSendBuffer, Reach::live);
}

std::optional<Remedy> receiverElsewhere(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  if (input.side() != Side::sending || verdict.limit != Limit::receiver) return std::nullopt;
  // Of a receiver on this host the values are known, at its own end.
  if (input.evidence.isLoopback) return std::nullopt;
  const auto& options = input.evidence.options;
  const bool scaleIsSmall = verdict.cause == Cause::windowScale && options && options->windowScale;
  if (verdict.cause != Cause::bufferLimit && !scaleIsSmall) return std::nullopt;
  // While a hole is repaired, the largest window fills up behind it.
  constexpr double kMostOfTheTime = 0.5;
  if (repairRatio(input.evidence) > kMostOfTheTime) return std::nullopt;
  // What is set there does not show here.
  const SysctlValues unknown;
  const auto wanted = wantedBuffer(input, kReceiveBuffer, std::nullopt);
  if (!wanted) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::receiverElsewhere;
  remedy.place = RemedyPlace::peer;
  remedy.reach = kReachOfTunedReceiveBuffer;
  remedy.changes = {raisedLimit(unknown, kReceiveBuffer, *wanted)};
  remedy.preconditions = {Precondition::settingsUnknown};
  remedy.gain = gainOfNewReceiveBuffer(input, remedy, *wanted);
  remedy.memoryPerConnection = wanted;
  return remedy;
}

}  // namespace tcpscope::remedies
