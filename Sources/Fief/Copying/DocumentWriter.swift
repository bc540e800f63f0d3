import FiefCopying
import FiefGraph
import Foundation

/// Makes a tree from the nodes of a reader.
///
///     node ─┬─ met once ───────────────▶ stands where it is met
///           ├─ met again ──────────────▶ stands where it is met first, with an "$id"; later "$ref"
///           └─ nested `deepest` levels ▶ stands in "$objects" of the root, with an "$id"; here "$ref"
///
/// So a tree is never deep, and the writer may use recursion.
struct DocumentWriter {
  /// The maximum nesting of nodes. Each node has at most two levels of JSON: itself, and the array or object around it.
  static let deepest = 100

  private let reader: GraphReader
  private var builder = DocumentBuilder()
  private var ids: [Int64]
  private var isWritten: [Bool]
  private var lastId: Int64 = 0
  /// Nodes that are written in `$objects` at the root.
  private var waiting: [Int] = []

  private init(_ reader: GraphReader) {
    self.reader = reader
    ids = Array(repeating: 0, count: reader.nodes.count)
    isWritten = Array(repeating: false, count: reader.nodes.count)
  }

  static func tree(of reader: GraphReader) -> DocumentTree {
    var writer = DocumentWriter(reader)
    writer.builder.beginObject()
    if !reader.nodes.isEmpty, let model = reader.nodes[0].model {
      writer.members(0, model, expected: nil, depth: 0)
      writer.rest()
    }
    _ = writer.builder.endObject()
    return writer.builder.finish()
  }

  /// Writes the nodes that would have been nested too deep.
  private mutating func rest() {
    guard !waiting.isEmpty else { return }
    builder.name("$objects")
    builder.beginArray()
    var next = 0
    while next < waiting.count {
      write(waiting[next], expected: nil, depth: 1)
      next += 1
    }
    builder.endArray()
  }

  /// Writes a node, or a reference to it.
  private mutating func node(_ index: Int, expected: String?, depth: Int) {
    if !isWritten[index] {
      guard depth >= Self.deepest else { return write(index, expected: expected, depth: depth) }
      if ids[index] == 0 { waiting.append(index) }
    }
    builder.beginObject()
    builder.name("$ref")
    builder.add(.int(id(index)))
    _ = builder.endObject()
  }

  private mutating func id(_ index: Int) -> Int64 {
    if ids[index] == 0 {
      lastId += 1
      ids[index] = lastId
    }
    return ids[index]
  }

  private func needsId(_ index: Int) -> Bool { ids[index] > 0 || reader.plan.rows[index].traits.contains(.shared) }

  private mutating func write(_ index: Int, expected: String?, depth: Int) {
    switch reader.nodes[index].source {
    case .object:
      guard let model = reader.nodes[index].model else { return builder.add(.null) }
      builder.beginObject()
      members(index, model, expected: expected, depth: depth)
      _ = builder.endObject()
    case .list: collection(index, "$list", depth: depth)
    case .map: collection(index, "$map", depth: depth)
    }
  }

  private mutating func members(_ index: Int, _ model: ModelClass, expected: String?, depth: Int) {
    isWritten[index] = true
    let needsId = needsId(index)
    if needsId {
      builder.name("$id")
      builder.add(.int(id(index)))
    }
    // A reference may be read before the object, and its property may not declare the class.
    if needsId || model.name != expected {
      builder.name("$class")
      builder.add(.string(model.name))
    }
    for place in reader.plan.rows[index].cells {
      let cell = reader.plan.cells[place]
      let property = model.properties[Int(cell.number)]
      builder.name(property.name)
      value(cell.content, property.facts, depth: depth)
    }
  }

  /// Writes a collection inside an any-value: plainly, or below a marker next to its `$id`.
  private mutating func collection(_ index: Int, _ marker: String, depth: Int) {
    isWritten[index] = true
    let needsId = needsId(index)
    let isMarked = needsId || hasOddKey(index)
    if isMarked {
      builder.beginObject()
      if needsId {
        builder.name("$id")
        builder.add(.int(id(index)))
      }
      builder.name(marker)
    }
    var facts = _TypeFacts(.any)
    if case .map = reader.nodes[index].source { facts.shape = .dictionary } else { facts.shape = .list }
    if let place = reader.plan.rows[index].cells.first {
      value(reader.plan.cells[place].content, facts, depth: depth)
    } else if facts.shape == .dictionary {
      builder.beginObject()
      _ = builder.endObject()
    } else {
      builder.beginArray()
      builder.endArray()
    }
    if isMarked { _ = builder.endObject() }
  }

  /// Whether the node is a map with a key that a reader would mistake for a marker.
  private func hasOddKey(_ index: Int) -> Bool {
    guard case .map = reader.nodes[index].source, let place = reader.plan.rows[index].cells.first,
      case .elements(let range) = reader.plan.cells[place].content
    else { return false }
    return range.contains { reader.plan.elements[$0].key?.hasPrefix("$") == true }
  }

  private mutating func value(_ content: PlannedContent, _ facts: _TypeFacts, depth: Int) {
    switch content {
    case .value(let value): builder.scalar(value, isAny: facts.kind == .any)
    case .row(let row):
      let expected = facts.kind == .link ? facts.target.map { ModelClass.of($0).name } : nil
      node(row, expected: expected, depth: depth + 1)
    case .cleared: builder.add(.null)
    case .elements(let range):
      guard facts.shape == .dictionary else {
        builder.beginArray()
        for place in range { value(reader.plan.elements[place].content, facts, depth: depth) }
        return builder.endArray()
      }
      builder.beginObject()
      for place in range {
        let element = reader.plan.elements[place]
        builder.name(element.key ?? "")
        value(element.content, facts, depth: depth)
      }
      _ = builder.endObject()
    }
  }
}

extension DocumentBuilder {
  /// Adds a scalar. In an any-value, a marker is added when plain JSON would be read as another type.
  mutating func scalar(_ value: StoredValue, isAny: Bool) {
    switch value {
    case .null, .link: add(.null)
    case .bool(let value): add(.bool(value))
    case .int(let value): add(.int(value))
    case .string(let value): add(.string(value))
    case .date(let value): marked("$date", value.description, isAny)
    case .data(let value): marked("$data", value.base64EncodedString(), isAny)
    case .objectId(let value): marked("$objectId", value.stringValue, isAny)
    case .uuid(let value): marked("$uuid", value.uuidString, isAny)
    case .decimal(let value): marked("$decimal", value.description, isAny)
    case .float(let value):
      if !isAny, let number = Self.number(Double(value)) { return add(number) }
      marked("$float", value.description, isAny)
    case .double(let value):
      if !isAny || value.rounded() != value, let number = Self.number(value) { return add(number) }
      marked("$double", value.description, isAny)
    }
  }

  private mutating func marked(_ marker: String, _ text: String, _ isAny: Bool) {
    guard isAny else { return add(.string(text)) }
    beginObject()
    name(marker)
    add(.string(text))
    _ = endObject()
  }

  /// A number in the form in which JSON is read back. Nil for numbers that JSON does not have, and for -0, which many
  /// readers read as 0.
  private static func number(_ value: Double) -> Value? {
    value == 0 && value.sign == .minus ? nil : DocumentNumber.value(of: value)
  }
}
