// The colours of the desktop, light and dark, in one place: palette, limits, traces, severities.
//
// The hues are Okabe and Ito's (distinguishable with every kind of colour vision), lightened or darkened until they
// stand out from the background of each appearance; a test computes the contrast. A widget asks with its own palette,
// so that a change of the theme needs no message of its own: it arrives as a palette change.
#pragma once

#include <QColor>
#include <QPalette>
#include <Qt>

#include "core/diagnosis/evidence/finding.h"
#include "core/diagnosis/limits/limit.h"

namespace tcpscope {

enum class Appearance : std::uint8_t { light, dark };
enum class ThemeChoice : std::uint8_t { system, light, dark };

/// The application's palette for an appearance.
QPalette themePalette(Appearance appearance);
/// Dark when the palette's window is darker than its text.
Appearance appearanceOf(const QPalette& palette);

QColor limitColor(Limit limit, Appearance appearance);
QColor severityColor(FindingSeverity severity, Appearance appearance);

inline constexpr int kTraceStyleCount = 8;
/// Trace number `index` (any number, repeats after kTraceStyleCount): colour and line style differ together, so that
/// traces can be distinguished without colour.
QColor traceColor(int index, Appearance appearance);
Qt::PenStyle traceLine(int index);

/// Lines behind the traces, and texts of axes.
QColor gridColor(Appearance appearance);
QColor axisColor(Appearance appearance);
QColor cursorColor(Appearance appearance);
/// Traces that were kept to compare with.
QColor referenceColor(Appearance appearance);

/// What a filter or another text entry is: background of the field.
enum class EntryState : std::uint8_t { neutral, good, incomplete, wrong };
QColor entryBackground(EntryState state, Appearance appearance);

/// Colour of secondary text (closed rows, hints).
QColor quietTextColor(Appearance appearance);

/// Black or white, whichever is read better on `background`.
QColor textColorOn(const QColor& background);

/// WCAG 2.1 contrast ratio of two opaque colours, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);

}  // namespace tcpscope
