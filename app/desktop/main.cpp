// The desktop application: a live session of this host and the window on it.

#include <QApplication>
#include <QSettings>
#include <QTimer>
#include <cstdio>

#include "app/desktop/options.h"
#include "app/lab/engine/lab_engine.h"
#include "app/session/local_place.h"
#include "collectors/capability_probe.h"
#include "core/text/capability_sentences.h"
#include "core/text/system_error_sentence.h"
#include "ui/text/plain_text.h"
#include "ui/window/main_window.h"

namespace {

using namespace tcpscope;

constexpr int kSystemFailed = 5;

void applyOptions(MainWindow& window, const DesktopOptions& options) {
  if (options.theme) window.setTheme(*options.theme);
  if (options.size) window.resize(*options.size);
  if (!options.view.isEmpty()) window.views().showView(options.view);
  if (options.select) window.list().selectFirst(*options.select);
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
  const DesktopOptions options = readOptions();
  applyTheme(options.theme.value_or(ThemeChoice::system));

  const auto place = findLocalPlace(std::nullopt);
  auto session = place ? openLocalSession(*place, {}) : Unexpected<SystemError>(place.error());
  if (!session) {
    std::fputs((sentence(session.error()) + "\n").c_str(), stderr);
    return kSystemFailed;
  }
  MainWindow window(**session);
  QSettings settings;
  // Pictures are of a first run, whatever the user changed.
  const bool keepsSettings = options.screenshot.isEmpty();
  if (keepsSettings) window.restoreSettings(settings);
  applyOptions(window, options);
  window.setNotice(toQString(notice(probeCapabilities(place->access))));
  window.show();
  if (!keepsSettings) scheduleScreenshot(window, options);
  const int result = QApplication::exec();
  if (keepsSettings) window.saveSettings(settings);
  return result;
}
