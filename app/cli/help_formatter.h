// `--help` within the width of the terminal, 80 columns where there is none.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tcpscope {

class HelpFormatter final : public CLI::Formatter {
public:
  std::string make_option(const CLI::Option* option, bool isPositional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_description(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* command) const override;
  std::string make_subcommand(const CLI::App* command) const override;

private:
  [[nodiscard]] std::string row(const std::string& name, const std::string& what) const;
};

/// Broken at blanks into lines of at most `width` columns, as far as words allow; every line after the first is
/// indented by `indent`, which counts.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace tcpscope
