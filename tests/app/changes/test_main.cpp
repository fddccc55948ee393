// Runs in a network namespace of its own, so that what is changed is no setting of this machine; without one the tests
// that change something skip.
#include <gtest/gtest.h>

#include "tests/support/own_namespace.h"

int main(int argumentCount, char** arguments) {
  tcpscope::test::enterOwnNamespace();
  testing::InitGoogleTest(&argumentCount, arguments);
  return RUN_ALL_TESTS();
}
