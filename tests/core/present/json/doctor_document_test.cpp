#include "core/present/json/doctor_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

using nlohmann::json;

std::string doctorDocumentOf(const CapabilityReport& report) {
  return toJson(report, UntrustedText("6.18.1\x1b[31m"), WallTime::fromNanoseconds(0));
}

TEST(DoctorDocument, ConformsToItsSchema) {
  EXPECT_TRUE(test::conformsTo(doctorSchema(), doctorDocumentOf({})));
  EXPECT_TRUE(test::conformsTo(
      doctorSchema(),
      doctorDocumentOf({{Capability::socketDump, CapabilityStatus::works, CapabilityReason::none, {}},
                        {Capability::vethPairs, CapabilityStatus::notTried, CapabilityReason::needsAnother, {}},
                        {Capability::tunDevices, CapabilityStatus::missing, CapabilityReason::notSupported, {}},
                        {Capability::tcpInfo, CapabilityStatus::limited, CapabilityReason::olderKernel, 104}})));
}

TEST(DoctorDocument, NamesTheCommandOnlyWhereOneMends) {
  const json checks =
      json::parse(
          doctorDocumentOf({{Capability::socketDump, CapabilityStatus::works, CapabilityReason::none, {}},
                            {Capability::tunDevices, CapabilityStatus::missing, CapabilityReason::notSupported, {}}}))
          .at("checks");
  EXPECT_FALSE(checks[0].contains("command"));
  EXPECT_EQ(checks[1].at("name"), "tun_devices");
  EXPECT_EQ(checks[1].at("state"), "missing");
  EXPECT_EQ(checks[1].at("command"), "sudo modprobe tun");
}

TEST(DoctorDocument, TakesControlCharactersOutOfTheKernelsName) {
  EXPECT_EQ(json::parse(doctorDocumentOf({})).at("kernel"), "6.18.1[31m");
}

}  // namespace
}  // namespace tcpscope
