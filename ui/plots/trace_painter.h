// Paints the parts of a frame: lines with envelopes, labels at their ends, marks with their legend, cursors.
#pragma once

#include "ui/plots/plot_geometry.h"
#include "ui/plots/trace_frame.h"

class QPainter;
class QRect;

namespace tcpscope {

void paintTraces(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance);

/// Labels in the margin to the right of the graticule, `width` pixels wide, moved apart where lines end close together.
void paintEndLabels(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance,
                    double width);

/// Pixels above the graticule that marks and their legend need.
int markStripHeight(const QFontMetrics& metrics);
void paintMarks(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance);

/// The moment that triggered, and the levels that are waited for.
void paintTrigger(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance);
void paintCursors(QPainter& painter, const PlotGeometry& geometry, const CursorPair& cursors, Appearance appearance);

}  // namespace tcpscope
