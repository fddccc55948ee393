#include "ui/models/connection_properties.h"

#include "core/present/text/exchange_text.h"
#include "core/present/text/flow_text.h"
#include "core/present/text/quantity_text.h"
#include "core/session/capture/captured_packets.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"

namespace tcpscope {

namespace {

QString metricText(const ConnectionDetail& detail, Metric metric) {
  const std::optional<double> value = metricRow(metric).read({detail.socket, &detail.interval});
  return value ? toQString(formatMetric(metric, *value)) : QStringLiteral("not reported");
}

ConnectionProperty metricProperty(const ConnectionDetail& detail, Metric metric) {
  const MetricRow& row = metricRow(metric);
  return {toQString(row.title), metricText(detail, metric), toQString(row.explanation)};
}

QString senderText(const ConnectionDetail& detail) {
  // A capture has a diagnosis of either direction, whatever it carried.
  const bool sends = detail.diagnosis.sending && detail.row.sentBytes != 0.0F;
  const bool receives = detail.diagnosis.receiving && detail.row.receivedBytes != 0.0F;
  if (!sends && !receives) return QStringLiteral("no data transferred yet");
  const QString bulk =
      detail.row.bulk == Side::sending ? QStringLiteral("the local end sends") : QStringLiteral("the peer sends");
  return sends && receives ? QStringLiteral("%1 most of the data; both ends send").arg(bulk) : bulk;
}

PropertySection endsSection(const ConnectionDetail& detail, const SessionSnapshot& snapshot) {
  PropertySection section{QStringLiteral("Connection"), {}};
  auto& rows = section.properties;
  rows.push_back(
      {QStringLiteral("Local"), toQString(detail.socket.local.toString()), QStringLiteral("Local address and port.")});
  rows.push_back({QStringLiteral("Remote"), toQString(detail.socket.remote.toString()),
                  QStringLiteral("Remote address and port.")});
  rows.push_back(
      {QStringLiteral("State"), toQString(name(detail.socket.state)), QStringLiteral("TCP state (RFC 9293).")});
  rows.push_back(
      {QStringLiteral("Direction"), senderText(detail),
       QStringLiteral(
           "Which end sends the data. The limits of the sending and the receiving end are diagnosed separately.")});
  rows.push_back({QStringLiteral("First observed"), wallText(snapshot.clock, detail.row.firstSeen),
                  QStringLiteral("When tcpscope first observed it; the connection may be older.")});
  if (detail.row.closed)
    rows.push_back({QStringLiteral("Closed at"), wallText(snapshot.clock, detail.row.closedAt),
                    QStringLiteral("When the socket was destroyed.")});
  rows.push_back({QStringLiteral("ID in JSON"), toQString(detail.row.id.toString()),
                  QStringLiteral("Host and the kernel's socket cookie: constant for the lifetime of the connection.")});
  return section;
}

PropertySection ownerSection(const ConnectionDetail& detail) {
  PropertySection section{QStringLiteral("Owner"), {}};
  auto& rows = section.properties;
  if (detail.owner == nullptr) {
    rows.push_back(
        {QStringLiteral("Process"), QStringLiteral("unknown"),
         QStringLiteral("The process belongs to another user, or it has exited while its socket still exists.")});
    rows.push_back({QStringLiteral("User"), QStringLiteral("UID %1").arg(detail.socket.userId),
                    QStringLiteral("Owner of the socket.")});
    return section;
  }
  rows.push_back(
      {QStringLiteral("Process"), plainText(detail.owner->processName), QStringLiteral("Name as in /proc/PID/comm.")});
  rows.push_back({QStringLiteral("PID"), QString::number(detail.owner->pid), {}});
  rows.push_back(
      {QStringLiteral("User"),
       detail.owner->userName ? plainText(*detail.owner->userName) : QStringLiteral("UID %1").arg(detail.socket.userId),
       QStringLiteral("Owner of the socket.")});
  rows.push_back({QStringLiteral("Unit or container"),
                  detail.owner->unitOrContainer ? plainText(*detail.owner->unitOrContainer) : QStringLiteral("none"),
                  QStringLiteral("The systemd unit or the container that the process runs in.")});
  return section;
}

QString yesOrNo(bool yes) {
  return yes ? QStringLiteral("yes") : QStringLiteral("no");
}

PropertySection negotiatedSection(const ConnectionDetail& detail) {
  PropertySection section{QStringLiteral("TCP options"), {}};
  auto& rows = section.properties;
  const TcpInfoSample& info = detail.socket.info;
  if (const auto options = info.options()) {
    rows.push_back({QStringLiteral("Selective acknowledgments"), yesOrNo(options->sack()),
                    QStringLiteral("SACK (RFC 2018): the receiver reports which data arrived beyond a gap.")});
    rows.push_back({QStringLiteral("Timestamps"), yesOrNo(options->timestamps()),
                    QStringLiteral("RFC 7323: better RTT samples, and protection against old duplicates (PAWS).")});
    rows.push_back({QStringLiteral("Window scaling"), yesOrNo(options->windowScale()),
                    QStringLiteral("RFC 7323: without it no window exceeds 64 KiB.")});
    rows.push_back({QStringLiteral("Explicit congestion notification"),
                    options->ecn() ? (options->ecnSeen() ? QStringLiteral("yes, and ECN-marked packets arrived")
                                                         : QStringLiteral("yes"))
                                   : QStringLiteral("no"),
                    QStringLiteral("ECN (RFC 3168): routers may mark packets instead of dropping them.")});
    if (options->windowScale()) {
      const auto scale = [](std::optional<Count> shift) {
        return shift ? QStringLiteral("%1 (windows up to %2)")
                           .arg(shift->value())
                           .arg(toQString(formatBytes(65535.0 * static_cast<double>(1ULL << shift->value()))))
                     : QStringLiteral("not reported");
      };
      rows.push_back({QStringLiteral("Peer window scale"), scale(info.sndWscale()),
                      QStringLiteral("Shift count that the peer announced.")});
      rows.push_back({QStringLiteral("Local window scale"), scale(info.rcvWscale()),
                      QStringLiteral("Shift count that the local end announced.")});
    }
  } else {
    rows.push_back({QStringLiteral("Options"), QStringLiteral("not reported"),
                    QStringLiteral("The kernel reports none in this state.")});
  }
  for (const Metric metric : {Metric::sndMss, Metric::rcvMss, Metric::advmss, Metric::pmtu})
    rows.push_back(metricProperty(detail, metric));
  return section;
}

QString userTimeoutText(const std::optional<Milliseconds>& timeout) {
  if (!timeout) return QStringLiteral("unknown");
  return *timeout == Milliseconds(0) ? QStringLiteral("not set") : toQString(formatTime(toSeconds(*timeout)));
}

PropertySection controlSection(const ConnectionDetail& detail) {
  PropertySection section{QStringLiteral("Congestion control"), {}};
  auto& rows = section.properties;
  rows.push_back({QStringLiteral("Algorithm"),
                  detail.socket.congestionControl.empty()
                      ? QStringLiteral("not reported")
                      : toQString(forPlainText(detail.socket.congestionControl.text())),
                  QStringLiteral("Controls the congestion window of the local end.")});
  rows.push_back({QStringLiteral("TCP_NODELAY"),
                  !detail.socket.nagle           ? QStringLiteral("unknown")
                  : detail.socket.nagle->cork    ? QStringLiteral("outweighed by TCP_CORK")
                  : detail.socket.nagle->noDelay ? QStringLiteral("set: small writes leave at once")
                                                 : QStringLiteral("not set: Nagle's algorithm may delay small writes"),
                  QStringLiteral("Read from the application's own descriptor, where this is allowed.")});
  for (const Metric metric : {Metric::caState, Metric::sndCwnd, Metric::sndSsthresh, Metric::pacingRate,
                              Metric::maxPacingRate, Metric::minRtt, Metric::rto})
    rows.push_back(metricProperty(detail, metric));
  rows.push_back({QStringLiteral("TCP_USER_TIMEOUT"), userTimeoutText(detail.socket.userTimeout),
                  QStringLiteral("After so long without an acknowledgment the kernel ends the connection; where it is "
                                 "not set, net.ipv4.tcp_retries2 decides. Read as TCP_NODELAY is.")});
  return section;
}

/// A capture's: nothing of it is known from a kernel.
bool isOfPacketsAlone(const ConnectionDetail& detail) {
  return detail.packets != nullptr && detail.socket.info.empty();
}

PropertySection wireSection(const ConnectionDetail& detail) {
  const ConnectionSummary& flow = detail.packets->analysis.flow;
  const std::string opening = openingTimes(flow);
  return {
      QStringLiteral("On the wire"),
      {{QStringLiteral("TCP options"), toQString(negotiated(flow)),
        QStringLiteral("What both ends offered in their SYNs.")},
       {QStringLiteral("Opening"),
        opening.empty() ? QStringLiteral("unknown: the capture does not hold the whole handshake") : toQString(opening),
        QStringLiteral("From the first SYN to the end of the handshake, and to the first data of the end that did not "
                       "open the connection.")},
       {QStringLiteral("Vantage point"), toQString(capturedWhere(flow)),
        QStringLiteral("Derived from the times of packets and acknowledgments.")}}};
}

PropertySection exchangeSection(const ExchangeSummary& exchanges) {
  return {
      QStringLiteral("Requests and responses"),
      {{QStringLiteral("Exchanges"), toQString(shares(exchanges)),
        QStringLiteral("An exchange is data of the client, then data of the server. Its time is split at the "
                       "vantage point; the quickest answer of each end counts as the network's part.")},
       {QStringLiteral("Response time"), toQString(responseTimes(exchanges)),
        QStringLiteral("From the end of a request to the beginning of its response, without the network's part.")}}};
}

QString locked(const SocketObservation& socket, bool BufferLocks::*which) {
  if (!socket.bufferLocks) return QStringLiteral("unknown whether set with SO_SNDBUF / SO_RCVBUF");
  return *socket.bufferLocks.*which ? QStringLiteral("set with SO_SNDBUF / SO_RCVBUF: autotuning is off")
                                    : QStringLiteral("autotuned");
}

PropertySection bufferSection(const ConnectionDetail& detail) {
  PropertySection section{QStringLiteral("Buffers"), {}};
  auto& rows = section.properties;
  rows.push_back({QStringLiteral("Send buffer"),
                  QStringLiteral("%1, %2").arg(metricText(detail, Metric::memorySendBuffer),
                                               locked(detail.socket, &BufferLocks::sendBuffer)),
                  QStringLiteral("Kernel memory including overhead: about half of it holds data.")});
  rows.push_back({QStringLiteral("Receive buffer"),
                  QStringLiteral("%1, %2").arg(metricText(detail, Metric::memoryReceiveBuffer),
                                               locked(detail.socket, &BufferLocks::receiveBuffer)),
                  QStringLiteral("Kernel memory including overhead: about half of it can be advertised as window.")});
  for (const Metric metric : {Metric::sendQueue, Metric::receiveQueue, Metric::sndWnd, Metric::rcvWnd})
    rows.push_back(metricProperty(detail, metric));
  return section;
}

}  // namespace

std::vector<QString> missingThings(const ConnectionDetail& detail) {
  std::vector<QString> sentences;
  const TcpInfoSample& info = detail.socket.info;
  if (isOfPacketsAlone(detail)) {
    sentences.push_back(QStringLiteral(
        "A capture holds what was on the wire, not what the kernels and applications of both ends knew."));
    return sentences;
  }
  if (info.empty()) {
    sentences.push_back(QStringLiteral("The kernel reports no TCP_INFO for a connection in this state."));
    return sentences;
  }
  if (const auto options = info.options()) {
    if (!options->sack())
      sentences.push_back(
          QStringLiteral("SACK was not negotiated: each further loss within an RTT costs another RTT, or an RTO."));
    if (!options->timestamps())
      sentences.push_back(
          QStringLiteral("Timestamps were not negotiated: there are fewer RTT samples, and spurious retransmissions "
                         "are detected less reliably."));
    if (!options->windowScale())
      sentences.push_back(QStringLiteral("Window scaling was not negotiated: at most 64 KiB can be in flight."));
  }
  if (!info.busyTime())
    sentences.push_back(
        QStringLiteral("The kernel does not report what limits the sender (busy_time, rwnd_limited and sndbuf_limited "
                       "need Linux 4.10): verdicts about the sending side are weaker."));
  if (!info.sndWnd())
    sentences.push_back(
        QStringLiteral("The kernel does not report the peer's receive window (snd_wnd needs Linux 5.4)."));
  if (!info.rcvWnd())
    sentences.push_back(
        QStringLiteral("The kernel does not report the local receive window (rcv_wnd needs Linux 6.2)."));
  if (!detail.socket.memory)
    sentences.push_back(QStringLiteral("The kernel did not report the memory of this socket (SK_MEMINFO)."));
  if (!detail.socket.bufferLocks)
    sentences.push_back(QStringLiteral(
        "Whether the application set its buffers is unknown: inspecting the process takes its owner or root."));
  if (detail.owner == nullptr)
    sentences.push_back(QStringLiteral("The owner is unknown: only root sees other users' processes."));
  return sentences;
}

std::vector<PropertySection> connectionProperties(const ConnectionDetail& detail, const SessionSnapshot& snapshot) {
  std::vector<PropertySection> sections = {endsSection(detail, snapshot)};
  if (isOfPacketsAlone(detail)) {
    sections.push_back(wireSection(detail));
  } else {
    sections.insert(sections.end(),
                    {negotiatedSection(detail), ownerSection(detail), controlSection(detail), bufferSection(detail)});
  }
  if (detail.packets && detail.packets->analysis.exchanges) {
    sections.push_back(exchangeSection(*detail.packets->analysis.exchanges));
  }
  return sections;
}

}  // namespace tcpscope
