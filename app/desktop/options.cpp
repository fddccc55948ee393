#include "app/desktop/options.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "app/desktop/demo_catalogue.h"
#include "app/remote/started_agent.h"
#include "core/base/escape.h"
#include "ui/text/plain_text.h"
#include "ui/window/view_catalogue.h"

namespace tcpscope {

namespace {

/// Each is a process: a pattern of the shell may stand for thousands.
constexpr qsizetype kMostFiles = 16;

constexpr int kWrongUsage = 2;

[[noreturn]] void refuse(const QString& why) {
  std::fputs(qPrintable(QStringLiteral("tcpscope: %1\n").arg(why)), stderr);
  std::exit(kWrongUsage);
}

QSize readSize(const QString& text) {
  const QStringList parts = text.split(u'x');
  const QSize size(parts.value(0).toInt(), parts.value(1).toInt());
  if (parts.size() != 2 || size.width() < 320 || size.height() < 240 || size.width() > 16384 || size.height() > 16384)
    refuse(QStringLiteral("--size takes WIDTHxHEIGHT in pixels, for example 1280x720"));
  return size;
}

ThemeChoice readTheme(const QString& text) {
  if (text == QLatin1String("light")) return ThemeChoice::light;
  if (text == QLatin1String("dark")) return ThemeChoice::dark;
  if (text == QLatin1String("system")) return ThemeChoice::system;
  refuse(QStringLiteral("--theme takes light, dark or system"));
}

ConnectionFilter readFilter(const QString& text) {
  const std::string bytes = text.toStdString();
  const auto filter = ConnectionFilter::parse(bytes);
  if (!filter) refuse(toQString(sentence(filter.error(), bytes)));
  return *filter;
}

Milliseconds readSeconds(const QString& text) {
  bool isNumber = false;
  const double seconds = text.toDouble(&isNumber);
  if (!isNumber || !(seconds >= 0.0) || seconds > 86'400.0)
    refuse(QStringLiteral("--after takes seconds, at most a day"));
  return Milliseconds(static_cast<std::int64_t>(seconds * 1000.0));
}

std::vector<std::string> readHosts(const QStringList& addresses) {
  std::vector<std::string> hosts;
  for (const QString& address : addresses) {
    hosts.push_back(address.toStdString());
    if (!sshAddress(hosts.back()))
      refuse(QStringLiteral("--connect takes ssh:// followed by the host as for ssh, not '%1'")
                 .arg(toQString(forTerminal(UntrustedText(hosts.back())))));
  }
  return hosts;
}

/// The default demo where none is named.
std::size_t readDemo(const QString& name, const std::vector<DemoScenario>& demos) {
  const std::string wanted = name.isEmpty() ? std::string(kDefaultDemo) : name.toStdString();
  for (std::size_t index = 0; index < demos.size(); ++index) {
    if (demos[index].name == wanted) return index;
  }
  QStringList names;
  for (const DemoScenario& demo : demos) names << toQString(demo.name);
  refuse(QStringLiteral("unknown demo '%1'; available: %2")
             .arg(toQString(forTerminal(UntrustedText(wanted))), names.join(QStringLiteral(", "))));
}

QString viewKeys() {
  QStringList keys;
  for (const ViewRow& row : viewCatalogue()) keys << QLatin1String(row.key);
  return keys.join(QStringLiteral(", "));
}

QString readView(const QString& key) {
  const auto views = viewCatalogue();
  const bool isThere =
      std::any_of(views.begin(), views.end(), [&](const ViewRow& row) { return key == QLatin1String(row.key); });
  if (isThere) return key;
  refuse(QStringLiteral("unknown view '%1'; available: %2")
             .arg(toQString(forTerminal(UntrustedText(key.toStdString()))), viewKeys()));
}

/// The name of a demo may follow "--demo" or stand behind "--demo="; the parser knows only the former.
QStringList argumentsOfParser() {
  QStringList arguments;
  const QString withName = QStringLiteral("--demo=");
  for (const QString& argument : QCoreApplication::arguments()) {
    if (argument.startsWith(withName)) {
      arguments << QStringLiteral("--demo") << argument.mid(withName.size());
    } else {
      arguments << argument;
    }
  }
  return arguments;
}

AgentMeans readMeans(bool throughSs, bool copied, bool connects) {
  if (throughSs && copied) refuse(QStringLiteral("--through-ss and --copy-agent exclude each other"));
  if ((throughSs || copied) && !connects) refuse(QStringLiteral("--through-ss and --copy-agent require --connect"));
  if (throughSs) return AgentMeans::throughSs;
  return copied ? AgentMeans::copied : AgentMeans::installed;
}

}  // namespace

DesktopOptions readOptions(const std::vector<DemoScenario>& demos) {
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("A TCP oscilloscope: see a slow connection and know why."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addOptions({
      {"demo", QStringLiteral("Run a transfer with a known fault and show it: SCENARIO, or locked_send_buffer.")},
      {"connect", QStringLiteral("Also monitor another host through its agent; may be given several times."),
       QStringLiteral("ssh://HOST")},
      {"through-ss",
       QStringLiteral("With --connect: sample with the host's ss, if tcpscope-cli is not installed there.")},
      {"copy-agent",
       QStringLiteral("With --connect: deploy a temporary tcpscope-cli there, removed when this program ends.")},
      {"with-rights",
       QStringLiteral("Sample this host as root, asking for a password: shows every network namespace, and other "
                      "users' processes.")},
      {"netns",
       QStringLiteral("Use this network namespace: a name, a PID, or 'all' for every one of this host, as without it."),
       QStringLiteral("NAME|PID|all")},
      {"no-path-book", QStringLiteral("Neither keep nor show the path history.")},
      {"screenshot", QStringLiteral("Save a screenshot of the window and exit."), QStringLiteral("OUT.png")},
      {"after", QStringLiteral("Seconds until the screenshot is taken."), QStringLiteral("S"), "5"},
      {"select", QStringLiteral("Select the first connection that matches the filter."), QStringLiteral("FILTER")},
      {"capture", QStringLiteral("Capture the packets of the connection that --select selects.")},
      {"view", QStringLiteral("View to show: %1.").arg(viewKeys()), QStringLiteral("NAME")},
      {"theme", QStringLiteral("light, dark or system."), QStringLiteral("NAME")},
      {"size", QStringLiteral("Size of the window in pixels."), QStringLiteral("WxH")},
  });
  parser.addPositionalArgument("FILE",
                               QStringLiteral("A capture or recording to open instead of monitoring this host; each "
                                              "further one opens in a window of its own."),
                               "[FILE…]");
  parser.addPositionalArgument("SCENARIO", QStringLiteral("With --demo, the scenario to run."), "| --demo [SCENARIO]");
  if (!parser.parse(argumentsOfParser()))
    refuse(toQString(forTerminal(UntrustedText(parser.errorText().toStdString()))));
  // Handles --help and --version, which it added itself.
  parser.process(argumentsOfParser());
  const bool isDemo = parser.isSet("demo");
  const QStringList words = parser.positionalArguments();
  if (isDemo && words.size() > 1) refuse(QStringLiteral("--demo takes at most one scenario"));
  if (words.size() > kMostFiles) refuse(QStringLiteral("at most %1 files can be opened at once").arg(kMostFiles));
  DesktopOptions options;
  if (isDemo) options.demo = readDemo(words.value(0), demos);
  if (!isDemo) options.file = words.value(0);
  if (!isDemo) options.furtherFiles = words.mid(1);
  options.hosts = readHosts(parser.values("connect"));
  options.means = readMeans(parser.isSet("through-ss"), parser.isSet("copy-agent"), !options.hosts.empty());
  options.withRights = parser.isSet("with-rights");
  if (parser.isSet("netns")) options.networkNamespace = parser.value("netns").toStdString();
  if (parser.isSet("netns") && options.withRights)
    refuse(QStringLiteral("--netns and --with-rights exclude each other"));
  options.noPathHistory = parser.isSet("no-path-book");
  options.screenshot = parser.value("screenshot");
  if (!options.screenshot.isEmpty() && words.size() > 1) refuse(QStringLiteral("--screenshot takes one file"));
  options.screenshotAfter = readSeconds(parser.value("after"));
  if (parser.isSet("view")) options.view = readView(parser.value("view"));
  if (parser.isSet("select")) options.select = readFilter(parser.value("select"));
  options.capture = parser.isSet("capture");
  if (options.capture && !options.select) refuse(QStringLiteral("--capture requires --select"));
  if (parser.isSet("theme")) options.theme = readTheme(parser.value("theme"));
  if (parser.isSet("size")) options.size = readSize(parser.value("size"));
  return options;
}

}  // namespace tcpscope
