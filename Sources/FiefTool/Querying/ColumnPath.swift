import FiefCopying
import FiefGraph
import Foundation

/// A column of a printed table: a property, or a path over links: `name`, `toy.color`, `dogs.name`, `dogs.@count`.
struct ColumnPath {
  /// The title.
  let text: String
  /// The leaves on the way, each with its type. The last is the property itself. Empty for the number of the object.
  private let steps: [(table: TableKey, leaf: Int, type: ColumnType)]
  private let isCount: Bool

  /// The contents of a column for one object.
  enum Contents {
    case value(Value, ColumnType)
    case collection(StoredCollection?, ColumnType)
    /// The values at the end of a path over collections.
    case values([Value], ColumnType)
  }

  /// The number of the object, as `show` takes it.
  static let number = ColumnPath(text: "#", steps: [], isCount: false)

  private init(text: String, steps: [(TableKey, Int, ColumnType)], isCount: Bool) {
    self.text = text
    self.steps = steps
    self.isCount = isCount
  }

  /// A property.
  init(_ column: Column, of table: TableSchema) {
    self.init(
      text: column.name, steps: [(table.key, table.leaf(of: column.key) ?? 0, column.type)], isCount: false)
  }

  /// Finds the properties of a path. Names that contain dots are found, too.
  ///
  /// - Throws: `Failure` for a name that the class does not have, and for a path behind a value.
  init(_ text: String, of table: TableSchema, in graph: Graph) throws(Failure) {
    if text == "#" {
      self = .number
      return
    }
    var steps: [(TableKey, Int, ColumnType)] = []
    var rest = text[...]
    var schema = table
    while true {
      if rest == "@count", let last = steps.last, last.2.isCollection || steps.contains(where: { $0.2.isCollection }) {
        self.init(text: text, steps: steps, isCount: true)
        return
      }
      guard let (column, length) = Self.longest(rest, in: schema) else {
        let name = String(rest.prefix { $0 != "." })
        let advice = SchemaNames.advice(on: name, among: schema.columns.map(\.name))
        throw Failure("'\(schema.name.printable)' has no property '\(name.printable)': \(advice)", .usage)
      }
      steps.append((schema.key, schema.leaf(of: column.key) ?? 0, column.type))
      rest = rest.dropFirst(length)
      if rest.isEmpty {
        self.init(text: text, steps: steps, isCount: false)
        return
      }
      rest = rest.dropFirst()
      if rest == "@count", column.type.isCollection { continue }
      guard let target = column.type.target.flatMap({ graph[$0]?.schema }) else {
        throw Failure(
          "The column '\(text.printable)' goes on behind '\(column.name.printable)', which is "
            + "\(column.type.declaration) and no link.", .usage)
      }
      schema = target
    }
  }

  /// The longest name of a column at the beginning of a path.
  private static func longest(_ path: Substring, in schema: TableSchema) -> (Column, length: Int)? {
    var best: (Column, length: Int)?
    for column in schema.columns where path.hasPrefix(column.name) {
      let (rest, length) = (path.dropFirst(column.name.count), column.name.count)
      if rest.isEmpty || rest.first == ".", length > best?.length ?? 0 { best = (column, length) }
    }
    return best
  }

  /// Whether the column holds numbers.
  var isNumeric: Bool {
    guard let last = steps.last else { return false }
    if isCount { return true }
    let isSingle = steps.allSatisfy { !$0.type.isCollection }
    return isSingle && [.int, .float, .double, .decimal].contains(last.type.kind)
  }

  // MARK: Reading

  func contents(of link: ObjectLink, in graph: Graph) -> Contents {
    guard let last = steps.last else { return .value(.int(link.key.rawValue), ColumnType(.int)) }
    var links = [link]
    var isMany = false
    for step in steps.dropLast() {
      isMany = isMany || step.type.isCollection
      links = links.flatMap { Self.values(of: $0, step.leaf, step.type, in: graph) }.compactMap(\.linked)
    }
    if !isMany {
      guard let link = links.first, let table = graph[link.table] else {
        return last.type.isCollection ? .collection(nil, last.type) : .value(.null, last.type)
      }
      if last.type.isCollection {
        let collection = table.collection(link.key, leaf: last.leaf)
        return isCount
          ? .value(.int(Int64(collection?.count ?? 0)), ColumnType(.int)) : .collection(collection, last.type)
      }
      return .value(table.value(link.key, leaf: last.leaf) ?? .null, last.type)
    }
    let values = links.flatMap { Self.values(of: $0, last.leaf, last.type, in: graph) }
    return isCount ? .value(.int(Int64(values.count)), ColumnType(.int)) : .values(values, last.type.element)
  }

  private static func values(of link: ObjectLink, _ leaf: Int, _ type: ColumnType, in graph: Graph) -> [Value] {
    guard let table = graph[link.table] else { return [] }
    if type.shape == .single { return [table.value(link.key, leaf: leaf) ?? .null] }
    guard let collection = table.collection(link.key, leaf: leaf) else { return [] }
    return Array(collection.values(in: 0..<collection.count, as: type))
  }
}

extension StoreView {
  /// The contents of a column as text in one line. Of a collection the number of elements.
  func text(_ contents: ColumnPath.Contents) -> String {
    switch contents {
    case .value(let value, let type): text(value, of: type)
    case .collection(let collection, _): "[\(collection?.count ?? 0)]"
    case .values(let values, let type): values.map { text($0, of: type) }.joined(separator: ", ")
    }
  }

  /// The contents of a column as a field of comma-separated values; nil for null. Strings and data are whole.
  func field(_ contents: ColumnPath.Contents) -> String? {
    switch contents {
    case .value(.null, _): nil
    case .value(.string(let text), _): text
    case .value(.data(let data), _): data.base64EncodedString()
    default: text(contents)
    }
  }

  /// The contents of a column as JSON.
  func json(_ contents: ColumnPath.Contents) -> JSON {
    switch contents {
    case .value(let value, let type): json(value, of: type)
    case .collection(let collection, let type): .written { documents.add(collection, of: type, to: &$0) }
    case .values(let values, let type): .array(values.map { json($0, of: type) })
    }
  }
}
