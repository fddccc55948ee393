#include "core/advice/remedies/sack_off.h"

#include "core/advice/option_off.h"

namespace tcpscope::remedies {

std::optional<Remedy> sackOff(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  const auto options = input.socket.info.options();
  const bool losesPackets = verdict.cause == Cause::loss || verdict.cause == Cause::policer;
  if (input.side() != Side::sending || !losesPackets || !options || options->sack()) return std::nullopt;
  Remedy remedy = switchOptionOn(input, RemedyId::sackOff, "net.ipv4.tcp_sack");
  // How much faster repair is, depends on how losses cluster.
  remedy.gain.from = input.diagnosis.goodput;
  return remedy;
}

}  // namespace tcpscope::remedies
