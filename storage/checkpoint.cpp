#include "storage/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <hdf5.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "program/fail_together.hpp"
#include "program/first_error.hpp"
#include "program/user_error.hpp"
#include "program/whole_file.hpp"

namespace heddle::storage {
namespace {

namespace fs = std::filesystem;
using program::UserError;

constexpr const char* kFormat = "heddle-checkpoint";
constexpr int kVersion = 1;
constexpr const char* kChecksum = "xxh3";
constexpr const char* kSuffix = ".h5";

/// What goes wrong in HDF5: the caller knows what it was about.
struct Hdf5Error {};

/// An HDF5 identifier, closed at its end.
class Id {
 public:
  Id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id < 0) throw Hdf5Error();
  }
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  ~Id() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  void close() {
    if (close_(std::exchange(id_, -1)) < 0) throw Hdf5Error();
  }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void require(herr_t status) {
  if (status < 0) throw Hdf5Error();
}

/// HDF5 prints nothing by itself.
void silence() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Id space_of(const std::vector<hsize_t>& shape) {
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose};
}

void write_attribute(hid_t object, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                     const void* values) {
  const Id space = shape.empty() ? Id(H5Screate(H5S_SCALAR), H5Sclose) : space_of(shape);
  const Id attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  require(H5Awrite(attribute, type, values));
}

void write_text_attribute(hid_t object, const char* name, const std::string& text) {
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  require(H5Tset_size(type, text.size() + 1));
  write_attribute(object, name, type, {}, text.c_str());
}

/// A small dataset with its checksum.
void write_checked(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                   std::span<const std::byte> bytes) {
  const Id space = space_of(shape);
  const Id dataset(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
  const std::uint64_t checksum = checksum_of(bytes);
  write_attribute(dataset, kChecksum, H5T_STD_U64LE, {}, &checksum);
}

/// A dataset that is written past HDF5. Returns where.
std::uint64_t reserve(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& shape) {
  const Id space = space_of(shape);
  const Id how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  require(H5Pset_layout(how, H5D_CONTIGUOUS));
  require(H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY));
  require(H5Pset_fill_time(how, H5D_FILL_TIME_NEVER));
  const Id dataset(H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
  const haddr_t at = H5Dget_offset(dataset);
  if (at == HADDR_UNDEF) throw Hdf5Error();
  return at;
}

template <class Field>
auto column(const std::vector<mesh::Key>& keys, Field mesh::Key::* field) {
  std::vector<Field> values;
  for (const mesh::Key& key : keys) values.push_back(key.*field);
  return values;
}

struct Places {
  std::uint64_t values = 0, checksums = 0;
};

Places make_file(const std::string& path, const CheckpointHead& head) {
  silence();
  const Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));  // its own parts have checksums
  Id file(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access), H5Fclose);
  write_text_attribute(file, "format", kFormat);
  write_attribute(file, "version", H5T_STD_I32LE, {}, &kVersion);
  write_text_attribute(file, "program", head.program);
  write_attribute(file, "ratio", H5T_STD_I32LE, {}, &head.ratio);
  write_attribute(file, "roots", H5T_STD_I32LE, {head.roots.size()}, head.roots.data());
  write_attribute(file, "deepest_level", H5T_STD_I32LE, {}, &head.deepest_level);
  write_checked(file, "state", H5T_STD_U8LE, {head.state.size()}, std::as_bytes(std::span(head.state)));
  for (const char* const group : {"tree", "blocks"})
    Id(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose).close();
  const hsize_t leaves = head.keys.size();
  const auto place = column(head.keys, &mesh::Key::place);
  const auto level = column(head.keys, &mesh::Key::level);
  const auto owner = column(head.keys, &mesh::Key::owner);
  write_checked(file, "tree/place", H5T_STD_I64LE, {leaves}, std::as_bytes(std::span(place)));
  write_checked(file, "tree/level", H5T_STD_I32LE, {leaves}, std::as_bytes(std::span(level)));
  write_checked(file, "tree/owner", H5T_STD_I32LE, {leaves}, std::as_bytes(std::span(owner)));
  std::vector<hsize_t> shape{leaves};
  shape.insert(shape.end(), head.block_shape.begin(), head.block_shape.end());
  Places places;
  places.checksums = reserve(file, "blocks/checksums", H5T_STD_U64LE, {leaves});
  places.values = reserve(file, "blocks/values", H5T_IEEE_F64LE, shape);
  file.close();
  return places;
}

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw UserError(
      fmt::format("cannot write {}: {}; make room or choose another path", path, std::strerror(error)));
}

