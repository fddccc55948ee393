#include "core/advice/sack_off.h"

#include "core/advice/option_off.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::remedies {

std::optional<Remedy> sackOff(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  const auto options = input.socket.info.options();
  // Repair takes so much of the time that doing it faster is felt, whatever the verdict calls it: losses of a full
  // path, too, or a peer's window that is full behind a hole.
  constexpr double kFelt = 0.1;
  const bool losesPackets =
      verdict.cause == Cause::loss || verdict.cause == Cause::policer || repairRatio(input.window) >= kFelt;
  const bool nothingPasses = verdict.cause == Cause::mtu;
  if (input.side() != Side::sending || !losesPackets || nothingPasses || !options || options->sack()) {
    return std::nullopt;
  }
  Remedy remedy = switchOptionOn(input, RemedyId::sackOff, "net.ipv4.tcp_sack");
  // How much faster repair is, depends on how losses cluster.
  remedy.gain.from = input.diagnosis.goodput;
  return remedy;
}

}  // namespace tcpscope::remedies
