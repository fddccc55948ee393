// One place of a sending program: carries one connection, or for messages one after the other.
#pragma once

#include <functional>

#include "app/lab/traffic/event_loop.h"
#include "app/lab/traffic/traffic_plan.h"
#include "app/lab/traffic/transfer_table.h"

namespace tcpscope::lab {

class SendingStream final : public EventTarget {
public:
  /// `next` gives the number of the connection to carry now, or nothing when there is none left.
  using NextConnection = std::function<std::optional<std::size_t>()>;
  SendingStream(const TrafficPlan& plan, TransferTable& table, EventLoop& loop, NextConnection next);

  /// The next connection, or the end of a rest.
  void due() override;
  void ready() override;

private:
  enum class Phase : std::uint8_t { idle, connecting, greeting, writing, awaitingAnswer, resting, awaitingEnd };

  void connectNext();
  void beginPortion();
  void write();
  void portionWritten();
  void readAnswer();
  void rest();
  void finishWriting();
  void awaitEnd();
  void endConnection();
  [[nodiscard]] std::uint64_t chunk() const;

  const TrafficPlan& m_plan;
  TransferTable& m_table;
  EventLoop& m_loop;
  NextConnection m_next;
  OwnedDescriptor m_socket;
  Phase m_phase = Phase::idle;
  /// Of the whole connection, and until the program does something else.
  std::uint64_t m_leftOfAll = 0;
  std::uint64_t m_leftOfPortion = 0;
  std::uint64_t m_leftOfAnswer = 0;
  std::size_t m_unanswered = 0;
};

}  // namespace tcpscope::lab
