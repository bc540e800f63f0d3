import Fief
import FiefCopying
import FiefGraph
import Foundation

/// Makes objects of the rows of a file of comma-separated values; see `TableFile`. The first row has the names.
struct TableReader {
  private let bytes: Data
  private let described: DynamicSchema.Class?

  /// - Parameter described: the class; nil to tell the types by the cells.
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
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw Failure("Line \(head.line): the name '\(twice.printable)' stands twice.", .badData)
    }
    if described == nil {
      var rows: [CSVReader.Row] = []
      while let row = try reader.next() { rows.append(row) }
      for row in rows { try check(row, names) }
      let kinds = names.indices.map { column in Kind.of(rows.lazy.compactMap { $0.fields[column].value }) }
      for row in rows {
        add(names, to: &builder) { column in kinds[column].value(row.fields[column].value) }
      }
      return
    }
    let properties = names.map { name in described?.properties.first { $0.name == name } }
    while let row = try reader.next() {
      try check(row, names)
      var values: [DocumentTree?] = []
      for (column, property) in properties.enumerated() {
        values.append(try value(row.fields[column], of: property, named: names[column], line: row.line))
      }
      builder.beginObject()
      for (name, value) in zip(names, values) {
        guard let value else { continue }
        builder.name(name)
        builder.add(value)
      }
      _ = builder.endObject()
    }
  }

  private func check(_ row: CSVReader.Row, _ names: [String]) throws(Failure) {
    guard row.fields.count == names.count else {
      throw Failure(
        "Line \(row.line): it has \(row.fields.count.of("field")), and the first line has \(names.count).", .badData)
    }
  }

  private func add(
    _ names: [String], to builder: inout DocumentBuilder, value: (Int) -> DocumentTree.Value
  ) {
    builder.beginObject()
    for (column, name) in names.enumerated() {
      builder.name(name)
      builder.add(value(column))
    }
    _ = builder.endObject()
  }

  // MARK: With a schema

  /// The value of a cell by its property; nil for a cell that is left out.
  private func value(
    _ field: CSVReader.Field, of property: DynamicSchema.Property?, named name: String, line: Int
  ) throws(Failure) -> DocumentTree? {
    func wrong(_ expected: String) -> Failure {
      Failure("Line \(line), '\(name.printable)': '\(field.text.cut(to: 60).printable)' is no \(expected).", .badData)
    }
    func scalar(_ value: DocumentTree.Value) -> DocumentTree {
      var builder = DocumentBuilder()
      builder.add(value)
      return builder.finish()
    }
    guard let property else {
      if name == "$id" {
        guard let number = Int64(field.text) else { throw wrong("number") }
        return scalar(.int(number))
      }
      // The class does not have it, which is found out later.
      return scalar(.string(field.text))
    }
    guard let text = field.value else {
      // A string that cannot be null is empty, and a collection has no elements.
      if property.collection != .single { return nil }
      return scalar(property.type == .string && !property.isOptional ? .string("") : .null)
    }
    if property.collection != .single || property.type == .object || property.type == .any {
      do {
        return try DocumentParser.parse(Array(text.utf8))
      } catch {
        // Any-values of others are plain text.
        if property.type == .any, property.collection == .single { return scalar(.string(text)) }
        throw wrong("JSON")
      }
    }
    switch property.type {
    case .bool:
      switch text.lowercased() {
      case "true", "1", "yes": return scalar(.bool(true))
      case "false", "0", "no": return scalar(.bool(false))
      default: throw wrong("true or false")
      }
    case .int:
      guard let number = Int64(text) else { throw wrong("whole number") }
      return scalar(.int(number))
    default: return scalar(.string(text))
    }
  }

  // MARK: Without one

  /// What all cells of a column are.
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

    private static func isDouble(_ text: String) -> Bool {
      guard let first = text.utf8.first, first == UInt8(ascii: "-") || 0x30...0x39 ~= first else { return false }
      let digits = text.drop { $0 == "-" }
      let isPlain = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) }
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
