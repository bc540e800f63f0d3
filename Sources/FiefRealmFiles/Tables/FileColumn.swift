import FiefGraph

/// The attributes of a column, as bits.
struct FileAttributes: OptionSet {
  let rawValue: Int64

  static let indexed = FileAttributes(rawValue: 1)
  static let nullable = FileAttributes(rawValue: 16)
  static let list = FileAttributes(rawValue: 32)
  static let dictionary = FileAttributes(rawValue: 64)
  static let set = FileAttributes(rawValue: 128)
  static let fullText = FileAttributes(rawValue: 256)
}

/// One column of a table in a file.
struct FileColumn {
  let name: String
  let type: FileType
  let attributes: FileAttributes
  let key: UInt64
  /// The key of the table at the other end of links and backlinks; nil for other columns.
  let opposite: Int64?
  /// The key of the column at the other end of backlinks.
  let oppositeColumn: UInt64?
  /// The strings that an enumerated column numbers.
  let enumeration: Int64

  /// The position of its leaf in a cluster.
  var leaf: Int { Int(key & 0xFFFF) }
  var isNullable: Bool { attributes.contains(.nullable) }

  /// Whether it holds one value or a collection.
  var shape: ColumnShape {
    if type == .linkList || attributes.contains(.list) { return .list }
    if attributes.contains(.set) { return .set }
    return attributes.contains(.dictionary) ? .dictionary : .single
  }
}
