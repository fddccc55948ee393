#include "ui/models/connection_properties.h"

#include <QCoreApplication>

#include "core/present/text/flow_text.h"
#include "core/present/text/sentences.h"
#include "core/session/capture/captured_packets.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"

namespace tcpscope {

namespace {

QString say(const char* text) {
  return QCoreApplication::translate("ConnectionProperties", text);
}

QString metricText(const ConnectionDetail& detail, Metric metric) {
  const std::optional<double> value = metricRow(metric).read({detail.socket, &detail.interval});
  return value ? toQString(formatMetric(metric, *value)) : say("not reported");
}

ConnectionProperty metricProperty(const ConnectionDetail& detail, Metric metric) {
  const MetricRow& row = metricRow(metric);
  return {toQString(row.title), metricText(detail, metric), toQString(row.explanation)};
}

QString senderText(const ConnectionDetail& detail) {
  const bool sends = detail.diagnosis.sending.has_value();
  const bool receives = detail.diagnosis.receiving.has_value();
  if (!sends && !receives) return say("no data has moved yet");
  const QString bulk = detail.row.bulk == Side::sending ? say("this end sends") : say("the other end sends");
  return sends && receives ? say("%1 the bulk; data moves both ways").arg(bulk) : bulk;
}

PropertySection endsSection(const ConnectionDetail& detail, const SessionSnapshot& snapshot) {
  PropertySection section{say("Connection"), {}};
  auto& rows = section.properties;
  rows.push_back({say("Local"), toQString(detail.socket.local.toString()), say("Address and port of this end.")});
  rows.push_back(
      {say("Remote"), toQString(detail.socket.remote.toString()), say("Address and port of the other end.")});
  rows.push_back({say("State"), toQString(name(detail.socket.state)), say("State of the connection (RFC 9293).")});
  rows.push_back(
      {say("Sender"), senderText(detail),
       say("Which end sends the data: the limits of the sending end and of the receiving end are judged each "
           "on their own.")});
  rows.push_back({say("First seen"), wallText(snapshot.clock, detail.row.firstSeen),
                  say("When tcpscope saw it first; the connection may be older.")});
  if (detail.row.closed)
    rows.push_back({say("Gone since"), wallText(snapshot.clock, detail.row.closedAt), say("When the socket ended.")});
  rows.push_back({say("Name in documents"), toQString(detail.row.id.toString()),
                  say("Place and the kernel's socket cookie: stays the same while the connection lives.")});
  return section;
}

PropertySection ownerSection(const ConnectionDetail& detail) {
  PropertySection section{say("Owner"), {}};
  auto& rows = section.properties;
  if (detail.owner == nullptr) {
    rows.push_back({say("Process"), say("not known"),
                    say("The process belongs to another user, or it has ended while its socket lives on.")});
    rows.push_back({say("User"), say("number %1").arg(detail.socket.userId), say("Owner of the socket.")});
    return section;
  }
  rows.push_back({say("Process"), plainText(detail.owner->processName), say("Name as /proc gives it.")});
  rows.push_back({say("Process number"), QString::number(detail.owner->pid), {}});
  rows.push_back(
      {say("User"),
       detail.owner->userName ? plainText(*detail.owner->userName) : say("number %1").arg(detail.socket.userId),
       say("Owner of the socket.")});
  rows.push_back({say("Unit or container"),
                  detail.owner->unitOrContainer ? plainText(*detail.owner->unitOrContainer) : say("none"),
                  say("The systemd unit or the container that the process runs in.")});
  return section;
}

QString agreed(bool yes) {
  return yes ? say("yes") : say("no");
}

PropertySection negotiatedSection(const ConnectionDetail& detail) {
  PropertySection section{say("Negotiated at the start"), {}};
  auto& rows = section.properties;
  const TcpInfoSample& info = detail.socket.info;
  if (const auto options = info.options()) {
    rows.push_back({say("Selective acknowledgments"), agreed(options->sack()),
                    say("SACK (RFC 2018): the receiver tells which parts arrived behind a hole.")});
    rows.push_back({say("Timestamps"), agreed(options->timestamps()),
                    say("RFC 7323: better round-trip times, protection against old duplicates.")});
    rows.push_back({say("Window scaling"), agreed(options->windowScale()),
                    say("RFC 7323: without it no window is above 64 KiB.")});
    rows.push_back(
        {say("Explicit congestion notification"),
         options->ecn() ? (options->ecnSeen() ? say("yes, and marked packets arrived") : say("yes")) : say("no"),
         say("ECN (RFC 3168): routers may mark packets instead of dropping them.")});
    if (options->windowScale()) {
      const auto scale = [](std::optional<Count> shift) {
        return shift ? say("%1 (windows up to %2)")
                           .arg(shift->value())
                           .arg(toQString(formatBytes(65535.0 * static_cast<double>(1ULL << shift->value()))))
                     : say("not reported");
      };
      rows.push_back(
          {say("Scale of the peer's window"), scale(info.sndWscale()), say("Shift that the other end gave.")});
      rows.push_back({say("Scale of this end's window"), scale(info.rcvWscale()), say("Shift that this end gave.")});
    }
  } else {
    rows.push_back({say("Options"), say("not reported"), say("The kernel gives none in this state.")});
  }
  for (const Metric metric : {Metric::sndMss, Metric::rcvMss, Metric::advmss, Metric::pmtu})
    rows.push_back(metricProperty(detail, metric));
  return section;
}

PropertySection controlSection(const ConnectionDetail& detail) {
  PropertySection section{say("Congestion control"), {}};
  auto& rows = section.properties;
  rows.push_back({say("Algorithm"),
                  detail.socket.congestionControl.empty()
                      ? say("not reported")
                      : toQString(forPlainText(detail.socket.congestionControl.text())),
                  say("What steers the congestion window of this end.")});
  for (const Metric metric : {Metric::caState, Metric::sndCwnd, Metric::sndSsthresh, Metric::pacingRate,
                              Metric::maxPacingRate, Metric::minRtt, Metric::rto})
    rows.push_back(metricProperty(detail, metric));
  return section;
}

/// A capture's: nothing of it is known from a kernel.
bool isOfPacketsAlone(const ConnectionDetail& detail) {
  return detail.packets != nullptr && detail.socket.info.empty();
}

PropertySection wireSection(const ConnectionDetail& detail) {
  const ConnectionSummary& flow = detail.packets->analysis.flow;
  return {say("On the wire"),
          {{say("Negotiated at the start"), toQString(negotiated(flow)),
            say("What both ends offered in their first packets.")},
           {say("Where"), toQString(capturedWhere(flow)), say("From the times of packets and acknowledgments.")}}};
}

QString locked(const SocketObservation& socket, bool BufferLocks::*which) {
  if (!socket.bufferLocks) return say("not known whether the program fixed it");
  return *socket.bufferLocks.*which ? say("fixed by the program: auto-tuning is off") : say("tuned by the kernel");
}

PropertySection bufferSection(const ConnectionDetail& detail) {
  PropertySection section{say("Buffers"), {}};
  auto& rows = section.properties;
  rows.push_back(
      {say("Send buffer"),
       say("%1, %2").arg(metricText(detail, Metric::memorySendBuffer), locked(detail.socket, &BufferLocks::sendBuffer)),
       say("Kernel memory, bookkeeping included: about half of it is data.")});
  rows.push_back({say("Receive buffer"),
                  say("%1, %2").arg(metricText(detail, Metric::memoryReceiveBuffer),
                                    locked(detail.socket, &BufferLocks::receiveBuffer)),
                  say("Kernel memory, bookkeeping included: about half of it can become window.")});
  for (const Metric metric : {Metric::sendQueue, Metric::receiveQueue, Metric::sndWnd, Metric::rcvWnd})
    rows.push_back(metricProperty(detail, metric));
  return section;
}

}  // namespace

std::vector<QString> missingThings(const ConnectionDetail& detail) {
  std::vector<QString> sentences;
  const TcpInfoSample& info = detail.socket.info;
  if (isOfPacketsAlone(detail)) {
    sentences.push_back(
        say("A capture has what was on the wire: what the kernels and programs of both ends knew is not "
            "in it."));
    return sentences;
  }
  if (info.empty()) {
    sentences.push_back(say("The kernel reports no variables of a connection in this state."));
    return sentences;
  }
  if (const auto options = info.options()) {
    if (!options->sack())
      sentences.push_back(
          say("Selective acknowledgments were not agreed on: more than one loss in a round trip costs "
              "a round trip each, or a timeout."));
    if (!options->timestamps())
      sentences.push_back(
          say("Timestamps were not agreed on: round-trip times are measured less often, and needless "
              "retransmissions are found less surely."));
    if (!options->windowScale())
      sentences.push_back(say("Window scaling was not agreed on: at most 64 KiB can be under way."));
  }
  if (!info.busyTime())
    sentences.push_back(
        say("The kernel keeps no clocks of what limits the sender (Linux 4.10 and later do): verdicts "
            "about the sending side are weaker."));
  if (!info.sndWnd())
    sentences.push_back(say("The kernel does not report the peer's window (Linux 5.4 and later do)."));
  if (!info.rcvWnd())
    sentences.push_back(say("The kernel does not report the window of this end (Linux 6.2 and later do)."));
  if (!detail.socket.memory) sentences.push_back(say("The kernel did not report the memory of this socket."));
  if (!detail.socket.bufferLocks)
    sentences.push_back(
        say("Whether the program fixed its buffers is not known: that needs the right to look at the "
            "process, as its owner or as root."));
  if (detail.owner == nullptr)
    sentences.push_back(say("The owner is not known: processes of other users can be seen only by root."));
  return sentences;
}

std::vector<PropertySection> connectionProperties(const ConnectionDetail& detail, const SessionSnapshot& snapshot) {
  if (isOfPacketsAlone(detail)) return {endsSection(detail, snapshot), wireSection(detail)};
  return {endsSection(detail, snapshot), negotiatedSection(detail), ownerSection(detail), controlSection(detail),
          bufferSection(detail)};
}

}  // namespace tcpscope
