// Values of a slider, tried one after the other as fast as the host takes them: of those that wait only the newest.
//
// Each is previewed and applied on trial, which ends the trial of the one before. The last one stays on trial: the user
// keeps it or undoes it, and without an answer the host reverts it to what was before the first.
#pragma once

#include <functional>
#include <optional>

#include "ui/feed/change_port.h"

namespace tcpscope {

class SliderChanges {
public:
  /// `preview` begins a change at `port`.
  SliderChanges(ChangePort& port, std::function<void(const HostChangeRequest&)> preview)
      : m_port(port), m_preview(std::move(preview)) {}

  /// The request is kept whole: what is selected may be another by the time it is its turn.
  void request(HostChangeRequest request);
  /// Takes the next step, if there is one to take in this state of the port.
  void advance(const HostChangeState& state);
  /// Nothing waits any more; a value that is on trial stays there.
  void stop();
  /// What is previewed, changing or on trial is a value of the slider.
  [[nodiscard]] bool isUnderWay() const { return m_isUnderWay; }

private:
  void previewNewest();

  ChangePort& m_port;
  std::function<void(const HostChangeRequest&)> m_preview;
  std::optional<HostChangeRequest> m_newest;
  bool m_isUnderWay = false;
};

}  // namespace tcpscope
