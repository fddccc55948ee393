#include "core/present/svg/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "core/base/units.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/report_text.h"

namespace tcpscope {

namespace {

constexpr double kSteps = 8.0;
/// Labels of a clock are longer than those of figures.
constexpr double kClockSteps = 5.0;
constexpr double kMinute = 60.0;
constexpr double kDay = 86'400.0;

/// Parts of a second by tens, then what divides a minute, an hour and a day.
double clockStep(double seconds) {
  const double rough = seconds / kClockSteps;
  if (rough <= 10.0) return std::max(tickStep(seconds, kClockSteps), 1e-9);
  for (const double step : {15.0, 30.0, kMinute, 120.0, 300.0, 600.0, 900.0, 1'800.0, 3'600.0, 7'200.0, 14'400.0,
                            28'800.0, 43'200.0, kDay}) {
    if (step >= rough) return step;
  }
  return kDay * std::ceil(rough / kDay);
}

int decimalsFor(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
}

std::string clockText(WallTime time, int decimals, bool hasDay) {
  using namespace std::chrono;
  const sys_time<nanoseconds> point{nanoseconds(time.nanoseconds())};
  const auto day = floor<days>(point);
  const hh_mm_ss<nanoseconds> clock(point - day);
  if (hasDay) {
    const year_month_day date(day);
    return fmt::format("{:02}-{:02} {:02}:{:02}", static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count());
  }
  std::string text =
      fmt::format("{:02}:{:02}:{:02}", clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (decimals == 0) return text;
  const std::string parts = fmt::format("{:09}", clock.subseconds().count());
  return text + '.' + parts.substr(0, static_cast<std::size_t>(decimals));
}

/// "28 November 2026" of "28 November 2026, 13:48:10 UTC".
std::string dayText(WallTime time) {
  const std::string whole = formatWallTime(time);
  return whole.substr(0, whole.find(','));
}

HorizontalAxis clockAxis(const TimePlot& plot, WallTime begin) {
  HorizontalAxis axis;
  const double step = clockStep(plot.seconds);
  const auto stepNs = std::max<std::int64_t>(std::llround(step * 1e9), 1);
  const std::int64_t from = begin.nanoseconds();
  const std::int64_t to = from + std::llround(plot.seconds * 1e9);
  for (std::int64_t at = (from + stepNs - 1) / stepNs * stepNs; at <= to; at += stepNs) {
    axis.ticks.push_back({static_cast<double>(at - from) * 1e-9,
                          clockText(WallTime::fromNanoseconds(at), decimalsFor(step), plot.seconds > kDay)});
  }
  axis.caption = fmt::format("UTC, {}; {} in all", dayText(begin), formatTime(plot.seconds));
  return axis;
}

HorizontalAxis intervalAxis(const TimePlot& plot, double firstDecade) {
  HorizontalAxis axis;
  for (double decade = 0.0; decade <= plot.seconds + 1e-9; decade += 1.0) {
    const double power = firstDecade + decade;
    axis.ticks.push_back(
        {decade, fmt::format("{:.{}f}", std::pow(10.0, power), std::max(static_cast<int>(-power), 0))});
  }
  axis.caption = "RTTs from one loss to the next, logarithmic";
  return axis;
}

}  // namespace

HorizontalAxis horizontalAxis(const TimePlot& plot) {
  if (plot.firstDecade) return intervalAxis(plot, *plot.firstDecade);
  if (plot.begin) return clockAxis(plot, *plot.begin);
  HorizontalAxis axis;
  const AxisUnit time = axisUnit(PlotQuantity::duration, plot.seconds);
  const double step = tickStep(plot.seconds / time.factor, kSteps);
  for (int tick = 0; step * tick * time.factor <= plot.seconds * (1.0 + 1e-9); ++tick) {
    axis.ticks.push_back({step * tick * time.factor, tickLabel(step * tick)});
  }
  axis.caption = fmt::format("{} since the beginning", time.name);
  return axis;
}

std::string positionText(const TimePlot& plot, double position) {
  if (plot.firstDecade) return fmt::format("{:.2g} RTT", std::pow(10.0, *plot.firstDecade + position));
  return formatTime(position);
}

}  // namespace tcpscope
