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
#include "ui/views/probe/probe_view.h"
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
    ViewRow{"scope", "Scope", "Alt+1", create<ScopeView>,
            "The variables of the selected connection over time, each with a scale of its own. It begins with "
            "the traces that show what the verdict is about; the table below chooses others, and All variables "
            "adds any of them.\n\n"
            "Wheel and drag zoom and move the time axis. The pointer reads every trace; two cursors (A, B) "
            "measure the span between them, which Diagnosis then judges. Space stops the picture, recording "
            "goes on behind it.\n\n"
            "A trigger (T) waits for an event, a level or any connection that begins to match a filter, and holds the "
            "picture there, with what was before it. "
            "Marks are events of the connection; Events lists them and leads to their packets."},
    ViewRow{"diagnosis", "Diagnosis", "Alt+2", create<DiagnosisView>,
            "What limits the selected connection, now and over time. The verdict names the limit and its cause "
            "with its confidence and the figures that it rests on; what is not known is said to be unknown.\n\n"
            "The pie and the strip show which share of the time each limit applied. The bounds show how fast "
            "the connection could be if one limit alone applied. Each direction is judged on its own.\n\n"
            "Findings lead to their packets (P) where a capture has them. What to change stands in Advice."},
    ViewRow{"advice", "Advice", "Alt+9", create<AdviceView>,
            "What to change so that the selected connection becomes faster, the largest gain first, with the "
            "commands to copy and the expected gain of each.\n\n"
            "Preview shows every value before and after. Apply changes it, measures the rate before and after "
            "with a confidence interval, and keeps an undo; a change of a running program is on trial and goes "
            "back by default.\n\n"
            "Where no setting helps, it says so and why."},
    ViewRow{"properties", "Properties", "Alt+3", create<ConnectionPropertiesView>,
            "The selected connection as a whole: who owns it, what was negotiated when it opened (MSS, window "
            "scaling, SACK, timestamps, ECN), its buffers and what of it is not known."},
    ViewRow{"settings", "Settings", "Alt+Q", create<SettingsView>,
            "Every socket option of the selected connection and every sysctl of its host that bears on TCP: "
            "value, allowed range, who set it.\n\n"
            "A change is previewed, applied on trial, measured and undone here. The slider of a buffer, a clamp "
            "or a pacing rate tries its values while it moves; the end of the trial restores the original."},
    ViewRow{"variables", "All variables", "Alt+4", create<AllVariablesView>,
            "Every variable that the kernel reports of the selected connection, with unit and explanation. The "
            "field above filters by name. A double click adds the variable to the scope as a trace; the menu "
            "also opens it as a meter."},
    ViewRow{"meters", "Meters", "Alt+5", create<MeterView>,
            "Variables of the selected connection as large numbers, to be read from afar. All variables adds "
            "more of them."},
    ViewRow{"packets", "Packets", "Alt+7", create<PacketGraphsView>,
            "The packets of the selected connection, from a capture file or captured live: sequence numbers, "
            "RTTs, windows, bytes in flight and rates over time.\n\n"
            "Click a packet to read its flags, times and the cause of a retransmission; R goes to the next "
            "retransmission, Period to the next packet, G to a frame number. The list beside the graph has all "
            "of them. W opens Wireshark at the packet.\n\n"
            "For a live connection, Capture packets in the Connection menu fills this view.",
            true},
    ViewRow{"losses", "Loss bursts", "Alt+8", create<LossBurstsView>,
            "Do the losses of the selected connection cluster? The plot has the times between losses in units "
            "of RTT against what chance would give (Poisson); the sentences say whether chance is rejected.\n\n"
            "Losses in bursts point to full queues or policers, single ones at random to a faulty link. A click "
            "on a bar marks its packets, P leads to them. Lines below name packets that this host dropped, with "
            "the kernel's reason.",
            true},
    ViewRow{
        "probe", "Probe", "Alt+U", create<ProbeView>,
        "How a path loses packets, measured with packets of its own: UDP at a constant rate from this host to "
        "a listener, first packets of 48 bytes, then as many of 400. The other end is HOST:PORT, where "
        "'tcpscope-cli probe --listen' runs, or ssh://HOST, where it is started for the measurement.\n\n"
        "The line below the fields says what Start sends; until then nothing is sent, and Cancel ends it. Packets of a "
        "connection come in its own bursts; those of a probe do not, so that its losses show the path alone.\n\n"
        "The plot has the density of the times between losses, in units of RTT, beside that of a Poisson "
        "process of the same rate: losses in bursts stand far above it at the left. The measurement does not "
        "count where the two sizes differ in loss, or where the counters or clocks of both ends disagree."},
    ViewRow{"events", "Events", "Alt+E", create<EventsView>,
            "What happened to the selected connection, the newest first: retransmissions, timeouts (RTO), zero "
            "windows, drops of the congestion window, packets that the host dropped, changes of state and of "
            "settings. The same events are marks in the scope. P leads to the packets of an event."},
    ViewRow{"problems", "Problems", "Alt+O", create<ProblemsView>,
            "What needs attention on all hosts in view, the worst first: slow connections by cause, listeners "
            "that lose connections, attempts without answer, settings. Activate a line to select the connection "
            "that it is about."},
    ViewRow{"listeners", "Listeners", "Alt+6", create<ListenersView>,
            "The programs that accept connections, those that lose some first: length of the accept queue "
            "against its limit, and connections dropped because it was full."},
    ViewRow{"checkup", "Check-up", "Alt+0", create<HostCheckupView>,
            "What limits TCP on this host, layer by layer, the lower ones first: cable and device, interrupts, "
            "queues, routes, MTU, buffers, sysctls. Each row has what was found, why it matters and what to do.\n\n"
            "It checks the host that tcpscope runs on or, while a connection of a host behind ssh is selected, "
            "that one. For a selected connection it also checks its process and, where asked, the path to its peer "
            "with its hops."},
    ViewRow{"paths", "Paths", "Alt+B", create<PathHistoryView>,
            "What each path to another network has shown over days: RTT, rate, losses, and the buffers that the "
            "next connection there needs. The path of the selected connection is described below. It fills "
            "while live connections are in view."},
};

}  // namespace

std::span<const ViewRow> viewCatalogue() {
  return kViews;
}

}  // namespace tcpscope
