// What the desktop application takes on its command line.
#pragma once

#include <QSize>
#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "app/remote/agent_means.h"
#include "app/session/local_place.h"
#include "core/base/units.h"
#include "core/filter/connection_filter.h"
#include "ui/feed/demo_port.h"
#include "ui/theme/theme.h"

namespace tcpscope {

struct DesktopOptions {
  /// Where to write a picture of the window before leaving; empty for normal use.
  QString screenshot;
  Milliseconds screenshotAfter{5000};
  /// The capture or recording to open instead of this host; empty for none.
  QString file;
  /// Each for a window of its own.
  QStringList furtherFiles;
  /// Other hosts to look at besides this one: "ssh://HOST".
  std::vector<std::string> hosts;
  AgentMeans means = AgentMeans::installed;
  /// Look at this host with root's rights, which the system asks for.
  bool withRights = false;
  /// Of this host, which is observed.
  std::string networkNamespace{kAllNamespaces};
  /// Nothing is added to the path history.
  bool noPathHistory = false;
  /// Index into the catalogue of demos; absent for none.
  std::optional<std::size_t> demo;
  std::optional<ConnectionFilter> select;
  /// Capture the packets of the connection that gets selected.
  bool capture = false;
  /// Key of a view of the catalogue; empty for the view that was shown last.
  QString view;
  std::optional<ThemeChoice> theme;
  std::optional<QSize> size;
};

/// Reads the arguments of the application; prints help, version and errors itself, and leaves the program then.
DesktopOptions readOptions(const std::vector<DemoScenario>& demos);

}  // namespace tcpscope
