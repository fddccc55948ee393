#include "core/advice/buffer_size.h"
#include "core/advice/remedies.h"
#include "core/diagnosis/evidence/application_window.h"

namespace tcpscope::remedies {

std::optional<Remedy> smallWrites(const AdviceInput& input) {
  if (input.side() != Side::sending || input.verdict().cause != Cause::nagle) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::smallWrites;
  remedy.place = RemedyPlace::program;
  // It outweighs TCP_NODELAY (tcp(7)).
  const bool isCorked = input.evidence.nagle && input.evidence.nagle->cork;
  remedy.changes = isCorked ? std::vector<SettingChange>{{SettingKind::socketOption, "TCP_CORK", "1", "0"}}
                            : std::vector<SettingChange>{{SettingKind::socketOption, "TCP_NODELAY", "0", "1"}};
  remedy.gain.from = input.diagnosis.goodput;
  return remedy;
}

std::optional<Remedy> delayedAcks(const AdviceInput& input) {
  const bool isCorked = input.evidence.nagle && input.evidence.nagle->cork;
  // What is corked waits for a full segment, whatever is acknowledged.
  if (input.side() != Side::sending || input.verdict().cause != Cause::nagle || isCorked) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::delayedAcks;
  remedy.place = RemedyPlace::peer;
  remedy.changes = {{SettingKind::command, "sudo ip route change ROUTE quickack", std::nullopt, "1"}};
  remedy.gain.from = input.diagnosis.goodput;
  return remedy;
}

namespace {

/// What enlarges the window of a protocol, by the port of its service.
std::string_view howToEnlarge(std::uint16_t servicePort) {
  switch (servicePort) {
    case 22:
      return "several SSH connections at once (OpenSSH's channel window is fixed at 2 MiB), or a transfer without SSH";
    case 445:
      return "more and larger requests in flight (SMB credits, multichannel)";
    case 873:
      return "several rsync processes at once";
    case 2049:
      return "larger rsize and wsize, nconnect (nfs(5))";
    case 3306:
    case 5432:
      return "a larger fetch size, or COPY and bulk loads instead of single rows";
    default:
      return "more or larger requests in flight (pipelining), or several connections at once";
  }
}

}  // namespace

std::optional<Remedy> applicationWindow(const AdviceInput& input) {
  if (input.side() != Side::sending || input.verdict().cause != Cause::applicationWindow) return std::nullopt;
  const auto window = tcpscope::applicationWindow(input.evidence);
  if (!window) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::applicationWindow;
  remedy.place = RemedyPlace::program;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::command,
                     "window of the application's protocol:", std::to_string(window->size.value()) + " bytes",
                     std::string(howToEnlarge(input.evidence.servicePort.value_or(0)))}};
  remedy.gain = gainWithoutLimit(input);
  remedy.evidence = {{"application_window_bytes", static_cast<double>(window->size.value()), std::nullopt, {}}};
  return remedy;
}

}  // namespace tcpscope::remedies
