/// The kind of a file, by its first bytes.
///
///     switch FileKind(of: firstBytes) {
///     case .originalRealm: "This is a file of the original Realm; copy its objects over."
///     ...
///
/// It does not prove that a file is sound: only reading the whole file does.
package enum FileKind: Hashable, Sendable {
  /// A file without bytes.
  case empty
  /// A snapshot of this library, of this format version.
  case snapshot(formatVersion: UInt32)
  /// A journal of this library, of this format version.
  case journal(formatVersion: UInt32)
  /// A history of this library, of this format version.
  case history(formatVersion: UInt32)
  /// A database of the original Realm, of this version of its file format.
  case originalRealm(fileFormat: UInt8)
  /// A database of SQLite.
  case sqlite
  /// Text.
  case text
  /// Zeros: space that was allocated, but never written, or whose bytes never reached the disk.
  case zeros
  /// An unknown kind; perhaps encrypted.
  case unknown

  /// The first bytes of a snapshot.
  static let snapshotMagic: StaticString = "FiefSnap"
  /// The first bytes of a journal.
  static let journalMagic: StaticString = "FiefJrnl"
  /// The first bytes of a history.
  static let historyMagic: StaticString = "FiefHist"

  /// The maximum number of bytes that are examined.
  package static let inspectedLength = 512

  /// The kind of a file that begins with `bytes`.
  ///
  /// - Parameter bytes: The first bytes of the file, 512 if it has as many; further ones are ignored.
  package init(of bytes: UnsafeRawBufferPointer) {
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.inspectedLength))
    func has(_ magic: StaticString, at offset: Int) -> Bool {
      bytes.count >= offset + magic.utf8CodeUnitCount
        && (0..<magic.utf8CodeUnitCount).allSatisfy { unsafe bytes[offset + $0] == magic.utf8Start[$0] }
    }
    /// The format version behind a magic of eight bytes; nil if the bytes end before it.
    func formatVersion(behind magic: StaticString) -> UInt32? {
      guard has(magic, at: 0), bytes.count >= 12 else { return nil }
      return unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }
    if unsafe bytes.isEmpty {
      self = .empty
    } else if unsafe bytes.allSatisfy({ $0 == 0 }) {
      self = .zeros
    } else if let version = formatVersion(behind: Self.snapshotMagic) {
      self = .snapshot(formatVersion: version)
    } else if let version = formatVersion(behind: Self.journalMagic) {
      self = .journal(formatVersion: version)
    } else if let version = formatVersion(behind: Self.historyMagic) {
      self = .history(formatVersion: version)
    } else if has("T-DB", at: 16), bytes.count >= 24 {
      // Two positions of eight bytes, the mnemonic, the format version beside each position, a reserved byte, and flags
      // whose lowest bit selects one of the two.
      self = unsafe .originalRealm(fileFormat: bytes[20 + Int(bytes[23] & 1)])
    } else if has("SQLite format 3\0", at: 0) {
      self = .sqlite
    } else {
      self = unsafe Self.isText(bytes) ? .text : .unknown
    }
  }

  /// Whether the bytes are UTF-8 without control characters other than those of lines. The last character may be cut.
  private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard unsafe bytes.allSatisfy({ $0 >= 32 && $0 != 127 || 9...13 ~= $0 }) else { return false }
    return (0...min(3, bytes.count)).contains { unsafe String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }

  /// The kind as the end of a sentence that begins with "it is".
  package var phrase: String {
    switch self {
    case .empty: "empty"
    case .snapshot(let version): "a snapshot of format \(version)"
    case .journal(let version): "a journal of format \(version)"
    case .history(let version): "a history of format \(version)"
    case .originalRealm(let format): "a database of the original Realm (file format \(format))"
    case .sqlite: "an SQLite database"
    case .text: "text"
    case .zeros: "nothing but zeros"
    case .unknown: "of a kind that is not known here, perhaps encrypted"
    }
  }
}
