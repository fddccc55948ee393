#include "ui/views/meter/meter_reading.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

void MeterReading::setSmoothing(double factor) {
  m_factor = std::clamp(factor, 0.001, 1.0);
  m_average = m_value;
}

void MeterReading::clear() {
  m_seenUntil.reset();
  m_value.reset();
  m_change.reset();
  m_average.reset();
}

void MeterReading::update(const ConnectionHistory& history) {
  const auto newest = history.lastTime();
  // A replay went back: what was seen is still to come.
  if (m_seenUntil && newest && *newest < *m_seenUntil) clear();
  for (const auto& chunk : history.chunks()) {
    if (chunk->size() == 0 || (m_seenUntil && chunk->time(chunk->size() - 1) <= *m_seenUntil)) continue;
    for (std::size_t index = 0; index < chunk->size(); ++index) {
      if (m_seenUntil && chunk->time(index) <= *m_seenUntil) continue;
      take(chunk->value(m_metric, index));
    }
  }
  if (newest) m_seenUntil = newest;
}

void MeterReading::take(double value) {
  if (std::isnan(value)) {
    m_value.reset();
    m_change.reset();
    return;
  }
  const bool comparable = m_value && std::isfinite(*m_value) && std::isfinite(value);
  m_change = comparable ? std::optional(value - *m_value) : std::nullopt;
  m_value = value;
  if (!std::isfinite(value)) return;
  m_average = m_average ? *m_average + m_factor * (value - *m_average) : value;
}

}  // namespace tcpscope
