import FiefGraph

// The links between the objects of a file. An object is a row that stands alone; what it owns is a part of it: embedded
// objects, and the lists and maps in any-values.

extension StoreView {
  /// The tables whose rows are objects, by name.
  var objectTables: [Table] { tables.filter { $0.schema.kind != .embedded } }

  /// The number of objects in all classes.
  var objectCount: Int { objectTables.reduce(0) { $0 + $1.count } }

  /// A link of an object, or of what it owns.
  struct Link {
    /// The properties that lead from the object to the link: `address.town`.
    let path: String
    let target: ObjectLink
  }

  /// The links of an object and of what it owns, in the order of the properties.
  ///
  /// - Parameter limit: the maximum number of links.
  func links(of object: ObjectLink, limit: Int = .max) -> [Link] {
    var links: [Link] = []
    forEachProperty(of: object) { path, table, key, leaf, parts in
      forEachValue(table, key, leaf) { value in
        guard let target = value.linked else { return true }
        if isOwned(target) { parts.append((target, path)) } else { links.append(Link(path: path, target: target)) }
        return links.count < limit
      }
      return links.count < limit
    }
    return links
  }

  /// Calls a body with each property of an object and of its parts, until it returns false.
  ///
  /// - Parameter body: receives the path of the property from the object, the place of its cell, and an array for the
  ///   parts that it finds there, with their paths. Their properties follow.
  func forEachProperty(
    of object: ObjectLink,
    _ body: (_ path: String, Table, ObjectKey, _ leaf: Int, _ parts: inout [(row: ObjectLink, path: String)]) -> Bool
  ) {
    var rest: [(row: ObjectLink, path: String)] = [(object, "")]
    while let (row, path) = rest.popLast() {
      guard let table = graph[row.table] else { continue }
      var parts: [(row: ObjectLink, path: String)] = []
      for (leaf, column) in table.schema.columns.enumerated() {
        let name = row.table.isNested ? path : path.isEmpty ? column.name : "\(path).\(column.name)"
        if !body(name, table, row.key, leaf, &parts) { return }
      }
      rest += parts.reversed()
    }
  }

  /// A link to an object.
  struct Backlink {
    /// The object that has the link, itself or in what it owns.
    let object: ObjectLink
    /// The properties that lead from it to the link.
    let path: String
  }

  /// The links to an object, found one by one: by the names of class and property, whatever the order in which these
  /// were declared.
  func backlinks(of link: ObjectLink) -> some Sequence<Backlink> {
    let incoming = (graph[link.table]?.incoming ?? []).map { incoming in
      let schema = graph[incoming.origin]?.schema
      return (incoming, schema?.name ?? "", schema?.column(incoming.column)?.name ?? "")
    }
    return incoming.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.lazy.flatMap { incoming, _, _ in
      let bag = incoming.bag(of: link.key)
      return (0..<(bag?.count ?? 0)).lazy.compactMap { position in
        bag.map { backlink(Cell(incoming.origin, $0[position], incoming.column)) }
      }
    }
  }

  /// The object that owns a cell, directly or through embedded objects and collections.
  private func backlink(_ cell: Cell) -> Backlink {
    var (cell, names) = (cell, [String]())
    while true {
      if !cell.table.isNested, let name = graph[cell.table]?.schema.column(cell.column)?.name { names.append(name) }
      guard let owner = graph.owner(of: cell.object) else {
        return Backlink(object: cell.object, path: names.reversed().joined(separator: "."))
      }
      cell = owner
    }
  }

  /// The object that a row is a part of: itself, or what owns it.
  func object(of row: ObjectLink) -> ObjectLink {
    var row = row
    while let owner = graph.owner(of: row) { row = owner.object }
    return row
  }

  /// Whether properties of a type hold parts of their objects.
  func isOwned(_ type: ColumnType) -> Bool { type.target.map { graph[$0]?.schema.kind == .embedded } ?? false }

  /// Whether a row is a part of an object.
  func isOwned(_ row: ObjectLink) -> Bool { graph[row.table]?.schema.kind == .embedded }

  /// Calls a body with the value of a cell, or with each element of its collection, until it returns false.
  func forEachValue(_ table: Table, _ key: ObjectKey, _ leaf: Int, _ body: (Value) -> Bool) {
    let type = table.schema.columns[leaf].type
    if type.isCollection {
      table.collection(key, leaf: leaf)?.forEach(as: type, body)
    } else if let value = table.value(key, leaf: leaf) {
      _ = body(value)
    }
  }
}
