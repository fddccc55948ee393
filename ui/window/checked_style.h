// The style of the window: Fusion, in which a tool button that is checked shows that also in the dark, where Fusion's
// own shade of it looks as the others do.
#pragma once

#include <QProxyStyle>

namespace tcpscope {

class CheckedStyle : public QProxyStyle {
  Q_OBJECT
public:
  CheckedStyle();

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
};

}  // namespace tcpscope
