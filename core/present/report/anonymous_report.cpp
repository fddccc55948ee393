#include "core/present/report/anonymous_report.h"

#include <utility>

#include "core/session/anonymizer.h"
#include "core/session/capture/captured_packets.h"

namespace tcpscope {

namespace {

class ReportAnonymizer {
public:
  ReportModel hidden(const ReportModel& report) {
    ReportModel other = report;
    other.isAnonymous = true;
    if (other.recording) {
      // The comment is free text and may contain any name; the program may name its packager and the kernel.
      other.recording->note = {};
      other.recording->program = {};
    }
    // Its name may be a customer's; the hash leads to the file, which has the names.
    if (other.cover.file) {
      other.cover.file->name = {};
      other.cover.file->sha256.clear();
    }
    for (Place& place : other.places) m_anonymizer.hide(place);
    for (ReportedConnection& connection : other.connections) {
      connection.detail = hidden(*connection.detail);
      for (MeasuredChange& change : connection.changes) m_anonymizer.hide(change.mark);
    }
    for (ListenerRow& listener : other.listeners) m_anonymizer.hide(listener);
    if (other.checkup) {
      for (CheckRow& row : *other.checkup) hide(row);
    }
    return other;
  }

private:
  void hide(CheckRow& row) {
    if (row.id == CheckId::hops || row.id == CheckId::pathMtu) {
      row.object = m_anonymizer.other(row.object);
      for (PathHop& hop : row.hops) {
        if (!hop.address) continue;
        Endpoint router{*hop.address, 0};
        m_anonymizer.hide(router);
        hop.address = router.address;
      }
      return;
    }
    row.object =
        row.layer == CheckLayer::application ? m_anonymizer.program(row.object) : m_anonymizer.interface(row.object);
    // What these name is the user's own: routes, devices, programs.
    for (const CheckId id : {CheckId::tunnel, CheckId::defaultRoute, CheckId::routeSettings, CheckId::busNeighbours,
                             CheckId::oneThread, CheckId::processorWait, CheckId::diskWait}) {
      if (row.id != id) continue;
      for (UntrustedText& one : row.names) one = m_anonymizer.other(one);
    }
  }

  std::shared_ptr<const ConnectionDetail> hidden(const ConnectionDetail& detail) {
    auto other = std::make_shared<ConnectionDetail>(detail);
    m_anonymizer.hide(*other);
    if (detail.packets) other->packets = hidden(*detail.packets);
    return other;
  }

  std::shared_ptr<const CapturedPackets> hidden(const CapturedPackets& packets) {
    auto other = std::make_shared<CapturedPackets>();
    other->series = packets.series.since(packets.series.firstTime());
    other->analysis = packets.analysis;
    other->initiator = packets.initiator;
    other->live = packets.live;
    m_anonymizer.hide(other->analysis.flow.initiator);
    m_anonymizer.hide(other->analysis.flow.responder);
    return other;
  }

  Anonymizer m_anonymizer;
};

}  // namespace

ReportModel anonymous(const ReportModel& report) {
  return ReportAnonymizer().hidden(report);
}

ReportPair anonymous(const ReportPair& pair) {
  ReportAnonymizer anonymizer;
  ReportModel first = anonymizer.hidden(pair.first);
  return {std::move(first), anonymizer.hidden(pair.second), pair.goodput};
}

}  // namespace tcpscope
