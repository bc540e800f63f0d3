package import FiefGraph

/// Makes JSON of the rows of a graph: of each its values, of its links the keys of their targets.
///
///     { "id": 7, "name": "Ann", "friend": { "id": 8 }, "dogs": [ { "$ref": 3 } ], "home": { "city": "Rome" },
///       "any": { "$class": "Dog", "$ref": 3 } }
///
/// | what | becomes |
/// | --- | --- |
/// | a link to an object with a primary key | an object with the key alone |
/// | a link to another object | `$ref` with the number of its row, which stands as `$id` in its own object |
/// | an embedded object, a list or a map of an any-value | stands where it is |
/// | a link in an any-value | as above, with the `$class` |
/// | scalars | as in `DocumentBuilder.scalar`: with markers in any-values |
///
/// No recursion: what is owned may be nested as deep as memory permits.
package struct RowDocuments {
  /// A table with the names that its rows have in documents.
  package struct Class: Sendable {
    package let name: String
    package let table: Table
    /// In the order of the names' bytes.
    let members: [(name: String, leaf: Int, type: ColumnType)]
    let keyLeaf: Int?
    let keyName: String

    /// - Parameter names: the name of a column where it differs from the stored one.
    init(_ table: Table, name: String, names: (Column) -> String) {
      self.table = table
      self.name = name
      let schema = table.schema
      keyLeaf = schema.primaryKey.flatMap(schema.leaf)
      keyName = keyLeaf.map { names(schema.columns[$0]) } ?? ""
      members = schema.columns.enumerated().map { (names($1), $0, $1.type) }.sorted {
        DocumentTree.precedes($0.name, $1.name)
      }
    }

    package var hasKey: Bool { keyLeaf != nil }
    package var isOwned: Bool { table.schema.kind == .embedded }
  }

  /// The rest of an open container.
  private enum Frame {
    case members(ObjectKey, Class, next: Int)
    case elements(StoredCollection, ColumnType, next: Int)
  }

  private let classes: [TableKey: Class]
  /// Whether an object is written; nil for all. Links to other objects without a key are left out.
  private let isWritten: ((ObjectLink) -> Bool)?

  /// - Parameters:
  ///   - graph: the rows.
  ///   - rowClasses: the classes of the program, whose names take the place of the stored ones.
  ///   - isWritten: whether an object that stands alone is written; nil for all.
  package init(_ graph: Graph, _ rowClasses: [RowClass] = [], isWritten: ((ObjectLink) -> Bool)? = nil) {
    let known = Dictionary(rowClasses.map { ($0.table, $0) }) { first, _ in first }
    var classes: [TableKey: Class] = [:]
    for table in graph.allTables {
      let key = table.schema.key
      guard let rowClass = known[key] else {
        classes[key] = Class(table, name: table.schema.name) { $0.name }
        continue
      }
      let names = Dictionary(rowClass.stored.map { ($0.column, $0.name) }) { first, _ in first }
      classes[key] = Class(table, name: rowClass.name) { names[$0.key] ?? $0.name }
    }
    self.classes = classes
    self.isWritten = isWritten
  }

  package subscript(table: TableKey) -> Class? { classes[table] }

  /// The document of one row.
  ///
  /// - Parameters:
  ///   - showsNumber: whether an object without a key has its `$id` although nothing links to it.
  ///   - showsClass: whether the object has its `$class`.
  package func tree(of link: ObjectLink, showsNumber: Bool = false, showsClass: Bool = false) -> DocumentTree {
    var builder = DocumentBuilder()
    guard let rowClass = classes[link.table] else {
      builder.add(.null)
      return builder.finish()
    }
    builder.beginObject()
    if showsClass {
      builder.name("$class")
      builder.add(.string(rowClass.name))
    }
    if !rowClass.hasKey, !rowClass.isOwned, showsNumber || isLinked(link.key, in: rowClass.table) {
      builder.name("$id")
      builder.add(.int(link.key.rawValue))
    }
    run([.members(link.key, rowClass, next: 0)], &builder)
    return builder.finish()
  }

  /// Adds a value of a property, or of an element, with all that it owns.
  package func add(_ value: Value, of type: ColumnType, to builder: inout DocumentBuilder) {
    var frames: [Frame] = []
    put(value, isAny: type.kind == .any, &builder, &frames)
    run(frames, &builder)
  }

  /// Adds a collection with all that its elements own.
  package func add(_ collection: StoredCollection?, of type: ColumnType, to builder: inout DocumentBuilder) {
    var frames: [Frame] = []
    open(collection, of: type, &builder, &frames)
    run(frames, &builder)
  }

  private func isLinked(_ key: ObjectKey, in table: Table) -> Bool {
    table.incoming.contains { $0.bag(of: key) != nil }
  }

  // MARK: Walking

  private func run(_ frames: [Frame], _ builder: inout DocumentBuilder) {
    var frames = frames
    while let frame = frames.popLast() {
      switch frame {
      case .members(let key, let rowClass, let next):
        guard next < rowClass.members.count else {
          _ = builder.endObject()
          continue
        }
        frames.append(.members(key, rowClass, next: next + 1))
        let (name, leaf, type) = rowClass.members[next]
        builder.name(name)
        if type.shape == .single {
          put(rowClass.table.value(key, leaf: leaf) ?? .null, isAny: type.kind == .any, &builder, &frames)
        } else {
          open(rowClass.table.collection(key, leaf: leaf), of: type, &builder, &frames)
        }
      case .elements(let collection, let type, let next):
        guard next < collection.count else {
          if type.shape == .dictionary { _ = builder.endObject() } else { builder.endArray() }
          continue
        }
        frames.append(.elements(collection, type, next: next + 1))
        let value = collection.value(at: next, as: type)
        if let key = collection.key(ofEntryAt: next) { builder.name(key) } else if isLeftOut(value) { continue }
        put(value, isAny: type.kind == .any, &builder, &frames)
      }
    }
  }

  private func open(
    _ collection: StoredCollection?, of type: ColumnType, _ builder: inout DocumentBuilder, _ frames: inout [Frame]
  ) {
    assert(type.isCollection, "A collection is opened.")
    if type.shape == .dictionary { builder.beginObject() } else { builder.beginArray() }
    if let collection {
      frames.append(.elements(collection, type, next: 0))
    } else if type.shape == .dictionary {
      _ = builder.endObject()
    } else {
      builder.endArray()
    }
  }

  private func put(_ value: Value, isAny: Bool, _ builder: inout DocumentBuilder, _ frames: inout [Frame]) {
    guard let link = value.linked else { return builder.scalar(value, isAny: isAny) }
    guard let target = classes[link.table], !isLeftOut(value) else { return builder.add(.null) }
    if link.table.isNested {
      let type = target.members[0].type
      return open(target.table.collection(link.key, leaf: 0), of: type, &builder, &frames)
    }
    builder.beginObject()
    if target.isOwned { return frames.append(.members(link.key, target, next: 0)) }
    if isAny {
      builder.name("$class")
      builder.add(.string(target.name))
    }
    if let leaf = target.keyLeaf {
      builder.name(target.keyName)
      builder.scalar(target.table.value(link.key, leaf: leaf) ?? .null, isAny: false)
    } else {
      builder.name("$ref")
      builder.add(.int(link.key.rawValue))
    }
    _ = builder.endObject()
  }

  /// Whether a value is a link to an object that no document holds.
  private func isLeftOut(_ value: Value) -> Bool {
    guard let link = value.linked, let isWritten, let target = classes[link.table] else { return false }
    return !target.isOwned && !target.hasKey && !isWritten(link)
  }
}
