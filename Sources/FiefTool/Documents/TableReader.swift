import Fief
import FiefCopying
import FiefGraph
import FiefRuntime
import Foundation

/// Makes objects of the rows of a file of comma-separated values; see `TableFile`. The first row has the names.
struct TableReader {
  private let bytes: Data
  private let described: DynamicSchema.Class?

  /// - Parameter described: the class; nil to find the types in the cells.
  init(_ bytes: Data, _ described: DynamicSchema.Class?) {
    self.bytes = bytes
    self.described = described
  }

  /// Adds an array of objects.
  func read(into builder: inout DocumentBuilder) throws(Failure) {
    var reader = CSVReader([UInt8](bytes), counting: WorkMeter.current)
    builder.beginArray()
    defer { builder.endArray() }
    guard let head = try reader.next() else { return }
    let names = head.fields.map(\.text)
    // A table may have very many columns, as when its lines do not end in line breaks.
    var known: Set<String> = []
    if let twice = names.first(where: { !known.insert($0).inserted }) {
      throw Failure("Line \(head.line): the name '\(twice.printable)' stands twice.", .badData)
    }
    guard let described else {
      var rows: [CSVReader.Row] = []
      while let row = try reader.next() { rows.append(row) }
      for row in rows { try check(row, names) }
      let kinds = names.indices.map { column in Kind.of(rows.lazy.compactMap { $0.fields[column].value }) }
      for row in rows {
        JSON.object(zip(names, zip(kinds, row.fields)).map { ($0, .value($1.0.value($1.1.value))) }).add(to: &builder)
      }
      return
    }
    let byName = Dictionary(described.properties.map { ($0.name, $0) }) { first, _ in first }
    let properties = names.map { byName[$0] }
    while let row = try reader.next() {
      try check(row, names)
      var members: [(String, JSON)] = []
      for (column, name) in names.enumerated() {
        let value = try value(row.fields[column], of: properties[column], named: name, line: row.line)
        if let value { members.append((name, value)) }
      }
      JSON.object(members).add(to: &builder)
    }
  }

  private func check(_ row: CSVReader.Row, _ names: [String]) throws(Failure) {
    guard row.fields.count == names.count else {
      throw Failure(
        "Line \(row.line): it has \(row.fields.count.of("field")), and the first line has \(names.count).", .badData)
    }
  }

  // MARK: With a schema

  /// The value of a cell by its property; nil for a cell that is left out.
  private func value(
    _ field: CSVReader.Field, of property: DynamicSchema.Property?, named name: String, line: Int
  ) throws(Failure) -> JSON? {
    func wrong(_ expected: String) -> Failure {
      Failure("Line \(line), '\(name.printable)': '\(field.text.cut(to: 60).printable)' is no \(expected).", .badData)
    }
    guard let property else {
      if name == "$id" {
        guard let number = Int64(field.text) else { throw wrong("number") }
        return .number(number)
      }
      // The class does not have it, which is found out later.
      return .text(field.text)
    }
    guard let text = field.value else {
      // A string that cannot be null is empty, and a collection has no elements.
      if property.collection != .single { return nil }
      return property.type == .string && !property.isOptional ? .text("") : .null
    }
    if property.collection != .single || property.type == .object || property.type == .any {
      do {
        return .tree(try DocumentParser.parse(Array(text.utf8)))
      } catch {
        // Any-values of others are plain text.
        if property.type == .any, property.collection == .single { return .text(text) }
        throw wrong("JSON")
      }
    }
    switch property.type {
    case .bool:
      switch text.lowercased() {
      case "true", "1", "yes": return .flag(true)
      case "false", "0", "no": return .flag(false)
      default: throw wrong("true or false")
      }
    case .int:
      guard let number = Int64(text) else { throw wrong("whole number") }
      return .number(number)
    default: return .text(text)
    }
  }

  // MARK: Without one

  /// The type of all cells of a column.
  private enum Kind {
    case bool, int, double, string

    static func of(_ texts: some Sequence<String>) -> Kind {
      var kind: Kind?
      for text in texts {
        let own: Kind =
          text == "true" || text == "false" ? .bool : isInt(text) ? .int : isDouble(text) ? .double : .string
        switch (kind, own) {
        case (nil, _): kind = own
        case (.int, .double), (.double, .int): kind = .double
        case (let known?, _): if known != own { return .string }
        }
      }
      return kind ?? .string
    }

    /// A number whose text says nothing more: a postal code with a zero in front is a string.
    private static func isInt(_ text: String) -> Bool { Int64(text).map { "\($0)" == text } ?? false }

    /// How many digits a decimal keeps. A whole number with more is the name of something, and stays as it is written.
    private static let mostDigits = 34

    private static func isDouble(_ text: String) -> Bool {
      guard let first = text.utf8.first, first == UInt8(ascii: "-") || 0x30...0x39 ~= first else { return false }
      let digits = text.drop { $0 == "-" }
      let isPlain = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) }
      if digits.utf8.count > mostDigits, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return false }
      return isPlain && (!digits.hasPrefix("0") || digits == "0" || digits.hasPrefix("0.")) && Double(text) != nil
    }

    func value(_ text: String?) -> DocumentTree.Value {
      guard let text else { return .null }
      switch self {
      case .bool: return .bool(text == "true")
      case .int: return Int64(text).map(DocumentTree.Value.int) ?? .string(text)
      case .double: return DocumentNumber.value(of: Array(text.utf8)[...]) ?? .string(text)
      case .string: return .string(text)
      }
    }
  }
}
