// An agent's stream as a collector like any other: its frames become batches of a place of this session, the session's
// requests go down the other pipe. An agent's connections are shown exactly as local ones.
//
// Moments are mapped from the agent's clock to ours. Damage is a gap; so is the end of the agent, and the place stays
// with what was seen. When the session does not keep up, the pipe fills and the agent pauses, so that nothing is lost
// silently.
#pragma once

#include <functional>
#include <memory>

#include "app/remote/agent_protocol.h"
#include "app/remote/frame_output.h"
#include "app/session/capture_means.h"
#include "collectors/source/collector.h"
#include "collectors/system/owned_descriptor.h"
#include "core/base/system_error.h"

namespace tcpscope {

/// The two pipes of an agent, and the name of its place in messages.
struct AgentPipes {
  std::string name;
  /// Trace frames come out of it.
  int framesDescriptor = -1;
  /// Requests go into it.
  int requestsDescriptor = -1;
  AgentMeans means = AgentMeans::installed;
  /// How packets are captured there; nothing where they cannot be.
  std::optional<CaptureMeans> captures = {};
};

/// What may end a wait early.
struct AgentInterrupt {
  /// Becomes readable when the wait may be over; -1 where nothing ends it.
  int wakeDescriptor = -1;
  /// Asked then; makes the descriptors unreadable again.
  std::function<bool()> isOver;
  /// As the first.
  int secondDescriptor = -1;
};

class AgentCollector final : public Collector {
public:
  static constexpr CollectorDescription kDescription{"agent", "The sockets of another place, through its agent"};

  /// Waits for the hello. Both descriptors are duplicated: the caller's stay his. Fails where the agent ends, says
  /// something else or nothing by the deadline (ETIMEDOUT), or the wait is ended (ECANCELED).
  static Expected<std::unique_ptr<AgentCollector>, SystemError> open(const AgentPipes& pipes, PlaceId place,
                                                                     Moment deadline,
                                                                     const AgentInterrupt& interrupt = {});

  /// As the agent named itself.
  [[nodiscard]] const TraceHello& hello() const { return m_hello; }
  [[nodiscard]] CollectorDescription describe() const override { return kDescription; }
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;
  /// run() ends at this moment, as at a stop; absent for never. The sink may move it.
  void setDeadline(std::optional<Moment> deadline) { m_deadline = deadline; }

private:
  AgentCollector(const AgentPipes& pipes, PlaceId place);
  Expected<void, SystemError> awaitHello(Moment deadline, const AgentInterrupt& interrupt);
  /// False at the end of the stream.
  bool receive();
  bool deliver(const ObservationSink& sink);
  void wait(int wakeDescriptor) const;
  void reportEnd(const ObservationSink& sink) const;

  OwnedDescriptor m_frames;
  OwnedDescriptor m_requests;
  FrameOutput m_output;
  std::string m_name;
  PlaceId m_place;
  AgentMeans m_means;
  std::unique_ptr<AgentProtocol> m_protocol;
  TraceHello m_hello;
  /// Refused by the sink: nothing more is read until it is taken.
  std::optional<ObservationBatch> m_refused;
  std::optional<Moment> m_deadline;
  bool m_hasEnded = false;
};

}  // namespace tcpscope
