// From the core's UTF-8 to Qt's strings: the one way for untrusted text into a widget.
#pragma once

#include <QLocale>
#include <QString>
#include <cstdint>
#include <string_view>

#include "core/base/escape.h"

namespace tcpscope {

/// For text that tcpscope itself made.
inline QString toQString(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A sentence that the command line puts behind its name, as one that stands alone.
inline QString asSentence(std::string_view text) {
  QString sentence = toQString(text);
  if (sentence.isEmpty()) return sentence;
  sentence[0] = sentence[0].toUpper();
  return sentence.endsWith(QLatin1Char('.')) ? sentence : sentence + QLatin1Char('.');
}

/// With a comma between thousands.
inline QString countText(std::uint64_t count) {
  return QLocale(QLocale::English).toString(static_cast<qulonglong>(count));
}

/// For untrusted text: control and bidirectional characters are gone. The widget that shows it must be
/// set to Qt::PlainText.
inline QString plainText(const UntrustedText& text) {
  return toQString(forPlainText(text));
}

/// A tool tip is rich text when it looks like it: this one never does, and lines break where they get long.
inline QString toolTipText(const QString& plain) {
  return plain.isEmpty() ? plain
                         : QStringLiteral("<p>%1</p>")
                               .arg(plain.toHtmlEscaped().replace(QLatin1String("\n"), QLatin1String("<br>")));
}

}  // namespace tcpscope