/// Takes the room on the disk for a file that is as long as it will be, where the file system can do that:
/// later nobody has to find that there is none.
void take_room(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) cannot_write(path, errno);
  const off_t end = lseek(descriptor, 0, SEEK_END);
  const int error = end > 0 && fallocate(descriptor, 0, 0, end) != 0 ? errno : 0;
  close(descriptor);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) cannot_write(path, error);
}

std::size_t product(const std::vector<int>& shape) {
  std::size_t all = 1;
  for (const int n : shape) all *= static_cast<std::size_t>(n);
  return all;
}

}  // namespace

CheckpointWriter::CheckpointWriter(std::string path, const CheckpointHead& head, int leaves,
                                   exchange::Communicator& ranks)
    : path_(std::move(path)),
      ranks_(ranks),
      unfinished_(unfinished_name(path_, ranks)),
      doubles_(product(head.block_shape)),
      left_(leaves) {
  std::array<std::int64_t, 2> places{};
  const auto make = [&] {
    if (ranks_.rank() != 0) return;
    try {
      errno = 0;
      const Places made = make_file(unfinished_, head);
      places = {static_cast<std::int64_t>(made.values), static_cast<std::int64_t>(made.checksums)};
    } catch (const Hdf5Error&) {
      cannot_write(path_, errno != 0 ? errno : EIO);
    }
    take_room(unfinished_);
  };
  try {
    program::fail_together(ranks_, make);
    ranks_.reduce(places, exchange::Reduction::most);
    values_ = static_cast<std::uint64_t>(places[0]);
    checksums_ = static_cast<std::uint64_t>(places[1]);
    program::fail_together(ranks_, [&] { file_ = SharedFile(unfinished_); });
  } catch (const UserError&) {
    if (ranks_.rank() == 0) std::remove(unfinished_.c_str());
    throw;
  }
}

CheckpointWriter::~CheckpointWriter() {
  if (!is_finished_ && ranks_.rank() == 0) std::remove(unfinished_.c_str());
}

void CheckpointWriter::write(int leaf, const BlockValues& values) const {
  std::vector<std::span<const std::byte>> bytes;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(), XXH3_freeState);
  XXH3_64bits_reset(hash.get());
  for (const std::span<const double> piece : values.pieces) {
    bytes.push_back(std::as_bytes(piece));
    XXH3_64bits_update(hash.get(), bytes.back().data(), bytes.back().size());
  }
  const auto number = static_cast<std::uint64_t>(leaf);
  file_.write_through(values_ + number * doubles_ * sizeof(double), bytes);
  const std::uint64_t checksum = XXH3_64bits_digest(hash.get());
  file_.write(checksums_ + number * sizeof checksum, std::as_bytes(std::span(&checksum, 1)));
}

void CheckpointWriter::write(int leaf, const std::function<void(BlockValues& values)>& find) noexcept {
  error_.guard([&] {
    // Kept from block to block: new memory for each would cost as much as writing.
    thread_local BlockValues values;
    values.pieces.clear();
    find(values);
    write(leaf, values);
  });
  // acq_rel: who counts the last one has all others' before its flush.
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) error_.guard([&] { file_.flush(); });
}

void CheckpointWriter::finish() {
  program::fail_together(ranks_, [&] { error_.rethrow(); });
  program::fail_together(ranks_, [&] {
    if (ranks_.rank() == 0) put_in_place(unfinished_, path_, true);
  });
  is_finished_ = true;
}

namespace {

/// The open file of a reader, and what went wrong where.
class Parts {
 public:
  Parts(const std::string& path, std::function<void(const std::string&)> refuse)
      : file_(open_file(path, refuse), H5Fclose), refuse_(std::move(refuse)) {}

