#include "ui/window/theme_switch.h"

#include <QApplication>

#include "ui/window/checked_style.h"

namespace tcpscope {

void applyTheme(ThemeChoice choice) {
  // The desktop's own appearance, read before it is replaced for the first time.
  static const Appearance kDesktop = appearanceOf(QApplication::palette());
  static const bool kStyleSet = [] {
    QApplication::setStyle(new CheckedStyle);
    return true;
  }();
  static_cast<void>(kStyleSet);
  const Appearance appearance = choice == ThemeChoice::system  ? kDesktop
                                : choice == ThemeChoice::light ? Appearance::light
                                                               : Appearance::dark;
  QApplication::setPalette(themePalette(appearance));
}

}  // namespace tcpscope
