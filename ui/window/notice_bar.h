// A line of the window about something that goes on beside the views: what it is, what became of it, and the buttons
// for it. What it cannot show in a line stands below.
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
  /// Hidden. `about` and `noticeAbout` are for those who do not see it.
  NoticeBar(const QString& about, const QString& noticeAbout, QWidget* parent);

  /// To the right of what is there.
  void add(QWidget& widget) { m_line->addWidget(&widget); }
  void add(QToolButton& button) { m_line->addWidget(&button, 0, Qt::AlignTop); }
  /// An empty one takes no room.
  void setTexts(const QString& headline, const QString& notice);

private:
  QLabel m_headline;
  QLabel m_notice;
  QHBoxLayout* m_line;
};

}  // namespace tcpscope
