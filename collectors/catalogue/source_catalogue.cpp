#include "collectors/catalogue/source_catalogue.h"

#include <array>

#include "collectors/bpf/loss_source.h"
#include "collectors/host/settings_collector.h"
#include "collectors/sock_diag/focus_collector.h"
#include "collectors/sock_diag/sock_diag_collector.h"
#include "collectors/tracepoint/retransmission_collector.h"
#include "collectors/tracepoint/set_state_source.h"

namespace tcpscope {

namespace {

CapabilityReason reasonOf(const NetlinkError& error) {
  if (error.kind == NetlinkError::Kind::notPermitted) return CapabilityReason::notPermitted;
  if (error.kind == NetlinkError::Kind::notSupported) return CapabilityReason::notSupported;
  return CapabilityReason::failed;
}

template <class Source>
OpenedSource openDiagnosis(const Environment& environment) {
  auto source = Source::open(environment.sockDiag, environment.settings);
  if (!source) return Unexpected<SourceError>({reasonOf(source.error()), source.error()});
  return std::unique_ptr<Collector>(std::move(*source));
}

template <class Source>
OpenedSource openTracepoint(const Environment& environment) {
  auto source = Source::open(environment.settings.place, environment.tracefs);
  if (!source) return Unexpected<SourceError>({source.error(), std::nullopt});
  return std::unique_ptr<Collector>(std::move(*source));
}

/// Losses, with drops and their reasons, where the kernel takes a program; else the retransmissions alone.
OpenedSource openLosses(const Environment& environment) {
  auto source = LossSource::open(environment.settings.place, environment.networkNamespace);
  if (!source) return openTracepoint<RetransmissionCollector>(environment);
  return std::unique_ptr<Collector>(std::move(*source));
}

OpenedSource openSettings(const Environment& environment) {
  return std::make_unique<SettingsCollector>(environment.settings.place,
                                             SettingsWatch(environment.facts, environment.readFacts), environment.now);
}

template <class Source>
constexpr SourceDescriptor describe(SourceNeeds needs, OpenedSource (*open)(const Environment&)) {
  return {Source::kDescription.name, Source::kDescription.what, needs, open};
}

constexpr std::array kSources{
    describe<SockDiagCollector>(SourceNeeds::socketDiagnosis, openDiagnosis<SockDiagCollector>),
    describe<FocusCollector>(SourceNeeds::socketDiagnosis, openDiagnosis<FocusCollector>),
    describe<SettingsCollector>(SourceNeeds::nothing, openSettings),
    describe<LossSource>(SourceNeeds::tracing, openLosses),
    describe<SetStateSource>(SourceNeeds::tracing, openTracepoint<SetStateSource>),
};

}  // namespace

std::span<const SourceDescriptor> sourceCatalogue() {
  return kSources;
}

}  // namespace tcpscope
