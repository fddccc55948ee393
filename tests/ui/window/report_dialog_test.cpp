#include "ui/window/report_dialog.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QTest>

namespace tcpscope {
namespace {

template <class Widget>
Widget* withText(const QWidget& parent, const QString& text) {
  for (Widget* one : parent.findChildren<Widget*>()) {
    if (one->text().remove(u'&').startsWith(text)) return one;
  }
  return nullptr;
}

/// The field that a label of the form names.
QLineEdit* field(const QWidget& parent, const QString& label) {
  const auto* named = withText<QLabel>(parent, label);
  return named == nullptr ? nullptr : qobject_cast<QLineEdit*>(named->buddy());
}

TEST(ReportDialog, GivesBackWhatWasChosen) {
  ReportDialog dialog(QStringLiteral("192.0.2.1:80 ↔ 198.51.100.2:40000"), {});
  dialog.findChild<QComboBox*>()->setCurrentIndex(1);
  withText<QCheckBox>(dialog, QStringLiteral("Two pages"))->click();
  withText<QCheckBox>(dialog, QStringLiteral("Anonymize"))->click();
  QTest::keyClicks(field(dialog, QStringLiteral("Author")), QStringLiteral("A. Author "));
  QTest::keyClicks(field(dialog, QStringLiteral("Customer")), QStringLiteral("Example Ltd"));
  QTest::keyClicks(field(dialog, QStringLiteral("Ticket")), QStringLiteral("T-17"));
  QTest::keyClicks(field(dialog, QStringLiteral("Logo")), QStringLiteral("/srv/logo.png"));
  const ReportChoices choices = dialog.choices();
  EXPECT_EQ(choices.extension, QStringLiteral("pdf"));
  EXPECT_TRUE(choices.isBrief);
  EXPECT_TRUE(choices.isAnonymous);
  const ReportLetterhead letterhead = choices.letterhead();
  EXPECT_EQ(letterhead.author, UntrustedText("A. Author"));
  EXPECT_EQ(letterhead.customer, UntrustedText("Example Ltd"));
  EXPECT_EQ(letterhead.ticket, UntrustedText("T-17"));
  EXPECT_EQ(letterhead.logo, "/srv/logo.png");
  const ReportLetterhead ofAnother = choices.withoutCase().letterhead();
  EXPECT_EQ(ofAnother.author, UntrustedText("A. Author"));
  EXPECT_EQ(ofAnother.customer, UntrustedText());
  EXPECT_EQ(ofAnother.ticket, UntrustedText());
  EXPECT_EQ(ofAnother.logo, "/srv/logo.png");
}

TEST(ReportDialog, OffersToLeaveOutTheAppendixWhereThereArePages) {
  ReportChoices choices;
  choices.extension = QStringLiteral("json");
  const ReportDialog data(QString(), choices);
  EXPECT_FALSE(withText<QCheckBox>(data, QStringLiteral("Two pages"))->isEnabled());
  choices.extension = QStringLiteral("md");
  const ReportDialog markdown(QString(), choices);
  EXPECT_TRUE(withText<QCheckBox>(markdown, QStringLiteral("Two pages"))->isEnabled());
}

TEST(ReportDialog, EnterInAFieldSaves) {
  ReportDialog dialog(QString(), {});
  dialog.show();
  // A dialog has its default button once it is shown; it ends as soon as this one is.
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
  QTest::keyClick(field(dialog, QStringLiteral("Author")), Qt::Key_Return);
  EXPECT_EQ(dialog.result(), QDialog::Accepted);
}

TEST(ReportDialog, BeginsWithTheFirstFormatWhereTheKeptOneIsUnknown) {
  ReportChoices choices;
  choices.extension = QStringLiteral("doc");
  EXPECT_EQ(ReportDialog(QString(), choices).choices().extension, QStringLiteral("html"));
  EXPECT_EQ(reportFileFilter(QStringLiteral("md")), QStringLiteral("Markdown for tickets (*.md)"));
}

}  // namespace
}  // namespace tcpscope
