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
/// link is the position of its target in the target's class. Where texts repeat, `pool` has each once, and `values` are
/// positions in it. Without `values` all are null or empty. In any-values a value is `[kind, value]`.
struct PageData {
  /// Longer texts are cut.
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
  private var json = PageJSON()

  static func text(_ objects: StoreView, title: String, _ progress: Progress? = nil) -> String {
    var data = PageData(objects)
    data.write(title: title, progress)
    return data.json.text
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

  private mutating func write(title: String, _ progress: Progress?) {
    add("{\"title\":")
    add(text: title)
    add(",\"classes\":[")
    for (number, table) in classes.enumerated() {
      let schema = table.schema
      add(number == 0 ? "\n" : ",\n")
      add("{\"name\":")
      add(text: schema.name)
      let key = schema.primaryKey.flatMap(schema.leaf) ?? -1
      add(",\"isEmbedded\":\(schema.kind == .embedded),\"rows\":\(table.count),\"key\":\(key),\"keys\":[")
      add(runs[number].map { "[\($0.key),\($0.count)]" }.joined(separator: ","))
      add("],\"properties\":[")
      for (leaf, column) in schema.columns.enumerated() {
        add(leaf == 0 ? "\n" : ",\n")
        write(column, leaf, of: table)
        progress?.advance(by: table.count)
      }
      add("]}")
    }
    add("]}")
  }

  private mutating func write(_ column: Column, _ leaf: Int, of table: Table) {
    let type = column.type
    add("{\"name\":")
    add(text: column.name)
    add(",\"type\":\"\(type.kind.word)\",\"typeWords\":")
    add(text: typeWords(type))
    add(",\"shape\":\"\(type.shape.word)\",\"target\":\(type.target.flatMap { numbers[$0] } ?? -1)")
    defer { add("}") }
    if let pool = pool(leaf, type, of: table) {
      add(",\"pool\":[")
      for (number, text) in pool.texts.enumerated() {
        if number > 0 { add(",") }
        add(text: text)
      }
      add("],\"values\":[\(pool.positions.map(String.init).joined(separator: ","))]")
      return
    }
    var empty = 0
    var isBegun = false
    func separate(_ data: inout PageData) {
      if !isBegun {
        isBegun = true
        data.add(",\"values\":[")
        data.add(Array(repeating: "null", count: empty).joined(separator: ","))
        if empty > 0 { data.add(",") }
      } else {
        data.add(",")
      }
    }
    table.forEachRow(from: ObjectKey(0)) { key, _, _ in
      if type.isCollection {
        guard let collection = table.collection(key, leaf: leaf) else {
          if isBegun { add(",null") } else { empty += 1 }
          return true
        }
        separate(&self)
        write(collection, type, depth: 0)
      } else {
        let value = table.value(key, leaf: leaf) ?? .null
        if value.isNull {
          if isBegun { add(",null") } else { empty += 1 }
          return true
        }
        separate(&self)
        write(value, type, depth: 0)
      }
      return true
    }
    if isBegun { add("]") }
  }

  /// The texts of a column, each once, if many repeat.
  private func pool(_ leaf: Int, _ type: ColumnType, of table: Table) -> (texts: [String], positions: [Int])? {
    guard type.kind == .string, !type.isCollection, table.count >= 16 else { return nil }
    var (texts, positions) = ([String](), [Int]())
    var known: [String: Int] = [:]
    table.forEachRow(from: ObjectKey(0)) { key, _, _ in
      guard case .string(let text) = table.value(key, leaf: leaf) else {
        positions.append(-1)
        return true
      }
      // A dictionary takes canonically equivalent texts for equal: these are distinguished by their bytes.
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
    return switch type.shape {
    case .single: optional
    case .list: "list of \(optional)"
    case .set: "set of \(optional)"
    case .dictionary: "map of \(optional)"
    }
  }

  // MARK: Values

  /// Recursion ends at `deepest`.
  private mutating func write(_ collection: StoredCollection, _ type: ColumnType, depth: Int) {
    add("[")
    var position = 0
    collection.forEach(as: type) { value in
      if position > 0 { add(",") }
      if type.shape == .dictionary {
        add("[")
        add(text: collection.key(ofEntryAt: position) ?? "")
        add(",")
      }
      write(value, type, depth: depth)
      if type.shape == .dictionary { add("]") }
      position += 1
      return true
    }
    add("]")
  }

  private mutating func write(_ value: Value, _ type: ColumnType, depth: Int) {
    guard type.kind == .any, let kind = value.kind else { return write(plain: value) }
    if case .link(let link) = value, link.table.isNested {
      guard let table = objects.graph[link.table], depth < Self.deepest else { return add("[\"string\",\"…\"]") }
      let isMap = link.table == .nestedDictionaries
      let inner = table.schema.columns[0].type
      add(isMap ? "[\"map\"," : "[\"list\",")
      if let collection = table.collection(link.key, leaf: 0) {
        write(collection, inner, depth: depth + 1)
      } else {
        add("[]")
      }
      return add("]")
    }
    if case .link(let link) = value {
      guard let place = position(link) else { return add("null") }
      return add("[\"object\",\(place.table),\(place.row)]")
    }
    add("[\"\(kind.word)\",")
    write(plain: value)
    add("]")
  }

  private mutating func write(plain value: Value) {
    switch value {
    case .null: add("null")
    case .bool(let value): add(value ? "1" : "0")
    // A number of a script has 53 bits.
    case .int(let value): add(value.magnitude < 1 << 53 ? "\(value)" : "\"\(value)\"")
    case .float(let value): add(value.isFinite ? "\(value)" : "\"\(value)\"")
    case .double(let value): add(value.isFinite ? "\(value)" : "\"\(value)\"")
    case .string(let value): add(text: value)
    case .data(let value):
      let hex = value.prefix(Self.shownBytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let more = value.count > Self.shownBytes ? "…" : ""
      add("\"\(value.count.of("byte"))\(value.isEmpty ? "" : " \(hex)\(more)")\"")
    case .date(let value): add(text: "\(value)")
    case .objectId(let value): add(text: "\(value)")
    case .uuid(let value): add(text: value.uuidString)
    case .decimal(let value): add(text: "\(value)")
    case .link(let link): add(position(link).map { "\($0.row)" } ?? "null")
    }
  }

  private mutating func add(_ text: String) { json.add(text) }

  /// Adds a text, cut if it is long.
  private mutating func add(text: String) { json.add(text: text.shortened(to: Self.longestText)) }
}

extension ValueKind {
  /// The type as the commands print it.
  var word: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .objectId: "object id"
    case .uuid: "uuid"
    case .decimal: "decimal"
    case .link: "object"
    case .any: "mixed"
    }
  }
}

extension ColumnShape {
  fileprivate var word: String {
    switch self {
    case .single: "single"
    case .list: "list"
    case .set: "set"
    case .dictionary: "map"
    }
  }
}
