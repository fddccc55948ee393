#include "ui/window/notice_bar.h"

#include <QVBoxLayout>

namespace tcpscope {

NoticeBar::NoticeBar(const QString& about, const QString& noticeAbout, QWidget* parent)
    : QFrame(parent), m_line(new QHBoxLayout) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  setAccessibleName(about);
  QFont bold = font();
  bold.setBold(true);
  m_headline.setFont(bold);
  for (QLabel* label : {&m_headline, &m_notice}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  m_notice.setAccessibleName(noticeAbout);
  m_line->addWidget(&m_headline, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(2);
  layout->addLayout(m_line);
  layout->addWidget(&m_notice);
  hide();
}

void NoticeBar::setTexts(const QString& headline, const QString& notice) {
  m_headline.setText(headline);
  m_headline.setVisible(!headline.isEmpty());
  m_notice.setText(notice);
  m_notice.setVisible(!notice.isEmpty());
}

}  // namespace tcpscope
