/// The names of a store's files, derived from the path of its snapshot, which is the path that the user knows.
struct StorePaths: Hashable, Sendable {
  /// The snapshot.
  let snapshot: String
  /// The commits since the snapshot.
  let journal: String
  /// The changes that lead back from the snapshot to earlier versions; only beside stores that keep versions.
  let history: String
  /// The lock, which is never renamed.
  let lock: String

  /// The names that belong to the snapshot at `path`, an absolute path without links.
  init(_ path: String) {
    snapshot = path
    // Each commit looks at these names.
    (journal, history, lock) = (path + ".journal", path + ".history", path + ".lock")
  }

  /// The file for the bytes that an opening after a crash cuts off the journal behind a version (S6): `….cut-off-5`,
  /// and `….cut-off-5-2` when that name is used.
  func cutOff(behind version: UInt64, _ number: Int = 1) -> String {
    snapshot + ".cut-off-\(version)" + (number > 1 ? "-\(number)" : "")
  }

  /// The name for a file of another kind that had the store's name before it: `….original`, and `….original-2` when
  /// that name is used.
  func original(_ number: Int) -> String { snapshot + ".original" + (number > 1 ? "-\(number)" : "") }

  /// How many files of one version, or of one original, are kept under numbered names.
  static let lastNumber = 1000

  /// The longest of all names that are derived from the path: that of a journal that is being written.
  var longest: String { journal + "." + String(repeating: "0", count: 24) + ".tmp" }

  /// The folder of all these files.
  var folder: String { FilePath.parts(of: snapshot).folder }
}

// MARK: - Files on their way to their names

extension StorePaths {
  /// A random name for a file that is being written: `dogs.realm.0123456789abcdef89ab4567.tmp`, and
  /// `dogs.realm.journal.….tmp` for a journal. Eight of its digits are a checksum of the rest, so the name itself is a
  /// mark: a file of that name was made by this library for this path.
  func temporary(for path: String, _ system: any FileSystem) -> String {
    let path = path == journal || path == history ? path : snapshot
    let digits = Self.hexadecimal(system.randomBits(), count: 16)
    return path + "." + digits + Self.check(FilePath.parts(of: path).name, digits) + ".tmp"
  }

  /// The name without the random part; nil if the name is not one that `temporary` makes.
  static func base(ofTemporary name: String) -> String? {
    let bytes = Array(name.utf8)
    guard bytes.count > 29, bytes.suffix(4).elementsEqual(".tmp".utf8), bytes[bytes.count - 29] == 0x2E else {
      return nil
    }
    let base = String(decoding: bytes.dropLast(29), as: UTF8.self)
    let digits = String(decoding: bytes.suffix(28).prefix(16), as: UTF8.self)
    return bytes.suffix(12).prefix(8).elementsEqual(check(base, digits).utf8) ? base : nil
  }

  private static func check(_ name: String, _ digits: String) -> String {
    let bytes = Array((name + "." + digits).utf8)
    return hexadecimal(UInt64(unsafe bytes.withUnsafeBytes { unsafe CRC32C.checksum($0) }), count: 8)
  }

  private static func hexadecimal(_ number: UInt64, count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }

  /// Removes the temporary files of writers that died. The caller is the only writer of the store. A file that cannot
  /// be removed does no harm, and the next opening tries again.
  func removeTemporaryFiles(_ system: any FileSystem) {
    let (folder, name) = FilePath.parts(of: snapshot)
    guard let names = try? system.names(in: folder, beginningWith: name + ".") else { return }
    let bases = [name, name + ".journal", name + ".history"]
    for found in names.sorted() {
      guard let base = Self.base(ofTemporary: found), bases.contains(base) else { continue }
      let path = FilePath.path(found, in: folder)
      if (try? system.entry(at: path))?.kind == .file { try? system.remove(path) }
    }
  }
}
