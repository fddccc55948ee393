// The desktop application: a live session of this host, or a recording, the demos, and the window on them.

#include <QApplication>
#include <QFileInfo>
#include <QSettings>
#include <QTimer>
#include <cstdio>

#include "app/desktop/lab_demo.h"
#include "app/desktop/options.h"
#include "app/lab/engine/lab_engine.h"
#include "app/session/local_place.h"
#include "app/session/replay.h"
#include "collectors/capability_probe.h"
#include "core/text/capability_sentences.h"
#include "core/text/escape.h"
#include "core/text/system_error_sentence.h"
#include "ui/text/plain_text.h"
#include "ui/window/main_window.h"

namespace {

using namespace tcpscope;

constexpr int kSystemFailed = 5;

struct OpenedSession {
  std::unique_ptr<LiveSession> session;
  /// What may not be seen, or what is seen instead of this host.
  QString notice;
};

Expected<OpenedSession, SystemError> openThisHost() {
  const auto place = findLocalPlace(std::nullopt);
  if (!place) return Unexpected<SystemError>(place.error());
  auto session = openLocalSession(*place, {});
  if (!session) return Unexpected<SystemError>(session.error());
  return OpenedSession{std::move(*session), toQString(notice(probeCapabilities(place->access)))};
}

Expected<OpenedSession, SystemError> openRecording(const QString& path) {
  auto session = openReplay(path.toStdString(), {});
  if (!session) return Unexpected<SystemError>(session.error());
  const QString name = toQString(forPlainText(UntrustedText(QFileInfo(path).fileName().toStdString())));
  return OpenedSession{std::move(*session), QCoreApplication::translate("Desktop", "Recording: %1").arg(name)};
}

/// What to look at: now, or once the demo runs.
void applyLook(MainWindow& window, const DesktopOptions& options) {
  if (!options.view.isEmpty()) window.views().showView(options.view);
  if (options.select) window.list().selectFirst(*options.select);
}

void applyOptions(MainWindow& window, const DesktopOptions& options) {
  if (options.theme) window.setTheme(*options.theme);
  if (options.size) window.resize(*options.size);
  if (!options.demo) return applyLook(window, options);
  QObject::connect(
      window.demoBar(), &DemoBar::started, &window, [&window, options] { applyLook(window, options); },
      Qt::SingleShotConnection);
  window.demoBar()->start(*options.demo);
}

DemoSources demoSources() {
  DemoSources sources;
  sources.recordings = bundledRecordings(QCoreApplication::applicationDirPath().toStdString());
  return sources;
}

/// Takes the picture when its time has come, and leaves.
void scheduleScreenshot(MainWindow& window, const DesktopOptions& options) {
  QTimer::singleShot(options.screenshotAfter, &window, [&window, path = options.screenshot] {
    const bool written = window.grab().save(path);
    if (!written) std::fputs(qPrintable(QStringLiteral("tcpscope: cannot write %1\n").arg(path)), stderr);
    QCoreApplication::exit(written ? 0 : kSystemFailed);
  });
}

}  // namespace

int main(int argc, char* argv[]) {
  if (const auto code = lab::runLabEngineIfAsked(argc, argv)) return *code;
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("tcpscope"));
  QApplication::setOrganizationName(QStringLiteral("tcpscope"));
  QApplication::setApplicationVersion(QStringLiteral(TCPSCOPE_VERSION));
  std::vector<DemoScenario> demos;
  for (const Demo& demo : demoCatalogue()) demos.push_back(descriptionOf(demo));
  const DesktopOptions options = readOptions(demos);
  applyTheme(options.theme.value_or(ThemeChoice::system));

  const auto opened = options.recording.isEmpty() ? openThisHost() : openRecording(options.recording);
  if (!opened) {
    std::fputs((sentence(opened.error()) + "\n").c_str(), stderr);
    return kSystemFailed;
  }
  SwitchedSession shown(*opened->session);
  LabDemo demo(shown, demoSources());
  MainWindow window(shown);
  window.offerDemos(demo);
  QSettings settings;
  // Pictures are of a first run, whatever the user changed.
  const bool keepsSettings = options.screenshot.isEmpty();
  if (keepsSettings) window.restoreSettings(settings);
  applyOptions(window, options);
  window.setNotice(opened->notice);
  if (!options.recording.isEmpty()) window.setWindowTitle(opened->notice);
  window.show();
  if (!keepsSettings) scheduleScreenshot(window, options);
  const int result = QApplication::exec();
  if (keepsSettings) window.saveSettings(settings);
  return result;
}
