// A bar of the window about something that runs beside the views: its headline, its outcome and its buttons.
// What does not fit in a line stands below.
#pragma once

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace tcpscope {

class NoticeBar : public QFrame {
  Q_OBJECT
public:
  [[nodiscard]] QString headline() const { return m_headline.text(); }
  [[nodiscard]] QString notice() const { return m_notice.text(); }

protected:
  /// Hidden. `about` and `noticeAbout` are the accessible names.
  NoticeBar(const QString& about, const QString& noticeAbout, QWidget* parent);

  /// Appends to the right.
  void add(QWidget& widget) { m_line->addWidget(&widget); }
  void add(QToolButton& button) { m_line->addWidget(&button, 0, Qt::AlignTop); }
  /// An empty one takes no space.
  void setTexts(const QString& headline, const QString& notice);

private:
  QLabel m_headline;
  QLabel m_notice;
  QHBoxLayout* m_line;
};

}  // namespace tcpscope
