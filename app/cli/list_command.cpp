// `list`: one dump, no analysis; only what is printed is made.
#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/listing.h"
#include "app/cli/listing_output.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

ExitCode show(const CommandOptions& options, const ConnectionFilter& filter, Expected<Listing, SystemError> listing) {
  return listing ? writeListing(options, filter, *listing) : fail(listing.error());
}

ExitCode listFrom(const CommandOptions& options, const ConnectionFilter& filter) {
  const auto address = options.sshAddress();
  return show(
      options, filter,
      address ? takeThere(*address, options.means, filter, !options.noResolve) : takeRecorded(*options.from, filter));
}

}  // namespace

ExitCode listCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  if (options.from) return listFrom(options, *filter);
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  const Interruption interruption;
  Moment next = monotonicNow();
  for (std::uint64_t left = options.count.value_or(1); left > 0; --left) {
    const ExitCode code = show(options, *filter, takeListing(*place, *filter, !options.noResolve));
    if (code != ExitCode::done || left == 1) return code;
    next = next + options.interval();
    if (interruption.waitUntil(next) == Interruption::Wake::interrupted) break;
  }
  return ExitCode::done;
}

}  // namespace tcpscope
