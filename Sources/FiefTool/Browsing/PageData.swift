import FiefCopying
import FiefGraph
import FiefValues
import Foundation

/// The objects of a file as JSON, column by column, for the script of a page.
///
///     { "title": "dogs.realm",
///       "classes": [
///         { "name": "Dog", "isEmbedded": false, "rows": 2, "key": -1, "keys": [[0, 2]],
///           "properties": [
///             { "name": "name", "type": "string", "typeWords": "string?", "shape": "single", "target": -1,
///               "values": ["Rex", null] },
///             { "name": "owner", "type": "object", "typeWords": "Person", "shape": "single", "target": 1,
///               "values": [0, 0] } ] } ] }
///
/// `key` is the position of the primary key, `keys` the numbers that the file gives the objects, as first and count. A
/// link is the position of its target in the target's class. Repeated strings stand once in `pool`, and `values` are
/// positions in it. Without `values` all are null or empty. In any-values a value is `[kind, value]`.
struct PageData {
  /// Longer strings are cut.
  static let longestText = 2_000
  /// Lists and maps in any-values are written to this depth.
  private static let deepest = 16
  /// Of data only this many bytes are shown.
  private static let shownBytes = 16

  private let objects: StoreView
  private let classes: [Table]
  /// The position of each class.
  private var numbers: [TableKey: Int] = [:]
  /// For each class, the first key and the first position of each run of keys.
  private var runs: [[(key: Int64, count: Int, position: Int)]] = []

  /// - Parameter progress: counts the values as they are written.
  static func json(_ objects: StoreView, title: String, _ progress: Progress? = nil) -> JSON {
    let data = PageData(objects)
    let classes = data.classes.enumerated().map { data.json($1, runs: data.runs[$0], progress) }
    return ["title": text(title), "classes": .array(classes)]
  }

  private init(_ objects: StoreView) {
    self.objects = objects
    classes = objects.tables
    for (number, table) in classes.enumerated() { numbers[table.schema.key] = number }
    runs = classes.map { table in
      var runs: [(key: Int64, count: Int, position: Int)] = []
      var position = 0
      table.forEachRow(from: ObjectKey(0)) { key, _, _ in
        if let last = runs.last, last.key + Int64(last.count) == key.rawValue {
          runs[runs.count - 1].count += 1
        } else {
          runs.append((key.rawValue, 1, position))
        }
        position += 1
        return true
      }
      return runs
    }
  }

  /// The position of a row in its class.
  private func position(_ link: ObjectLink) -> (table: Int, row: Int)? {
    guard let number = numbers[link.table] else { return nil }
    let runs = runs[number]
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].key <= link.key.rawValue { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let run = runs[low - 1]
    return (number, run.position + Int(link.key.rawValue - run.key))
  }

  // MARK: Structure

  private func json(
    _ table: Table, runs: [(key: Int64, count: Int, position: Int)], _ progress: Progress?
  ) -> JSON {
    let schema = table.schema
    let properties = schema.columns.enumerated().map { leaf, column -> JSON in
      .written {
        json(column, leaf, of: table).add(to: &$0)
        progress?.advance(by: table.count)
      }
    }
    return [
      "name": Self.text(schema.name), "isEmbedded": .flag(schema.kind == .embedded), "rows": .number(table.count),
      "key": .number(schema.primaryKey.flatMap(schema.leaf) ?? -1),
      "keys": .array(runs.map { .array([.number($0.key), .number($0.count)]) }), "properties": .array(properties),
    ]
  }

  private func json(_ column: Column, _ leaf: Int, of table: Table) -> JSON {
    let type = column.type
    let pool = pool(leaf, type, of: table)
    let positions = pool.map { JSON.array($0.positions.map { .number($0) }) }
    return .members([
      "name": Self.text(column.name), "type": .text(type.kind.word), "typeWords": Self.text(typeWords(type)),
      "shape": .text(type.shape.word), "target": .number(type.target.flatMap { numbers[$0] } ?? -1),
      "pool": pool.map { .array($0.texts.map(Self.text)) },
      "values": positions
        ?? (hasValues(leaf, type, of: table) ? .written { write(leaf, type, of: table, to: &$0) } : nil),
    ])
  }

  /// Whether a column has anything but nulls and empty collections.
  private func hasValues(_ leaf: Int, _ type: ColumnType, of table: Table) -> Bool {
    var isFound = false
    table.forEachRow(from: ObjectKey(0)) { key, _, _ in
      isFound = type.isCollection ? table.collection(key, leaf: leaf) != nil : table.value(key, leaf: leaf)?.kind != nil
      return !isFound
    }
    return isFound
  }

