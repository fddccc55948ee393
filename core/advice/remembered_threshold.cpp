#include "core/advice/remembered_threshold.h"

#include "core/diagnosis/bounds/mathis.h"

namespace tcpscope::remedies {

std::optional<Remedy> rememberedThreshold(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_no_ssthresh_metrics_save";
  constexpr std::uint64_t kLowWindowOfHyStart = 16;
  const TcpInfoSample& info = input.socket.info;
  const auto threshold = info.sndSsthresh();
  const auto window = info.sndCwnd();
  if (input.side() != Side::sending || input.settings.number(kKey) != 0U || !threshold || !window) return std::nullopt;
  const bool isUndisturbed = info.caState() == CaState::open && info.totalRetrans() == Segments(0) &&
                             info.deliveredCe().value_or(Segments(0)) == Segments(0);
  const std::string_view control = input.socket.congestionControl.text();
  const bool isRemembered =
      mathisAppliesTo(control) && (control != "cubic" || threshold->value() < kLowWindowOfHyStart);
  const bool holds = input.verdict().limit == Limit::network && *window >= *threshold;
  if (!isUndisturbed || !isRemembered || !holds) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::rememberedThreshold;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::sysctl, kKey, "0", "1"}};
  remedy.gain.from = input.diagnosis.goodput;
  remedy.evidence = {{"snd_ssthresh_segments", static_cast<double>(threshold->value()), std::nullopt, {}},
                     {"snd_cwnd_segments", static_cast<double>(window->value()), std::nullopt, {}}};
  return remedy;
}

}  // namespace tcpscope::remedies
