#include "app/remote/agent_bundle.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "app/remote/command_line_program.h"
#include "app/remote/ustar.h"
#include "collectors/system/child_output.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kCommandLine = "tcpscope-cli";
constexpr const char* kAgent = "tcpscope-agent";
constexpr std::uintmax_t kLargestBundle = 1U << 30U;

std::optional<fs::path> findCommandLine() {
  if (auto beside = commandLineBeside()) return beside;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path candidate = fs::path(folder) / kCommandLine;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

/// The files of a bundle by the names that they have in it. Empty where one is not found.
using BundledFiles = std::map<std::string, fs::path>;

/// What the program's own loader says that it would load (ld.so(8), LD_TRACE_LOADED_OBJECTS), such as
/// "libc.so.6 => /lib/libc.so.6 (0x7f…)" and, for itself, "/lib64/ld-linux-x86-64.so.2 (0x7f…)".
BundledFiles filesOf(const fs::path& program) {
  BundledFiles files{{kAgent, program}};
  const auto output = outputOf(
      {.arguments = {program.string()}, .input = ChildStream::null(), .environment = {"LD_TRACE_LOADED_OBJECTS=1"}});
  std::istringstream lines(output ? output->text : std::string());
  constexpr std::string_view kFoundAt = " => ";
  for (std::string line; std::getline(lines, line);) {
    const std::string_view text = std::string_view(line).substr(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::string_view behindName = text.substr(0, text.rfind(" ("));
    const std::size_t arrow = behindName.find(kFoundAt);
    if (arrow != std::string_view::npos) {
      const fs::path path(behindName.substr(arrow + kFoundAt.size()));
      if (!path.is_absolute()) return {};
      files[fs::path(behindName.substr(0, arrow)).filename()] = path;
    } else if (behindName.starts_with('/')) {
      files["ld.so"] = behindName;
    }
  }
  return files.contains("ld.so") ? files : BundledFiles();
}

std::optional<std::vector<std::byte>> contentOf(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > kLargestBundle) return std::nullopt;
  std::vector<std::byte> bytes(size);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  return file ? std::optional(std::move(bytes)) : std::nullopt;
}

/// What the kernel and the loader read of a program: debug information and names for linkers, many times as large, lie
/// behind it (elf(5)). Another format stays as it is.
void keepRunnablePart(std::vector<std::byte>& file) {
  Elf64_Ehdr header;
  if (file.size() < sizeof header) return;
  std::memcpy(&header, file.data(), sizeof header);
  const bool isElf = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64;
  if (!isElf || header.e_phentsize != sizeof(Elf64_Phdr)) return;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    if (at + sizeof(Elf64_Phdr) > file.size()) return;
    Elf64_Phdr segment;
    std::memcpy(&segment, file.data() + at, sizeof segment);
    end = std::max({end, at + sizeof segment, segment.p_offset + segment.p_filesz});
  }
  if (end >= file.size()) return;
  header.e_shoff = 0;
  header.e_shnum = 0;
  header.e_shstrndx = SHN_UNDEF;
  std::memcpy(file.data(), &header, sizeof header);
  file.resize(end);
}

}  // namespace

Expected<std::vector<std::byte>, int> bundleAgent() {
  const auto commandLine = findCommandLine();
  const auto program = commandLine ? agentBeside(*commandLine) : std::nullopt;
  const BundledFiles files = program ? filesOf(*program) : BundledFiles();
  if (files.empty()) return Unexpected<int>(ENOENT);
  std::vector<std::byte> tar;
  for (const auto& [name, path] : files) {
    auto content = contentOf(path);
    if (!content || tar.size() > kLargestBundle) return Unexpected<int>(ENOENT);
    keepRunnablePart(*content);
    appendToTar(tar, name, *content);
  }
  endTar(tar);
  return tar;
}

}  // namespace tcpscope