  template <class Value>
  Value number(const char* name, hid_t type) const {
    Value value{};
    in(name, [&] {
      const Id attribute(H5Aopen(file_, name, H5P_DEFAULT), H5Aclose);
      require(H5Aread(attribute, type, &value));
    });
    return value;
  }
  [[nodiscard]] std::string text(const char* name) const {
    std::string value;
    in(name, [&] {
      const Id attribute(H5Aopen(file_, name, H5P_DEFAULT), H5Aclose);
      const Id type(H5Aget_type(attribute), H5Tclose);
      if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) throw Hdf5Error();
      value.resize(H5Tget_size(type));
      require(H5Aread(attribute, type, value.data()));
      value.resize(std::strlen(value.c_str()));
    });
    return value;
  }
  [[nodiscard]] std::vector<int> numbers(const char* name) const {
    std::vector<int> values;
    in(name, [&] {
      const Id attribute(H5Aopen(file_, name, H5P_DEFAULT), H5Aclose);
      const Id space(H5Aget_space(attribute), H5Sclose);
      const hssize_t count = H5Sget_simple_extent_npoints(space);
      if (count < 1 || count > 3) throw Hdf5Error();
      values.resize(static_cast<std::size_t>(count));
      require(H5Aread(attribute, H5T_NATIVE_INT, values.data()));
    });
    return values;
  }
  /// A dataset of one axis whose checksum is right.
  template <class Value>
  std::vector<Value> column(const char* name, hid_t type) const {
    std::vector<Value> values;
    in(name, [&] {
      const Id dataset(H5Dopen2(file_, name, H5P_DEFAULT), H5Dclose);
      values.resize(shape_of(dataset, 1)[0]);
      require(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
      if (H5Aexists(dataset, kChecksum) <= 0) return;  // of the values: they are the checksums
      std::uint64_t expected = 0;
      const Id attribute(H5Aopen(dataset, kChecksum, H5P_DEFAULT), H5Aclose);
      require(H5Aread(attribute, H5T_NATIVE_UINT64, &expected));
      if (checksum_of(std::as_bytes(std::span(values))) != expected) throw Hdf5Error();
    });
    return values;
  }
  /// Shape without the leaves, and where the values begin.
  std::pair<std::vector<int>, std::uint64_t> values(const char* name, std::size_t leaves) const {
    std::pair<std::vector<int>, std::uint64_t> found;
    in(name, [&] {
      const Id dataset(H5Dopen2(file_, name, H5P_DEFAULT), H5Dclose);
      const std::vector<hsize_t> shape = shape_of(dataset, 0);
      if (shape.size() < 2 || shape[0] != leaves) throw Hdf5Error();
      found.first.assign(shape.begin() + 1, shape.end());
      found.second = H5Dget_offset(dataset);
      if (found.second == HADDR_UNDEF) throw Hdf5Error();
    });
    return found;
  }

 private:
  static hid_t open_file(const std::string& path, const std::function<void(const std::string&)>& refuse) {
    silence();
    if (H5Fis_hdf5(path.c_str()) <= 0) refuse("is no checkpoint");
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) refuse("is damaged or cut off: HDF5 cannot open it");
    return file;
  }
  static std::vector<hsize_t> shape_of(hid_t dataset, int axes) {
    const Id space(H5Dget_space(dataset), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 1 || (axes != 0 && rank != axes)) throw Hdf5Error();
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    require(H5Sget_simple_extent_dims(space, shape.data(), nullptr));
    return shape;
  }
  template <class Read>
  void in(const char* name, Read&& read) const {
    try {
      read();
    } catch (const Hdf5Error&) {
      refuse_(fmt::format("is damaged in '{}'", name));
    }
  }

  Id file_;
  std::function<void(const std::string&)> refuse_;
};

/// Of what checkpoint_path() names, without its folder: the step.
std::optional<int> step_of(const std::string& stem, const std::string& name) {
  if (!name.starts_with(stem)) return std::nullopt;
  int step = 0;
  const auto [stop, status] = std::from_chars(name.data() + stem.size(), name.data() + name.size(), step);
  if (status != std::errc() || checkpoint_path(stem, step) != name) return std::nullopt;
  return step;
}

