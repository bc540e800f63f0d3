internal import FiefGraph
import Foundation

/// Makes a tree from the nodes of a reader.
///
///     node ─┬─ met once ───────────────▶ stands where it is met
///           ├─ met again ──────────────▶ stands where it is met first, with an "$id"; later "$ref"
///           └─ nested `deepest` levels ▶ stands in "$objects" of the root, with an "$id"; here "$ref"
///
/// So a tree is never deep, and the writer may use recursion.
package struct DocumentWriter {
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
    assert(reader.nodes.count == reader.plan.rows.count, "Each node has a row.")
    ids = Array(repeating: 0, count: reader.nodes.count)
    isWritten = Array(repeating: false, count: reader.nodes.count)
  }

  package static func tree(of reader: GraphReader) -> DocumentTree {
    var writer = DocumentWriter(reader)
    writer.builder.beginObject()
    if !reader.nodes.isEmpty, let rowClass = reader.nodes[0].rowClass {
      writer.members(0, rowClass, expected: nil, depth: 0)
      writer.rest()
    }
    _ = writer.builder.endObject()
    return writer.builder.finish()
  }

  /// Writes the nodes that would have been nested too deep.
  private mutating func rest() {
    assert(builder.depth == 1 && builder.isInObject, "What is left stands in the root.")
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
    assert(depth <= Self.deepest, "A tree is not deep.")
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
    assert(ids[index] <= lastId, "Numbers are given in order.")
    if ids[index] == 0 {
      lastId += 1
      ids[index] = lastId
    }
    return ids[index]
  }

  private func needsId(_ index: Int) -> Bool { ids[index] > 0 || reader.plan.rows[index].traits.contains(.shared) }

  private mutating func write(_ index: Int, expected: String?, depth: Int) {
    guard let rowClass = reader.nodes[index].rowClass else { return collection(index, depth: depth) }
    builder.beginObject()
    members(index, rowClass, expected: expected, depth: depth)
    _ = builder.endObject()
  }

  private mutating func members(_ index: Int, _ rowClass: RowClass, expected: String?, depth: Int) {
    isWritten[index] = true
    let needsId = needsId(index)
    if needsId {
      builder.name("$id")
      builder.add(.int(id(index)))
    }
    // A reference may be read before the object, and its property may not declare the class.
    if needsId || rowClass.name != expected {
      builder.name("$class")
      builder.add(.string(rowClass.name))
    }
    for number in reader.plan.rows[index].cells {
      let cell = reader.plan.cells[number]
      let property = rowClass.all[Int(cell.number)]
      builder.name(property.name)
      value(cell.content, of: property.type, property: property, depth: depth)
    }
  }

  /// Writes a collection inside an any-value: plainly, or below a marker next to its `$id`.
  private mutating func collection(_ index: Int, depth: Int) {
    assert(reader.nodes[index].rowClass == nil, "A collection in an any-value has no class.")
    isWritten[index] = true
    let (isMap, needsId) = (reader.isMap(index), needsId(index))
    let isMarked = needsId || hasOddKey(index)
    if isMarked {
      builder.beginObject()
      if needsId {
        builder.name("$id")
        builder.add(.int(id(index)))
      }
      builder.name(isMap ? "$map" : "$list")
    }
    if let number = reader.plan.rows[index].cells.first {
      value(
        reader.plan.cells[number].content, of: ColumnType(.any, shape: isMap ? .dictionary : .list), property: nil,
        depth: depth)
    } else if isMap {
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
    guard reader.isMap(index), let number = reader.plan.rows[index].cells.first,
      case .elements(let range) = reader.plan.cells[number].content
    else { return false }
    return range.contains { reader.plan.elements[$0].key?.hasPrefix("$") == true }
  }

  /// Writes a content of a type: of a property, or of a collection inside an any-value.
  private mutating func value(_ content: PlannedContent, of type: ColumnType, property: RowProperty?, depth: Int) {
    switch content {
    case .value(let value): builder.scalar(value, isAny: type.kind == .any)
    case .row(let row): node(row, expected: type.kind == .link ? property?.targetName : nil, depth: depth + 1)
    case .cleared: builder.add(.null)
    case .elements(let range):
      guard type.shape == .dictionary else {
        builder.beginArray()
        for number in range { value(reader.plan.elements[number].content, of: type, property: property, depth: depth) }
        return builder.endArray()
      }
      builder.beginObject()
      for number in range {
        let element = reader.plan.elements[number]
        builder.name(element.key ?? "")
        value(element.content, of: type, property: property, depth: depth)
      }
      _ = builder.endObject()
    }
  }
}
