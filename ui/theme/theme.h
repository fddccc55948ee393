// Colours, light and dark: one place for the list, the plots and the pictures.
//
// Trace colours are the palette of Okabe and Ito, which people with any colour vision can tell apart; each trace also
// has a line style of its own. On the dark ground the palette's black becomes near-white, and its blue and green are
// lightened until they stand out. A test computes the contrast of every pair that is shown together (WCAG 2.1).
#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>

#include "core/diagnosis/finding.h"
#include "core/limits/limit.h"

namespace tcpscope {

enum class ThemeChoice : std::uint8_t { system, light, dark };

struct TraceStyle {
  QColor color;
  Qt::PenStyle pen = Qt::SolidLine;
};

class Theme : public QObject {
  Q_OBJECT
public:
  static constexpr int kTraceStyles = 8;

  explicit Theme(QObject* parent = nullptr);

  [[nodiscard]] ThemeChoice choice() const { return m_choice; }
  /// Also sets the application's palette. `system` follows the desktop's own window colour.
  void setChoice(ThemeChoice choice);
  [[nodiscard]] bool isDark() const { return m_dark; }

  /// Ground of plots and of the list.
  [[nodiscard]] QColor background() const;
  [[nodiscard]] QColor text() const;
  /// Secondary text: units, hints.
  [[nodiscard]] QColor faintText() const;
  [[nodiscard]] QColor grid() const;
  [[nodiscard]] QColor limit(Limit limit) const;
  [[nodiscard]] QColor severity(FindingSeverity severity) const;
  /// Index counts round.
  [[nodiscard]] TraceStyle trace(int index) const;
  /// Ground of a filter field that is right, doubtful, wrong.
  [[nodiscard]] QColor fieldGood() const;
  [[nodiscard]] QColor fieldDoubtful() const;
  [[nodiscard]] QColor fieldWrong() const;
  [[nodiscard]] QPalette palette() const;

signals:
  void changed();

private:
  ThemeChoice m_choice = ThemeChoice::system;
  bool m_dark = false;
  QPalette m_systemPalette;
};

/// Ratio of luminances, 1…21 (WCAG 2.1, section 1.4.3).
double contrastRatio(const QColor& first, const QColor& second);

}  // namespace tcpscope
