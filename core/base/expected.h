// The result of a call that can fail for outside reasons: a value, or a typed error (never a sentence: those are made
// in core/text).
#pragma once

#include <tl/expected.hpp>

namespace tcpscope {

template <class T, class Error>
using Expected = tl::expected<T, Error>;

template <class Error>
using Unexpected = tl::unexpected<Error>;

}  // namespace tcpscope