/// Of the files that checkpoint_path() names: the steps, ascending.
std::vector<int> steps_of(const std::string& prefix) {
  const std::string stem = fs::path(prefix).filename().string();
  std::vector<int> steps;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(program::folder_of(prefix), error)) {
    if (const auto step = step_of(stem, entry.path().filename().string())) steps.push_back(*step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

/// Whether every byte of it is what was written.
bool is_whole(const std::string& path, const std::string& program) {
  try {
    const CheckpointReader reader(path, program, false);
    std::vector<double> values(reader.doubles());
    for (std::size_t leaf = 0; leaf < reader.head().keys.size(); ++leaf)
      reader.read(static_cast<int>(leaf), values);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

}  // namespace

CheckpointReader::CheckpointReader(std::string path, const std::string& program, bool offers_another)
    : path_(std::move(path)), offers_another_(offers_another) {
  head_.program = program;
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (!fs::exists(status))
    refuse(fs::is_symlink(path_, error) ? "is a link that leads nowhere" : "does not exist");
  // Opening a pipe would wait, and a device may have no end.
  if (!fs::is_regular_file(status))
    refuse(fs::is_directory(status) ? "is a folder, no checkpoint"
           : fs::is_fifo(status)    ? "is a pipe, no checkpoint"
                                    : "is a device or a socket, no checkpoint");
  if (access(path_.c_str(), R_OK) != 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  const Parts parts(path_, [this](const std::string& what) { refuse(what); });
  if (parts.text("format") != kFormat) refuse("is no checkpoint");
  if (const int version = parts.number<int>("version", H5T_NATIVE_INT); version != kVersion)
    refuse(fmt::format("is of version {}, which this program does not know", version));
  if (const std::string other = parts.text("program"); other != program)
    refuse(fmt::format("is a checkpoint of {}", other));
  head_.ratio = parts.number<int>("ratio", H5T_NATIVE_INT);
  head_.roots = parts.numbers("roots");
  head_.deepest_level = parts.number<int>("deepest_level", H5T_NATIVE_INT);
  const auto state = parts.column<char>("state", H5T_NATIVE_UINT8);
  head_.state.assign(state.begin(), state.end());
  const auto place = parts.column<std::int64_t>("tree/place", H5T_NATIVE_INT64);
  const auto level = parts.column<std::int32_t>("tree/level", H5T_NATIVE_INT32);
  const auto owner = parts.column<std::int32_t>("tree/owner", H5T_NATIVE_INT32);
  checksums_ = parts.column<std::uint64_t>("blocks/checksums", H5T_NATIVE_UINT64);
  const std::size_t leaves = place.size();
  if (level.size() != leaves || owner.size() != leaves || checksums_.size() != leaves)
    refuse("is damaged in 'tree'");
  for (std::size_t n = 0; n < leaves; ++n) head_.keys.push_back({place[n], owner[n], level[n]});
  std::tie(head_.block_shape, values_) = parts.values("blocks/values", leaves);
  doubles_ = product(head_.block_shape);
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
}

CheckpointReader::~CheckpointReader() {
  if (descriptor_ >= 0) close(descriptor_);
}

void CheckpointReader::read(
    std::span<const int> leaves, const ForEach& for_each,
    const std::function<void(int n, const std::vector<double>& values)>& unpack) const {
  program::FirstError error;
  for_each(static_cast<int>(leaves.size()), [&](int n) {
    error.guard([&] {
      thread_local std::vector<double> values;
      values.resize(doubles_);
      read(leaves[static_cast<std::size_t>(n)], values);
      unpack(n, values);
    });
  });
  error.rethrow();
}

void CheckpointReader::read(int leaf, std::span<double> values) const {
  auto bytes = std::as_writable_bytes(values);
  std::uint64_t at = values_ + static_cast<std::uint64_t>(leaf) * bytes.size();
  while (!bytes.empty()) {
    const ssize_t got = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (got == 0) refuse("is cut off");
    at += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  if (checksum_of(std::as_bytes(values)) != checksums_[static_cast<std::size_t>(leaf)])
    refuse(fmt::format("is damaged in 'blocks/values', block {}", leaf));
}

void CheckpointReader::refuse(const std::string& what) const {
  std::string message = fmt::format("{} {}", path_, what);
  if (offers_another_) {
    std::string prefix = path_;
    if (prefix.ends_with(kSuffix)) prefix.resize(prefix.size() - std::strlen(kSuffix));
    prefix.resize(prefix.find_last_not_of("0123456789") + 1);
    std::vector<int> steps = steps_of(prefix);
    std::reverse(steps.begin(), steps.end());
    const auto whole = std::find_if(steps.begin(), steps.end(), [&](int step) {
      const std::string other = checkpoint_path(prefix, step);
      return other != path_ && is_whole(other, head_.program);
    });
    message += whole != steps.end()
                   ? fmt::format("; {} is whole: give --restart {}", checkpoint_path(prefix, *whole),
                                 checkpoint_path(prefix, *whole))
                   : "; there is no other beside it: give another --restart or leave it out";
  }
  throw UserError(message);
}

void deal_out(std::vector<mesh::Key>& keys, int ranks) {
  const auto last = std::max_element(
      keys.begin(), keys.end(), [](const mesh::Key& a, const mesh::Key& b) { return a.owner < b.owner; });
  if (last != keys.end() && last->owner + 1 == ranks) return;
  for (std::size_t n = 0; n < keys.size(); ++n)
    keys[n].owner = static_cast<std::int32_t>(n * static_cast<std::size_t>(ranks) / keys.size());
}

std::string checkpoint_path(const std::string& prefix, int step) {
  return fmt::format("{}{:05}{}", prefix, step, kSuffix);
}

void remove_old_checkpoints(const std::string& prefix, int step, int keep) {
  std::vector<int> steps = steps_of(prefix);
  std::erase_if(steps, [=](int other) { return other >= step; });
  for (int n = 0; n + keep <= static_cast<int>(steps.size()); ++n)
    std::remove(checkpoint_path(prefix, steps[static_cast<std::size_t>(n)]).c_str());
  const std::string stem = fs::path(prefix).filename().string();
  remove_unfinished(program::folder_of(prefix),
                    [&](const std::string& finished) { return step_of(stem, finished).has_value(); });
}

}  // namespace heddle::storage
