// What a program on another host printed: its document, and the last sentence of tcpscope-cli there.
#pragma once

#include <string>
#include <string_view>

namespace tcpscope {

/// From the document on: start-up files of a shell may print lines of their own before it. Empty without one.
std::string_view documentIn(std::string_view output);

/// Of tcpscope-cli's own on standard error, where ssh and others speak, too; as plain text, and without its name.
std::string lastSentenceIn(std::string_view errors);

}  // namespace tcpscope
