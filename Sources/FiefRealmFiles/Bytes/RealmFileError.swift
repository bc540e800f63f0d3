/// Why a file of Realm was refused: what is wrong, where, and what to do about it.
package struct RealmFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of refusal.
  package enum Code: Hashable, Sendable {
    /// The file is of another kind.
    case notRealm
    /// The file looks encrypted.
    case encrypted
    /// The file has a format that this library does not read: an older one, or a newer one.
    case format
    /// The file contradicts itself, or its bytes have no meaning.
    case damaged
    /// The file is sound, and holds something that has no counterpart here.
    case unsupported
  }

  /// The kind of refusal.
  package let code: Code
  /// One sentence or two: what is wrong, with its place, and what to do.
  package let message: String
  /// The byte of the file at which the fault was found, if it has one.
  package let offset: Int?
  /// The place among the tables, if the fault has one.
  package let place: FilePlace

  init(_ code: Code, _ message: String, offset: Int? = nil, place: FilePlace = FilePlace()) {
    self.code = code
    self.message = message
    self.offset = offset
    self.place = place
  }

  /// The message.
  package var description: String { message }
}

/// A place among the tables of a file, as far as it is known.
package struct FilePlace: Hashable, Sendable, CustomStringConvertible {
  /// The name of the table.
  package var table: String?
  /// The name of the column.
  package var column: String?
  /// The key that the file gives to the row.
  package var row: Int64?

  /// The place as the end of a sentence, with a space in front; empty for an unknown place.
  package var description: String {
    guard let table else { return "" }
    let path = column.map { "'\(table).\($0)'" } ?? "'\(table)'"
    return row.map { " in \(path), object \($0)" } ?? " in \(path)"
  }
}
