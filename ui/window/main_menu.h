// The menu bar: File, View, Connection, a menu per view, Replay, Demo, Help.
//
// Built once from what the window has; a menu whose part is null is left out.
#pragma once

#include "ui/feed/ports.h"
#include "ui/window/file_actions.h"
#include "ui/window/host_actions.h"
#include "ui/window/presentation.h"
#include "ui/window/report_actions.h"
#include "ui/window/shown_source.h"
#include "ui/window/text_size.h"
#include "ui/window/theme_menu.h"

class QMainWindow;

namespace tcpscope {

struct MenuParts {
  ShownSource::Parts shown;
  const Ports& ports;
  FileActions& files;
  ThemeMenu& theme;
  TextSize& textSize;
  Presentation& presentation;
  /// Null without the port.
  ReportActions* reports = nullptr;
  HostActions* hosts = nullptr;
};

/// The parts outlive the window's menu bar.
void buildMainMenu(QMainWindow& window, const MenuParts& parts);

}  // namespace tcpscope
