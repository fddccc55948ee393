// THE list of the views beside the connection list: a new view is a folder in ui/views and one row here.
#pragma once

#include <span>

#include "ui/views/view.h"

namespace tcpscope {

struct ViewRow {
  /// For the settings file and for --view.
  const char* key;
  /// Untranslated, context "ViewCatalogue"; also the name of the view's menu.
  const char* title;
  /// Brings the view to the front.
  const char* shortcut;
  View* (*create)(const ViewContext& context, QWidget* parent);
};

std::span<const ViewRow> viewCatalogue();

}  // namespace tcpscope
