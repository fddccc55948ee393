#include "ui/window/report_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace tcpscope {

namespace {

struct ReportFormat {
  const char* extension;
  const char* title;
  /// Pages, of which the appendix can be left out.
  bool hasPages;
};

constexpr std::array kFormats = {
    ReportFormat{"html", "Web page (*.html)", true},
    ReportFormat{"pdf", "PDF document (*.pdf)", true},
    ReportFormat{"md", "Markdown for tickets (*.md)", true},
    ReportFormat{"json", "JSON data (*.json)", false},
};

UntrustedText typed(const QString& text) {
  return UntrustedText(text.trimmed().toStdString());
}

}  // namespace

ReportLetterhead ReportChoices::letterhead() const {
  return {typed(customer), typed(author), typed(ticket), logo.trimmed().toStdString()};
}

ReportChoices ReportChoices::withoutCase() const {
  ReportChoices choices = *this;
  choices.customer.clear();
  choices.ticket.clear();
  return choices;
}

QString reportFileFilter(const QString& extension) {
  for (const ReportFormat& format : kFormats) {
    if (extension == QLatin1String(format.extension)) return QString::fromLatin1(format.title);
  }
  return {};
}

ReportDialog::ReportDialog(const QString& subject, const ReportChoices& choices, QWidget* parent) : QDialog(parent) {
  setWindowTitle(QStringLiteral("Save report"));
  for (const ReportFormat& format : kFormats) {
    m_format.addItem(QString::fromLatin1(format.title), QString::fromLatin1(format.extension));
  }
  m_format.setCurrentIndex(std::max(m_format.findData(choices.extension), 0));
  m_brief.setText(QStringLiteral("&Two pages for each connection, no appendix"));
  m_brief.setChecked(choices.isBrief);
  m_anonymous.setText(QStringLiteral("Anonymi&ze: placeholders for addresses, programs and hosts"));
  m_anonymous.setChecked(choices.isAnonymous);
  m_author.setText(choices.author);
  m_customer.setText(choices.customer);
  m_ticket.setText(choices.ticket);
  m_logo.setText(choices.logo);
  layOut(subject);
  connect(&m_format, &QComboBox::currentIndexChanged, this, &ReportDialog::followFormat);
  followFormat();
  m_format.setFocus();
}

void ReportDialog::layOut(const QString& subject) {
  auto* about = new QLabel(subject);
  about->setTextFormat(Qt::PlainText);
  about->setWordWrap(true);
  auto* logo = new QHBoxLayout;
  auto* choose = new QToolButton;
  choose->setText(QStringLiteral("Ch&oose…"));
  connect(choose, &QToolButton::clicked, this, &ReportDialog::chooseLogo);
  logo->addWidget(&m_logo, 1);
  logo->addWidget(choose);
  m_logo.setPlaceholderText(QStringLiteral("PNG file, shown at the top"));
  m_logo.setMinimumWidth(m_logo.fontMetrics().averageCharWidth() * 40);
  auto* form = new QFormLayout;
  form->addRow(QStringLiteral("&Format:"), &m_format);
  form->addRow(QString(), &m_brief);
  form->addRow(QString(), &m_anonymous);
  form->addRow(QStringLiteral("&Author:"), &m_author);
  form->addRow(QStringLiteral("C&ustomer:"), &m_customer);
  form->addRow(QStringLiteral("T&icket:"), &m_ticket);
  form->addRow(QStringLiteral("&Logo:"), logo);
  // A row that holds a layout has no buddy of its own.
  if (auto* label = qobject_cast<QLabel*>(form->labelForField(logo))) label->setBuddy(&m_logo);
  m_logo.setAccessibleName(QStringLiteral("Logo"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  QPushButton* save = buttons->addButton(QStringLiteral("&Save as…"), QDialogButtonBox::AcceptRole);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(about);
  layout->addSpacing(6);
  layout->addLayout(form);
  layout->addStretch(1);
  layout->addWidget(buttons);
  // Only a button that is in the dialog becomes its default.
  save->setDefault(true);
}

void ReportDialog::followFormat() {
  const bool hasPages = kFormats.at(static_cast<std::size_t>(m_format.currentIndex())).hasPages;
  m_brief.setEnabled(hasPages);
}

void ReportDialog::chooseLogo() {
  const QString file = QFileDialog::getOpenFileName(this, QStringLiteral("Choose a logo"), m_logo.text(),
                                                    QStringLiteral("PNG images (*.png)"));
  if (!file.isEmpty()) m_logo.setText(file);
}

ReportChoices ReportDialog::choices() const {
  ReportChoices choices;
  choices.extension = m_format.currentData().toString();
  choices.isAnonymous = m_anonymous.isChecked();
  choices.isBrief = m_brief.isChecked();
  choices.author = m_author.text();
  choices.customer = m_customer.text();
  choices.ticket = m_ticket.text();
  choices.logo = m_logo.text();
  return choices;
}

}  // namespace tcpscope