  /// The strings of a column, each once, if many repeat.
  private func pool(_ leaf: Int, _ type: ColumnType, of table: Table) -> (texts: [String], positions: [Int])? {
    guard type.kind == .string, !type.isCollection, table.count >= 16 else { return nil }
    var (texts, positions) = ([String](), [Int]())
    var known: [String: Int] = [:]
    table.forEachRow(from: ObjectKey(0)) { key, _, _ in
      guard case .string(let text) = table.value(key, leaf: leaf) else {
        positions.append(-1)
        return true
      }
      // A dictionary takes canonically equivalent strings for equal: these are distinguished by their bytes.
      if let position = known[text], texts[position].utf8.elementsEqual(text.utf8) {
        positions.append(position)
      } else {
        known[text] = texts.count
        positions.append(texts.count)
        texts.append(text)
      }
      return texts.count * 2 <= table.count
    }
    return texts.count * 2 <= table.count && !texts.isEmpty ? (texts, positions) : nil
  }

  private func typeWords(_ type: ColumnType) -> String {
    let element = type.target.flatMap { objects.graph[$0]?.schema.name } ?? type.kind.word
    let optional = type.isOptional && type.kind != .link && type.kind != .any ? element + "?" : element
    return type.isCollection ? "\(type.shape.word) of \(optional)" : optional
  }

  // MARK: Values

  private func write(_ leaf: Int, _ type: ColumnType, of table: Table, to builder: inout DocumentBuilder) {
    builder.beginArray()
    table.forEachRow(from: ObjectKey(0)) { key, _, _ in
      if !type.isCollection {
        write(table.value(key, leaf: leaf) ?? .null, type, depth: 0, to: &builder)
      } else if let collection = table.collection(key, leaf: leaf) {
        write(collection, type, depth: 0, to: &builder)
      } else {
        builder.add(.null)
      }
      return true
    }
    builder.endArray()
  }

  /// Recursion ends at `deepest`.
  private func write(
    _ collection: StoredCollection, _ type: ColumnType, depth: Int, to builder: inout DocumentBuilder
  ) {
    builder.beginArray()
    var position = 0
    collection.forEach(as: type) { value in
      if type.shape == .dictionary {
        builder.beginArray()
        Self.text(collection.key(ofEntryAt: position) ?? "").add(to: &builder)
      }
      write(value, type, depth: depth, to: &builder)
      if type.shape == .dictionary { builder.endArray() }
      position += 1
      return true
    }
    builder.endArray()
  }

  private func write(_ value: Value, _ type: ColumnType, depth: Int, to builder: inout DocumentBuilder) {
    guard type.kind == .any, let kind = value.kind else { return plain(value).add(to: &builder) }
    guard case .link(let link) = value else {
      return JSON.array([.text(kind.word), plain(value)]).add(to: &builder)
    }
    guard link.table.isNested else {
      let place = position(link).map { JSON.array([.text("object"), .number($0.table), .number($0.row)]) }
      return (place ?? .null).add(to: &builder)
    }
    guard let table = objects.graph[link.table], depth < Self.deepest else {
      return JSON.texts(["string", "…"]).add(to: &builder)
    }
    let contents = JSON.written {
      guard let collection = table.collection(link.key, leaf: 0) else { return JSON.array([]).add(to: &$0) }
      write(collection, table.schema.columns[0].type, depth: depth + 1, to: &$0)
    }
    JSON.array([.text(link.table == .nestedDictionaries ? "map" : "list"), contents]).add(to: &builder)
  }

  private func plain(_ value: Value) -> JSON {
    switch value {
    case .null: return .null
    case .bool(let value): return .number(value ? 1 : 0)
    // A number of a script has 53 bits.
    case .int(let value): return value.magnitude < 1 << 53 ? .number(value) : .text("\(value)")
    // The nearest number to the digits that a float of single precision needs.
    case .float(let value): return value.isFinite ? .value(.double(Double("\(value)") ?? 0)) : .text("\(value)")
    case .double(let value): return value.isFinite ? .value(.double(value)) : .text("\(value)")
    case .data(let value):
      let hex = value.prefix(Self.shownBytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let more = value.count > Self.shownBytes ? "…" : ""
      return .text("\(value.count.of("byte"))\(value.isEmpty ? "" : " \(hex)\(more)")")
    case .link(let link): return position(link).map { .number($0.row) } ?? .null
    case .string(let value): return Self.text(value)
    default: return .text("\(value)")
    }
  }

  /// A text, cut if it is long.
  private static func text(_ text: String) -> JSON { .text(text.shortened(to: longestText)) }
}

extension ValueKind {
  /// The type as the commands print it.
  var word: String {
    switch self {
    case .objectId: "object id"
    case .link: "object"
    case .any: "mixed"
    default: "\(self)"
    }
  }
}

extension ColumnShape {
  fileprivate var word: String { self == .dictionary ? "map" : "\(self)" }
}
