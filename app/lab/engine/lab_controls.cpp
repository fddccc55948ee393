#include "app/lab/engine/lab_controls.h"

namespace tcpscope::lab {

namespace {

bool isLoaded(const LoadedControls& states, std::string_view name) {
  return std::any_of(states.begin(), states.end(), [name](const LoadedControl& state) {
    return state.name == name && state.holder != ControlHolder::none;
  });
}

}  // namespace

Expected<std::optional<RegisteredControls>, LabError> holdControls(const Scenario& scenario) {
  const bool needsAny = std::any_of(scenario.traffic.begin(), scenario.traffic.end(),
                                    [](const auto& traffic) { return isLoadableControl(traffic.congestionControl); });
  if (!needsAny) return std::nullopt;
  if (auto held = RegisteredControls::hold()) return std::optional(std::move(*held));
  const LoadedControls states = readLoadedControls();
  for (const auto& traffic : scenario.traffic) {
    const std::string& name = traffic.congestionControl;
    if (!isLoadableControl(name) || isLoaded(states, name)) continue;
    return tl::unexpected(LabError{LabErrorKind::noCongestionControl, 0, UntrustedText(name)});
  }
  return std::nullopt;
}

}  // namespace tcpscope::lab
