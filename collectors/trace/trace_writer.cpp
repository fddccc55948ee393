#include "collectors/trace/trace_writer.h"

#include <algorithm>
#include <array>

#include "collectors/trace/socket_record.h"
#include "collectors/trace/wire_bytes.h"

namespace tcpscope {

namespace {

/// Things of one frame; the longest of them, an owner with three long texts, still fits 16 times into a payload.
constexpr std::size_t kSocketsPerFrame = 256;
/// The number of a network namespace and a kind.
constexpr std::size_t kMaxNamespacePrefix = 5;
constexpr std::size_t kClosedPerFrame = 256;
constexpr std::size_t kOwnersPerFrame = 16;
constexpr std::size_t kGapsPerFrame = 256;
/// With the longest payload each they fill half of a frame.
constexpr std::size_t kEventsPerFrame = 128;

constexpr bool kIsLittleEndian = std::endian::native == std::endian::little;

void text(WireWriter& writer, const UntrustedText& value) {
  writer.text(value.rawBytes());
}

void optionalText(WireWriter& writer, const std::optional<UntrustedText>& value) {
  writer.flag(value.has_value());
  if (value) text(writer, *value);
}

/// Calls `write` with runs of at most `size` elements.
template <class Element, class Write>
void inRuns(std::span<const Element> all, std::size_t size, Write&& write) {
  for (; !all.empty(); all = all.subspan(std::min(size, all.size()))) write(all.first(std::min(size, all.size())));
}

/// Of those sockets of which the option is known.
template <class Option, class Write>
void writeFurtherOptions(WireWriter& writer, std::span<const LiveOptionsObservation> sockets,
                         std::optional<Option> LiveOptions::*option, Write&& write) {
  const auto isKnown = [option](const LiveOptionsObservation& one) { return (one.options.*option).has_value(); };
  writer.count(static_cast<std::uint64_t>(std::count_if(sockets.begin(), sockets.end(), isKnown)));
  for (const LiveOptionsObservation& one : sockets) {
    if (!isKnown(one)) continue;
    writer.number(one.id.cookie);
    write(*(one.options.*option));
  }
}

}  // namespace

void TraceWriter::finish(FrameKind kind) {
  if (m_namespace) {
    std::vector<std::byte> whose;
    WireWriter writer(whose);
    writer.number(*m_namespace);
    writer.number(static_cast<std::uint8_t>(kind));
    m_payload.insert(m_payload.begin(), whose.begin(), whose.end());
    kind = FrameKind::inNamespace;
  }
  appendFrame(m_out, kind, m_payload);
  m_payload.clear();
}

void TraceWriter::write(const TraceHello& hello) {
  WireWriter writer(m_payload);
  writer.flag(kIsLittleEndian);
  writer.number(hello.capabilities);
  writer.moment(hello.clock.monotonic);
  writer.moment(hello.clock.wall);
  text(writer, hello.place.host);
  writer.text(hello.place.bootId);
  writer.text(hello.place.networkNamespace);
  text(writer, hello.place.kernel);
  text(writer, hello.program);
  finish(FrameKind::hello);
}

void TraceWriter::write(const TraceAbout& about) {
  WireWriter writer(m_payload);
  writer.number(about.recording);
  writer.number(about.piece);
  text(writer, about.note);
  finish(FrameKind::about);
}

void TraceWriter::write(const HostFacts& facts) {
  // The count of a list takes ten bytes at most, as do those of two texts.
  std::size_t room = kMaxPayloadBytes - kMaxNamespacePrefix - 10;
  const auto last = std::find_if(facts.begin(), facts.end(), [&room](const HostFact& fact) {
    const std::size_t bytes = 20 + fact.key.rawBytes().size() + fact.value.rawBytes().size();
    if (bytes > room) return true;
    room -= bytes;
    return false;
  });
  if (last == facts.begin()) return;
  WireWriter writer(m_payload);
  writer.count(static_cast<std::size_t>(last - facts.begin()));
  std::for_each(facts.begin(), last, [&writer](const HostFact& fact) {
    text(writer, fact.key);
    text(writer, fact.value);
  });
  finish(FrameKind::hostFacts);
}

void TraceWriter::write(const ObservationBatch& batch) {
  const bool hasMore = !batch.closed.empty() || !batch.owners.empty() || !batch.liveOptions.empty() ||
                       !batch.retransmissions.empty() || batch.reportsRetransmissions || !batch.events.empty() ||
                       !batch.changeMarks.empty() || !batch.gaps.empty();
  const DumpEnd end{batch.unchanged, batch.dumpEndedAt};
  std::span<const SocketObservation> sockets(batch.changed);
  // The last run carries the end, unless something else comes in between.
  const std::size_t tail = hasMore || sockets.empty() ? 0 : (sockets.size() - 1) % kSocketsPerFrame + 1;
  inRuns(sockets.first(sockets.size() - tail), kSocketsPerFrame,
         [&](std::span<const SocketObservation> run) { writeSockets(batch.rate, run, {}); });
  writeClosed(batch.closed);
  writeOwners(batch);
  writeRetransmissions(batch);
  writeEvents(batch.events);
  for (const ChangeMark& mark : batch.changeMarks) write(mark);
  writeGaps(batch.gaps);
  if (tail > 0 || end.at || end.unchanged > 0) writeSockets(batch.rate, sockets.last(tail), end);
}

void TraceWriter::write(const ObservationBatch& batch, std::uint32_t networkNamespace) {
  if (batch.turn != PlaceTurn::none) writeTurn(batch, networkNamespace);
  m_namespace = networkNamespace;
  if (batch.settings) write(hostFacts(*batch.settings));
  write(batch);
  m_namespace.reset();
}

void TraceWriter::writeTurn(const ObservationBatch& batch, std::uint32_t networkNamespace) {
  WireWriter writer(m_payload);
  writer.number(networkNamespace);
  writer.flag(batch.turn == PlaceTurn::appeared);
  if (batch.appeared) {
    writer.text(batch.appeared->networkNamespace);
    writer.text(batch.appeared->container);
  }
  finish(FrameKind::namespaceTurn);
}

void TraceWriter::writeSockets(SampleRate rate, std::span<const SocketObservation> sockets, const DumpEnd& end) {
  WireWriter writer(m_payload);
  writer.flag(rate == SampleRate::focus);
  writer.count(end.unchanged);
  writer.flag(end.at.has_value());
  if (end.at) writer.moment(*end.at);
  writer.count(sockets.size());
  for (const SocketObservation& socket : sockets) appendSocketRecord(m_payload, socket);
  finish(FrameKind::sockets);
}

void TraceWriter::writeClosed(std::span<const ClosedSocket> closed) {
  inRuns(closed, kClosedPerFrame, [this](std::span<const ClosedSocket> run) {
    WireWriter writer(m_payload);
    writer.count(run.size());
    for (const ClosedSocket& one : run) {
      writer.number(one.id.cookie);
      writer.moment(one.closedAt);
      writer.flag(one.last.has_value());
      if (one.last) appendSocketRecord(m_payload, *one.last);
    }
    finish(FrameKind::closed);
  });
}

void TraceWriter::writeOwners(const ObservationBatch& batch) {
  inRuns(std::span<const OwnerObservation>(batch.owners), kOwnersPerFrame, [this](auto run) {
    WireWriter writer(m_payload);
    writer.count(run.size());
    for (const OwnerObservation& one : run) {
      writer.number(one.id.cookie);
      writer.number(static_cast<std::uint32_t>(one.owner.pid));
      text(writer, one.owner.processName);
      optionalText(writer, one.owner.userName);
      optionalText(writer, one.owner.unitOrContainer);
    }
    writer.count(0);
    finish(FrameKind::owner);
  });
  inRuns(std::span<const LiveOptionsObservation>(batch.liveOptions), kSocketsPerFrame, [this](auto run) {
    WireWriter writer(m_payload);
    writer.count(0);
    writer.count(run.size());
    for (const LiveOptionsObservation& one : run) {
      writer.number(one.id.cookie);
      writer.flag(one.options.locks.sendBuffer);
      writer.flag(one.options.locks.receiveBuffer);
    }
    writeFurtherOptions(writer, run, &LiveOptions::nagle, [&writer](const NagleOptions& nagle) {
      writer.flag(nagle.noDelay);
      writer.flag(nagle.cork);
    });
    // No waits of programs.
    writer.count(0);
    writeFurtherOptions(writer, run, &LiveOptions::userTimeout, [&writer](Milliseconds timeout) {
      writer.number(static_cast<std::uint32_t>(timeout.count()));
    });
    finish(FrameKind::owner);
  });
  inRuns(std::span<const ProgramWaitsObservation>(batch.programWaits), kSocketsPerFrame, [this](auto run) {
    WireWriter writer(m_payload);
    // No owners, no options.
    for (int list = 0; list < 3; ++list) writer.count(0);
    writer.count(run.size());
    for (const ProgramWaitsObservation& one : run) {
      writer.number(one.id.cookie);
      appendProgramWaits(writer, one.waits);
    }
    // No timeouts of programs.
    writer.count(0);
    writer.count(run.size());
    for (const ProgramWaitsObservation& one : run) {
      writer.number(one.id.cookie);
      appendProgramLoad(writer, one.waits);
    }
    finish(FrameKind::owner);
  });
}

void TraceWriter::writeRetransmissions(const ObservationBatch& batch) {
  const auto write = [&](std::span<const RetransmissionEvent> run) {
    WireWriter writer(m_payload);
    writer.flag(batch.reportsRetransmissions);
    writer.count(run.size());
    for (const RetransmissionEvent& one : run) {
      writer.moment(one.at);
      appendEndpoint(writer, one.local);
      appendEndpoint(writer, one.remote);
    }
    finish(FrameKind::retransmissions);
  };
  if (batch.retransmissions.empty() && batch.reportsRetransmissions) write({});
  inRuns(std::span<const RetransmissionEvent>(batch.retransmissions), kSocketsPerFrame, write);
}

void TraceWriter::writeEvents(std::span<const SourceEvent> events) {
  inRuns(events, kEventsPerFrame, [this](std::span<const SourceEvent> run) {
    WireWriter writer(m_payload);
    writer.count(run.size());
    for (const SourceEvent& one : run) {
      writer.text(std::string_view(one.source).substr(0, kMaxSourceName));
      writer.moment(one.at);
      appendEndpoint(writer, one.local);
      appendEndpoint(writer, one.remote);
      writer.text(name(one.kind));
      writer.count(one.count);
      const auto payload = std::span(one.payload).first(std::min(one.payload.size(), kMaxEventPayload));
      writer.count(payload.size());
      writer.bytes(payload);
    }
    finish(FrameKind::sourceEvents);
  });
}

void TraceWriter::writeGaps(std::span<const CollectionGap> gaps) {
  inRuns(gaps, kGapsPerFrame, [this](std::span<const CollectionGap> run) {
    WireWriter writer(m_payload);
    writer.count(run.size());
    for (const CollectionGap& gap : run) {
      writer.number(static_cast<std::uint8_t>(gap.kind));
      writer.count(gap.count);
    }
    finish(FrameKind::gap);
  });
}

void TraceWriter::write(const ConnectionEvent& event) {
  WireWriter writer(m_payload);
  writer.number(event.id.cookie);
  writer.moment(event.event.time);
  writer.text(name(event.event.kind));
  writer.count(event.event.count);
  finish(FrameKind::event);
}

void TraceWriter::write(const ChangeMark& mark) {
  WireWriter writer(m_payload);
  writer.moment(mark.time);
  writer.number(mark.connection ? mark.connection->cookie : std::uint64_t{0});
  text(writer, mark.key);
  text(writer, mark.before);
  text(writer, mark.after);
  finish(FrameKind::changeMark);
}

void TraceWriter::write(const IntervalRequest& request) {
  WireWriter writer(m_payload);
  writer.count(static_cast<std::uint64_t>(std::max<std::int64_t>(0, request.list.count())));
  writer.count(static_cast<std::uint64_t>(std::max<std::int64_t>(0, request.focus.count())));
  finish(FrameKind::interval);
}

void TraceWriter::write(const FilterRequest& request) {
  WireWriter writer(m_payload);
  writer.number(request.stateMask);
  writer.text(request.text);
  finish(FrameKind::filter);
}

void TraceWriter::write(const FocusRequest& request) {
  WireWriter writer(m_payload);
  writer.flag(request.socket.has_value());
  if (request.socket) {
    writer.number(request.socket->id.cookie);
    appendEndpoint(writer, request.socket->local);
    appendEndpoint(writer, request.socket->remote);
    writer.number(request.socket->interfaceIndex);
    writer.flag(request.networkNamespace.has_value());
    if (request.networkNamespace) writer.number(*request.networkNamespace);
  }
  finish(FrameKind::focus);
}

void TraceWriter::write(const StopRequest& /*request*/) {
  finish(FrameKind::stop);
}

}  // namespace tcpscope
