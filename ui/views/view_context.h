// All that a view works with, passed when it is made: the selection and the control that the views share, and the
// ports. A view takes what it needs and copes with a null port by explaining what is missing.
#pragma once

#include "ui/feed/control_state.h"
#include "ui/feed/ports.h"
#include "ui/feed/selection.h"

namespace tcpscope {

/// Everything in it outlives the view.
struct ViewContext {
  Selection& selection;
  ControlState& control;
  Ports ports = {};
};

}  // namespace tcpscope
