// Values of a slider, set one after the other as fast as the host takes them: of those that wait only the newest.
//
// Each is previewed, applied and kept, so that the next one finds no trial; an undo brings back what was before the
// first.
#pragma once

#include <functional>
#include <optional>

#include "ui/feed/change_port.h"

namespace tcpscope {

class SliderChanges {
public:
  /// `preview` begins a change at `port`.
  SliderChanges(ChangePort& port, std::function<void(const SettingChange&)> preview)
      : m_port(port), m_preview(std::move(preview)) {}

  void request(const SettingChange& change) { m_newest = change; }
  /// Takes the next step; false while none is left to take.
  bool advance();
  void stop();

private:
  ChangePort& m_port;
  std::function<void(const SettingChange&)> m_preview;
  std::optional<SettingChange> m_newest;
  /// A value was previewed and is not kept yet.
  bool m_isUnderWay = false;
};

}  // namespace tcpscope
