// The one QApplication of all widget tests, on the offscreen platform, so that they run where there is no display.
#include <gtest/gtest.h>

#include <QApplication>
#include <memory>

namespace tcpscope {
namespace {

class ApplicationEnvironment : public testing::Environment {
public:
  void SetUp() override {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (QCoreApplication::instance() == nullptr) m_application = std::make_unique<QApplication>(m_count, m_arguments);
  }
  void TearDown() override { m_application.reset(); }

private:
  int m_count = 1;
  char m_name[9] = "ui_tests";
  char* m_arguments[2] = {m_name, nullptr};
  std::unique_ptr<QApplication> m_application;
};

const testing::Environment* const kEnvironment = testing::AddGlobalTestEnvironment(new ApplicationEnvironment);

TEST(ApplicationEnvironmentTest, WidgetsCanBeMade) {
  ASSERT_NE(kEnvironment, nullptr);
  EXPECT_NE(qobject_cast<QApplication*>(QCoreApplication::instance()), nullptr);
}

}  // namespace
}  // namespace tcpscope
