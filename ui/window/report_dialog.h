// What a report is to be: its format and extent, and what its author adds to it. The file is chosen afterwards.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>

#include "ui/feed/report_port.h"

namespace tcpscope {

/// As it was typed. Author and logo are kept with the window's settings; customer and ticket until the window closes.
struct ReportChoices {
  QString extension = QStringLiteral("html");
  bool isAnonymous = false;
  bool isBrief = false;
  QString author;
  QString customer;
  QString ticket;
  /// Path of a PNG file; empty for none.
  QString logo;

  [[nodiscard]] ReportLetterhead letterhead() const;
  /// The same without customer and ticket, for a report of something else.
  [[nodiscard]] ReportChoices withoutCase() const;
};

class ReportDialog : public QDialog {
  Q_OBJECT
public:
  /// `subject` is what it reports on, as plain text.
  ReportDialog(const QString& subject, const ReportChoices& choices, QWidget* parent = nullptr);

  [[nodiscard]] ReportChoices choices() const;

private:
  void layOut(const QString& subject);
  void followFormat();
  void chooseLogo();

  QComboBox m_format;
  QCheckBox m_brief;
  QCheckBox m_anonymous;
  QLineEdit m_author;
  QLineEdit m_customer;
  QLineEdit m_ticket;
  QLineEdit m_logo;
};

/// The filter of a file dialog for reports of this extension.
QString reportFileFilter(const QString& extension);

}  // namespace tcpscope
