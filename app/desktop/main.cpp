// The desktop application: a live session of this host and of others, captures and recordings, the demos, and the
// window on them.

#include <QApplication>
#include <QSettings>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "app/desktop/change_process.h"
#include "app/desktop/command_process.h"
#include "app/desktop/display.h"
#include "app/desktop/home_session.h"
#include "app/desktop/host_changer.h"
#include "app/desktop/host_checker.h"
#include "app/desktop/host_connector.h"
#include "app/desktop/lab_demo.h"
#include "app/desktop/loss_prober.h"
#include "app/desktop/opened_file.h"
#include "app/desktop/options.h"
#include "app/desktop/path_keeper.h"
#include "app/desktop/report_writer.h"
#include "app/desktop/shown_recorder.h"
#include "app/desktop/shown_replay.h"
#include "app/desktop/user_files.h"
#include "app/lab/engine/lab_engine.h"
#include "app/remote/command_line_program.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/present/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/window/main_window.h"

namespace {

using namespace tcpscope;

constexpr int kMissingRight = 3;
constexpr int kBadInput = 4;
constexpr int kSystemFailed = 5;

HomeRequest homeRequest(const DesktopOptions& options, const std::string& commandLine) {
  HomeRequest request;
  request.hosts = options.hosts;
  request.means = options.means;
  request.networkNamespace = options.networkNamespace;
  request.commandLine = commandLine;
  if (!options.withRights) return request;
  auto words = agentAsRoot(commandLine);
  if (!words) {
    std::fputs(("tcpscope: " + forTerminal(words.error()) + "\n").c_str(), stderr);
    std::exit(kMissingRight);
  }
  request.agentWithRights = std::move(*words);
  return request;
}

/// Shows the view and the connection that were asked for: now, or once the demo runs.
void applyView(MainWindow& window, const DesktopOptions& options) {
  if (!options.view.isEmpty()) window.views().showView(options.view);
  if (options.select) window.list().selectFirst(*options.select);
  if (!options.capture) return;
  auto* once = new QObject(&window);
  QObject::connect(&window.selection(), &Selection::connectionChanged, once, [&window, once] {
    if (!window.selection().connection()) return;
    window.capturePackets();
    once->deleteLater();
  });
}

void applyOptions(MainWindow& window, const DesktopOptions& options) {
  if (options.theme) window.setTheme(*options.theme);
  if (options.size) window.resize(*options.size);
  if (!options.demo) return applyView(window, options);
  QObject::connect(
      window.demoBar(), &DemoBar::started, &window, [&window, options] { applyView(window, options); },
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
    if (!written) std::fputs(("tcpscope: cannot write " + forTerminal(path.toStdString()) + "\n").c_str(), stderr);
    QCoreApplication::exit(written ? 0 : kSystemFailed);
  });
}

}  // namespace

int main(int argc, char* argv[]) {
  if (const auto code = lab::runLabEngineIfAsked(argc, argv)) return *code;
  switch (displayUse(std::span(argv, static_cast<std::size_t>(argc)))) {
    case DisplayUse::ofDesktop:
      break;
    case DisplayUse::none:
      qputenv("QT_QPA_PLATFORM", "offscreen");
      break;
    case DisplayUse::missing:
      std::fputs(
          "tcpscope: no display for a window (DISPLAY and WAYLAND_DISPLAY are not set); log in with 'ssh -X', or "
          "use tcpscope-cli\n",
          stderr);
      return kSystemFailed;
  }
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("tcpscope"));
  QApplication::setOrganizationName(QStringLiteral("tcpscope"));
  // As the desktop entry is called, by which a desktop finds name and icon.
  QApplication::setDesktopFileName(QStringLiteral("org.tcpscope.tcpscope"));
  QApplication::setApplicationVersion(QStringLiteral(TCPSCOPE_VERSION));
  std::vector<DemoScenario> demos;
  for (const Demo& demo : demoCatalogue()) demos.push_back(descriptionOf(demo));
  const DesktopOptions options = readOptions(demos);
  applyTheme(options.theme.value_or(ThemeChoice::system));

  const std::string commandLine = commandLineBeside().value_or("tcpscope-cli").string();
  // Pictures are of a first run, and leave nothing behind.
  const bool keepsThings = options.screenshot.isEmpty();
  const auto keeper = openPathKeeper(keepsThings && !options.noPathHistory);
  HomeRequest request = homeRequest(options, commandLine);
  if (keeper) request.paths = keeper->sink();
  auto opened = openHome(request);
  // A file can be looked at where this host cannot.
  if (!opened && !options.file.isEmpty()) opened = HomeSession{{}, std::make_unique<NoSession>(), {}, {}};
  if (!opened) {
    std::fputs((sentence(opened.error()) + "\n").c_str(), stderr);
    return kSystemFailed;
  }
  SwitchedSession shown(*opened->session);
  LabDemo demo(shown, demoSources());
  OpenedFile file(shown);
  ShownReplay replay(shown);
  // Within two seconds it is said that a medium failed.
  ShownRecorder recorder(shown, {monotonicNow, {}, {}, std::chrono::seconds(1), {}});
  // A limit of the shell's on the size of files then fails the write, as any full medium does.
  std::signal(SIGXFSZ, SIG_IGN);
  std::optional<HostConnector> connector;
  const auto remoteHost = [&connector](PlaceId place) {
    return connector ? connector->hostAt(place) : std::optional<RemoteHost>();
  };
  const HostChangerParts changing{
      {commandLine, runCommand, openHelperTransportUnlessRoot, runSsh}, monotonicNow, remoteHost};
  HostChanger changer(changing);
  HostChanger settingsChanger(changing);
  HostChecker checker(CheckupSources::ofThisHost(remoteHost));
  LossProber prober(commandLine);
  ReportWriter reports(ReportSources::ofThisHost([&file] { return file.shownPath(); }, remoteHost));
  if (auto* live = dynamic_cast<LiveSession*>(opened->session.get())) {
    connector.emplace(*live, std::move(opened->hosts), monotonicNow);
  }
  Ports ports;
  ports.captures = &file;
  ports.recordings = &recorder;
  ports.replay = &replay;
  ports.reports = &reports;
  ports.demos = &demo;
  ports.hosts = connector ? &*connector : nullptr;
  ports.changes = &changer;
  ports.settings = &settingsChanger;
  ports.checkups = &checker;
  ports.paths = keeper.get();
  ports.probes = &prober;
  UserFiles files;
  ports.files = &files;
  MainWindow window(shown, ports);
  QSettings settings;
  if (keepsThings) window.restoreSettings(settings);
  window.setNotice(toQString(opened->notice));
  if (!options.file.isEmpty()) window.openFile(options.file);
  if (const CaptureState state = file.state(); state.phase == CapturePhase::failed) {
    std::fputs((state.notice + "\n").c_str(), stderr);
    return kBadInput;
  }
  for (const QString& path : options.furtherFiles) window.openFileInNewWindow(path);
  applyOptions(window, options);
  window.show();
  if (!keepsThings) scheduleScreenshot(window, options);
  const int result = QApplication::exec();
  if (keepsThings) window.saveSettings(settings);
  return result;
}
