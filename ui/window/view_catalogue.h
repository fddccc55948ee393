// The catalogue of the views below the connection list: a new view is a folder in ui/views and one row here.
#pragma once

#include <span>

#include "ui/views/view.h"

namespace tcpscope {

struct ViewRow {
  /// For the settings file and for --view.
  const char* key;
  /// Of the tab, and of the view's menu.
  const char* title;
  /// Key that brings the view to the front.
  const char* shortcut;
  View* (*create)(const ViewContext& context, QWidget* parent);
  /// What it shows and how to read it, in paragraphs: the help of F1.
  const char* help;
  /// It is empty until packets of the connection are captured.
  bool isOfPackets = false;
};

std::span<const ViewRow> viewCatalogue();

}  // namespace tcpscope
