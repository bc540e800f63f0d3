import Fief
import FiefCopying
import FiefGraph
import FiefQueries
import FiefRuntime
import Foundation

/// The objects of an open file by the names of their classes and properties, for commands that print them.
struct StoreView {
  let graph: Graph
  /// JSON of the objects.
  let documents: RowDocuments

  init(_ realm: Realm) { self.init(realm.graph) }

  init(_ graph: Graph) {
    self.graph = graph
    documents = RowDocuments(graph)
  }

  /// The tables of classes, by name. Embedded ones are among them.
  var tables: [Table] {
    graph.allTables.filter { !$0.schema.key.isNested && !$0.schema.isInternal }.sorted {
      StoredOrder.compare($0.schema.name, $1.schema.name) < 0
    }
  }

  /// The table of a class.
  ///
  /// - Throws: `Failure` with the names that there are.
  func table(named name: String) throws(Failure) -> Table {
    let tables = tables
    if let table = tables.first(where: { ByteOrder.areIdentical($0.schema.name, name) }) { return table }
    let advice = tables.isEmpty ? "it has none." : SchemaNames.advice(on: name, among: tables.map(\.schema.name))
    throw Failure("The file has no class '\(name.printable)': \(advice)", .usage)
  }

  // MARK: Objects

  /// The primary key of an object; nil for a class without one.
  func key(of link: ObjectLink) -> Value? {
    guard let table = graph[link.table], let column = table.schema.primaryKey else { return nil }
    return graph.value(Cell(link.table, link.key, column))
  }

  /// The name of an object in its class, as `show` takes it: its primary key, or `#` and the number of its row.
  func name(of link: ObjectLink) -> String {
    guard let key = key(of: link) else { return "#\(link.key.rawValue)" }
    return key.isNull ? "nil" : text(key)
  }

  /// An object as one word in a text: `Person 7`, `Dog #3`.
  func label(of link: ObjectLink) -> String { "\(graph[link.table]?.schema.name.printable ?? "?") \(name(of: link))" }

  /// The object that a word on the command line names: a primary key, or `#` and the number of a row.
  ///
  /// - Throws: `Failure` for a word that is no key of the class, and for a missing object.
  func object(named word: String, in table: Table) throws(Failure) -> ObjectLink {
    let schema = table.schema
    if let column = schema.primaryKey.flatMap(schema.column) {
      let key = Self.value(of: word, column.type)
      guard key != nil || word.hasPrefix("#") else {
        throw Failure(
          "'\(word.printable)' cannot be a key of '\(schema.name.printable)': '\(column.name.printable)' is "
            + "\(column.type.declaration).", .usage)
      }
      if let found = key.flatMap({ table.find(primaryKey: $0) }) { return ObjectLink(schema.key, found) }
    }
    let number = word.hasPrefix("#") ? Int64(word.dropFirst()) : schema.primaryKey == nil ? Int64(word) : nil
    if let number, number >= 0, table.contains(ObjectKey(number)) { return ObjectLink(schema.key, ObjectKey(number)) }
    throw Failure("There is no \(schema.name.printable) \(word.printable).", .noFile)
  }

  /// The value of a word by the type of a key; nil for a word that is no such key.
  private static func value(of word: String, _ type: ColumnType) -> Value? {
    if type.isOptional && word == "nil" { return .null }
    return switch type.kind {
    case .int: Int64(word).map(Value.int)
    case .string: .string(word)
    case .objectId: (try? ObjectId(string: word)).map(Value.objectId)
    case .uuid: UUID(uuidString: word).map(Value.uuid)
    default: nil
    }
  }

  /// A query over a class.
  ///
  /// - Throws: `QueryError` that quotes the text.
  func query(_ query: ParsedQuery, of table: Table, quoting text: String) throws -> CompiledQuery {
    do throws(QueryError) {
      return try CompiledQuery(query, of: table.schema.key, in: graph)
    } catch { throw error.quoting(text) }
  }

  /// The rows of a class that meet a condition.
  func rows(of table: Table, _ predicate: String) throws -> ContiguousArray<ObjectKey> {
    try query(ParsedQuery(predicate), of: table, quoting: predicate).rows(in: graph)
  }

  // MARK: Values

  /// A value as JSON.
  func json(_ value: Value, of type: ColumnType) -> JSON { .written { documents.add(value, of: type, to: &$0) } }

  /// The value or the collection of a cell as JSON.
  func json(_ cell: Cell, of type: ColumnType) -> JSON {
    guard type.isCollection else { return json(graph.value(cell) ?? .null, of: type) }
    return .written { documents.add(graph.collection(cell), of: type, to: &$0) }
  }

  /// An object as JSON, with its class: `{"class":"Dog","object":{…}}`.
  func json(_ link: ObjectLink) -> [(String, JSON)] {
    [("class", .text(graph[link.table]?.schema.name ?? "")), ("object", .tree(document(of: link)))]
  }

  /// An object as JSON, with its number if its class has no primary key.
  func document(of link: ObjectLink) -> DocumentTree { documents.tree(of: link, showsNumber: true) }

  /// A value in a line of a text. Strings stand as they are, but for what would control a terminal; what is owned is
  /// JSON.
  func text(_ value: Value, of type: ColumnType = ColumnType(.any)) -> String {
    switch value {
    case .null: return "nil"
    case .string(let value): return value.printable
    case .data(let value):
      let hex = value.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return value.count.of("byte") + (value.isEmpty ? "" : " \(hex)") + (value.count > 8 ? "…" : "")
    case .link(let link) where graph[link.table]?.schema.kind == .ordinary: return label(of: link)
    case .link: return json(value, of: type).line
    default: return "\(value)"
    }
  }
}

extension TableSchema {
  /// The columns, the primary key before the others.
  var keyFirst: [Column] { columns.filter { $0.key == primaryKey } + columns.filter { $0.key != primaryKey } }
}
