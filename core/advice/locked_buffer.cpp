#include "core/advice/locked_buffer.h"

#include <algorithm>

#include "core/advice/buffer_size.h"

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

std::optional<Remedy> lockedBuffer(const AdviceInput& input, const LockedKind& kind) {
  const Verdict& verdict = input.verdict();
  const auto& locks = input.socket.bufferLocks;
  const bool holds = verdict.limit == kind.limit && verdict.cause == Cause::bufferLocked;
  if (input.side() != kind.side || !holds || !locks) return std::nullopt;
  const bool sends = kind.side == Side::sending;
  std::optional<std::uint64_t> sizeNow;
  std::optional<std::string> nowText;
  if (const auto& memory = input.socket.memory) {
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
  remedy.reach = sends ? Reach::live : reachOfWindow(input.socket.info.rcvWscale(), *wanted);
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
  remedy.gain = gainOfBuffer(input, *wanted);
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

}  // namespace tcpscope::remedies
