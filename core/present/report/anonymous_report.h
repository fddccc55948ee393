// A report without the names of who it is about: addresses and names become placeholders, the same one for the same
// thing throughout; ports, figures and settings stay.
//
// The series of packets, from which figures are computed, hold no addresses and stay. The rest is
// core/session/anonymizer.h.
#pragma once

#include "core/present/report/report_pair.h"

namespace tcpscope {

ReportModel anonymous(const ReportModel& report);
/// What both speak of has the same placeholder in both.
ReportPair anonymous(const ReportPair& pair);

}  // namespace tcpscope
