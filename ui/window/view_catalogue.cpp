#include "ui/window/view_catalogue.h"

#include <array>

#include "ui/views/advice/advice_view.h"
#include "ui/views/all_variables/all_variables_view.h"
#include "ui/views/connection_properties/connection_properties_view.h"
#include "ui/views/diagnosis/diagnosis_view.h"
#include "ui/views/events/events_view.h"
#include "ui/views/host_checkup/host_checkup_view.h"
#include "ui/views/listeners/listeners_view.h"
#include "ui/views/loss_bursts/loss_bursts_view.h"
#include "ui/views/meter/meter_view.h"
#include "ui/views/packet_graphs/packet_graphs_view.h"
#include "ui/views/path_history/path_history_view.h"
#include "ui/views/problems/problems_view.h"
#include "ui/views/scope/scope_view.h"
#include "ui/views/settings/settings_view.h"

namespace tcpscope {

namespace {

template <class ViewType>
View* create(const ViewContext& context, QWidget* parent) {
  return new ViewType(context, parent);
}

constexpr std::array kViews = {
    ViewRow{"scope", "Scope", "Alt+1", create<ScopeView>},
    ViewRow{"diagnosis", "Diagnosis", "Alt+2", create<DiagnosisView>},
    ViewRow{"advice", "Advice", "Alt+9", create<AdviceView>},
    ViewRow{"properties", "Properties", "Alt+3", create<ConnectionPropertiesView>},
    ViewRow{"settings", "Settings", "Alt+Q", create<SettingsView>},
    ViewRow{"variables", "All variables", "Alt+4", create<AllVariablesView>},
    ViewRow{"meters", "Meters", "Alt+5", create<MeterView>},
    ViewRow{"packets", "Packets", "Alt+7", create<PacketGraphsView>, true},
    ViewRow{"losses", "Loss bursts", "Alt+8", create<LossBurstsView>, true},
    ViewRow{"events", "Events", "Alt+E", create<EventsView>},
    ViewRow{"problems", "Problems", "Alt+O", create<ProblemsView>},
    ViewRow{"listeners", "Listeners", "Alt+6", create<ListenersView>},
    ViewRow{"checkup", "Check-up", "Alt+0", create<HostCheckupView>},
    ViewRow{"paths", "Paths", "Alt+B", create<PathHistoryView>},
};

}  // namespace

std::span<const ViewRow> viewCatalogue() {
  return kViews;
}

}  // namespace tcpscope
