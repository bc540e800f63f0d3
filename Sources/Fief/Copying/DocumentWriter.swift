import FiefCopying
import FiefGraph
import Foundation

/// Makes a tree of what a reader has found.
///
///     node ─┬─ met once ───────────────▶ stands where it is met
///           ├─ met again ──────────────▶ stands where it is met first, with an "$id"; later "$ref"
///           └─ nested `deepest` levels ▶ stands in "$objects" of the root, with an "$id"; here "$ref"
///
/// So a tree is never deep, and the calls that make it may be nested.
struct DocumentWriter {
  /// How many nodes may stand inside one another. Each is at most two levels of JSON: itself, and the array or object around it.
  static let deepest = 100

  private let reader: GraphReader
  private var ids: [Int64]
  private var isWritten: [Bool]
  private var lastId: Int64 = 0
  /// Nodes that go to the root.
  private var waiting: [Int] = []

  private init(_ reader: GraphReader) {
    self.reader = reader
    ids = Array(repeating: 0, count: reader.nodes.count)
    isWritten = Array(repeating: false, count: reader.nodes.count)
  }

  static func tree(of reader: GraphReader) -> DocumentTree {
    guard !reader.nodes.isEmpty else { return .object([:]) }
    var writer = DocumentWriter(reader)
    guard case .object(var root) = writer.write(0, expected: nil, depth: 0) else { return .object([:]) }
    var objects: [DocumentTree] = []
    var next = 0
    while next < writer.waiting.count {
      objects.append(writer.write(writer.waiting[next], expected: nil, depth: 1))
      next += 1
    }
    if !objects.isEmpty { root["$objects"] = .array(objects) }
    return .object(root)
  }

  /// The tree of a node, or the reference to it.
  private mutating func node(_ index: Int, expected: String?, depth: Int) -> DocumentTree {
    if isWritten[index] { return reference(index) }
    guard depth >= Self.deepest else { return write(index, expected: expected, depth: depth) }
    if ids[index] == 0 { waiting.append(index) }
    return reference(index)
  }

  private mutating func reference(_ index: Int) -> DocumentTree { .object(["$ref": .int(id(index))]) }

  private mutating func id(_ index: Int) -> Int64 {
    if ids[index] == 0 {
      lastId += 1
      ids[index] = lastId
    }
    return ids[index]
  }

  private mutating func write(_ index: Int, expected: String?, depth: Int) -> DocumentTree {
    isWritten[index] = true
    let needsId = ids[index] > 0 || reader.plan.rows[index].traits.contains(.shared)
    var members: [String: DocumentTree] = [:]
    if needsId { members["$id"] = .int(id(index)) }
    switch reader.nodes[index].source {
    case .object:
      guard let model = reader.nodes[index].model else { return .null }
      // Who refers to it may be read before it, and not know the class.
      if needsId || model.name != expected { members["$class"] = .string(model.name) }
      for place in reader.plan.rows[index].cells {
        let cell = reader.plan.cells[place]
        let property = model.properties[Int(cell.number)]
        members[property.name] = value(cell.content, property.facts, depth: depth)
      }
      return .object(members)
    case .list:
      let elements = nested(index, depth: depth)
      guard needsId else { return elements }
      members["$list"] = elements
      return .object(members)
    case .map:
      let entries = nested(index, depth: depth)
      guard needsId || (entries.members ?? [:]).keys.contains(where: { $0.hasPrefix("$") }) else { return entries }
      members["$map"] = entries
      return .object(members)
    }
  }

  /// What stands in a collection inside an any-value.
  private mutating func nested(_ index: Int, depth: Int) -> DocumentTree {
    var facts = _TypeFacts(.any)
    if case .map = reader.nodes[index].source { facts.shape = .dictionary } else { facts.shape = .list }
    for place in reader.plan.rows[index].cells { return value(reader.plan.cells[place].content, facts, depth: depth) }
    return facts.shape == .dictionary ? .object([:]) : .array([])
  }

  private mutating func value(_ content: PlannedContent, _ facts: _TypeFacts, depth: Int) -> DocumentTree {
    switch content {
    case .value(let value): return Self.scalar(value, isAny: facts.kind == .any)
    case .row(let row):
      let expected = facts.kind == .link ? facts.target.map { ModelClass.of($0).name } : nil
      return node(row, expected: expected, depth: depth + 1)
    case .cleared: return .null
    case .elements(let range):
      guard facts.shape == .dictionary else {
        var values: [DocumentTree] = []
        values.reserveCapacity(range.count)
        for place in range { values.append(value(reader.plan.elements[place].content, facts, depth: depth)) }
        return .array(values)
      }
      var entries: [String: DocumentTree] = [:]
      for place in range {
        let element = reader.plan.elements[place]
        entries[element.key ?? ""] = value(element.content, facts, depth: depth)
      }
      return .object(entries)
    }
  }

  // MARK: Scalars

  /// A scalar: in an any-value with a marker when JSON would take it for another.
  static func scalar(_ value: StoredValue, isAny: Bool) -> DocumentTree {
    func marked(_ marker: String, _ text: String) -> DocumentTree {
      isAny ? .object([marker: .string(text)]) : .string(text)
    }
    switch value {
    case .null, .link: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .string(let value): return .string(value)
    case .date(let value): return marked("$date", value.description)
    case .data(let value): return marked("$data", value.base64EncodedString())
    case .objectId(let value): return marked("$objectId", value.stringValue)
    case .uuid(let value): return marked("$uuid", value.uuidString)
    case .decimal(let value): return marked("$decimal", value.description)
    case .float(let value):
      if isAny { return marked("$float", value.description) }
      return number(Double(value)) ?? .string(value.description)
    case .double(let value):
      if isAny && value.rounded() == value { return marked("$double", value.description) }
      return number(value) ?? marked("$double", value.description)
    }
  }

  /// A number as JSON reads it back: a whole one as an integer. Nil for those that JSON does not have, and for -0.
  private static func number(_ value: Double) -> DocumentTree? {
    guard value.isFinite, value != 0 || value.sign == .plus else { return nil }
    if value.rounded() == value, let whole = Int64(exactly: value) { return .int(whole) }
    return .double(value)
  }
}
