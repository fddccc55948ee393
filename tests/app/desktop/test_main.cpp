// The tests' executable is the lab's engine, too, as every program is that starts labs, and has windows on the
// offscreen platform.
#include <gtest/gtest.h>

#include <QApplication>

#include "app/lab/engine/lab_engine.h"

int main(int argumentCount, char** arguments) {
  if (const auto code = tcpscope::lab::runLabEngineIfAsked(argumentCount, arguments)) return *code;
  testing::InitGoogleTest(&argumentCount, arguments);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argumentCount, arguments);
  return RUN_ALL_TESTS();
}
