import FiefGraph

/// The key that stands for no table.
private let noTable: Int64 = 0x7FFF_FFFF

extension FileBytes {
  /// The tables of the newest version in the file, and the number of that version.
  func tables() throws(RealmFileError) -> (tables: [FileTable], version: UInt64) {
    guard header.top != 0 else { return ([], 0) }
    guard let top = Int64(exactly: header.top) else { throw damage("the top node is at \(header.top)", at: 0) }
    let elements = try refs(try node(top), atLeast: 3)
    let version = elements.count > 6 && elements[6] & 1 == 1 ? UInt64(clamping: elements[6] >> 1) : 0
    guard elements[0] != 0, elements[1] != 0 else { return ([], version) }
    let names = try texts(try self.node(elements[0]), enumeration: Enumeration(), isNullable: false)
    let list = try self.node(elements[1])
    let refs = try refs(list, atLeast: 0)
    guard refs.count <= names.values.count else {
      throw damage("there are \(refs.count) tables and \(names.values.count) names", at: list.offset)
    }
    var tables: [FileTable] = []
    var keys: Set<Int64> = []
    for (index, ref) in refs.enumerated() where ref & 1 == 0 && ref != 0 {
      place = FilePlace(table: names.values[index])
      try chargeSchema(2048)
      let table = try table(named: names.values[index], try self.node(ref))
      guard keys.insert(table.key).inserted else {
        throw damage("two tables have the key \(table.key)", at: list.offset)
      }
      tables.append(table)
      place = FilePlace()
    }
    return (tables, version)
  }

  private func table(named name: String, _ node: Node) throws(RealmFileError) -> FileTable {
    let elements = try refs(node, atLeast: 12)
    let specification = try Specification(self, elements[0])
    let opposites = try column(elements[7])
    let oppositeColumns = try column(elements[8])
    var columns: [FileColumn] = []
    var backlinks: [FileColumn] = []
    var leaves: Set<Int> = []
    for (index, type) in specification.types.enumerated() {
      // Also for the schema of the graph.
      try chargeSchema(768)
      let columnName = index < specification.names.count ? specification.names[index] : ""
      place.column = columnName
      guard let type = FileType(rawValue: type & 0xFFFF) else {
        throw unsupported("its type \(type & 0xFFFF) is unknown")
      }
      let key = UInt64(bitPattern: specification.keys[index])
      let leaf = Int(key & 0xFFFF)
      guard leaves.insert(leaf).inserted else { throw damage("two columns share leaf \(leaf)") }
      let column = FileColumn(
        name: columnName, type: type, attributes: FileAttributes(rawValue: specification.attributes[index]), key: key,
        opposite: Self.element(opposites, leaf).flatMap { $0 == noTable ? nil : $0 },
        oppositeColumn: Self.element(oppositeColumns, leaf).map { UInt64(bitPattern: $0) },
        enumeration: Self.element(specification.enumerations, index) ?? 0)
      if type == .backlinks {
        backlinks.append(column)
      } else {
        guard index < specification.names.count else { throw damage("a column of '\(name)' has no name") }
        columns.append(column)
      }
    }
    place.column = nil
    return FileTable(
      name: name, key: try tagged(elements[3], of: node), kind: try kind(elements, node), columns: columns,
      backlinks: backlinks, primaryKey: try primaryKey(elements[11], columns, node), rows: elements[2],
      tombstones: elements.count > 13 ? elements[13] : 0)
  }

  /// The integers of a node that may be missing.
  private func column(_ ref: Int64) throws(RealmFileError) -> Integers? {
    ref == 0 ? nil : try integers(try node(ref))
  }

  private static func element(_ integers: Integers?, _ index: Int) -> Int64? {
    integers.flatMap { index < $0.count ? $0[index] : nil }
  }

  private func kind(_ elements: Integers, _ node: Node) throws(RealmFileError) -> TableKind {
    guard elements.count > 12, elements[12] != 0 else { return .ordinary }
    switch try tagged(elements[12], of: node) & 3 {
    case 0: return .ordinary
    case 1: return .embedded
    case 2: return .asymmetric
    default: throw damage("the table is of an unknown kind", at: node.offset)
    }
  }

  private func primaryKey(_ element: Int64, _ columns: [FileColumn], _ node: Node) throws(RealmFileError) -> UInt64? {
    let key = UInt64(bitPattern: element) >> 1
    if element == 0 || key == .max >> 1 { return nil }
    guard element & 1 == 1, columns.contains(where: { $0.key == key }) else {
      throw damage("the primary key is none of the columns", at: node.offset)
    }
    return key
  }
}

/// The columns of a table, as its specification lists them. All arrays but the names and enumerations have one length.
private struct Specification {
  let types: Integers
  let names: ContiguousArray<String>
  let attributes: Integers
  let keys: Integers
  let enumerations: Integers?

  init(_ file: FileBytes, _ ref: Int64) throws(RealmFileError) {
    let node = try file.node(ref)
    let elements = try file.refs(node, atLeast: 6)
    types = try file.integers(try file.node(elements[0]))
    names = try file.texts(try file.node(elements[1]), enumeration: Enumeration(), isNullable: false).values
    attributes = try file.integers(try file.node(elements[2]))
    keys = try file.integers(try file.node(elements[5]))
    enumerations = try elements[4] == 0 ? nil : file.refs(try file.node(elements[4]), atLeast: 0)
    guard attributes.count == types.count, keys.count == types.count, names.count <= types.count else {
      throw file.damage(
        "there are \(types.count) columns, \(names.count) names, \(attributes.count) attributes and \(keys.count) keys",
        at: node.offset)
    }
  }
}
