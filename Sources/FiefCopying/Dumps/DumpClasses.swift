internal import FiefGraph
import FiefValues

/// The classes of a graph as a dump shows them: ordered by name, the primary key before the other properties, and those
/// ordered by name. The order does not depend on the history of the file.
struct DumpClasses {
  let graph: Graph
  /// The classes whose rows stand alone, by name.
  let classes: [DumpClass]
  private let ofTables: [DumpClass?]

  init(_ graph: Graph) {
    self.graph = graph
    let tables = graph.allTables
    var ofTables = [DumpClass?](repeating: nil, count: (tables.last.map { Int($0.schema.key.rawValue) } ?? 0) + 1)
    for table in tables where !table.schema.isInternal {
      ofTables[Int(table.schema.key.rawValue)] = DumpClass(table)
    }
    self.ofTables = ofTables
    classes = ofTables.compactMap { $0 }.filter { !$0.isOwned }.sorted {
      StoredOrder.compare($0.storedName, $1.storedName) < 0
    }
    assert(classes.allSatisfy { !$0.isOwned }, "Rows that stand alone are not owned.")
  }

  subscript(table: TableKey) -> DumpClass? {
    Int(table.rawValue) < ofTables.count ? ofTables[Int(table.rawValue)] : nil
  }
}

final class DumpClass {
  let table: Table
  /// The stored name, and its text.
  let storedName: String
  let name: String
  let columns: [DumpColumn]
  let keyLeaf: Int?
  /// Whether its rows stand within others: embedded objects, and collections in any-values.
  let isOwned: Bool

  init(_ table: Table) {
    let schema = table.schema
    self.table = table
    storedName = schema.name
    name = DumpText.name(schema.name)
    isOwned = schema.kind == .embedded
    keyLeaf = schema.primaryKey.flatMap(schema.leaf)
    let keyLeaf = keyLeaf
    assert(keyLeaf ?? 0 >= 0, "A primary key has a column.")
    columns = schema.columns.enumerated().map { DumpColumn($1, leaf: $0) }.sorted {
      ($0.leaf == keyLeaf ? 0 : 1, $0.storedName) < ($1.leaf == keyLeaf ? 0 : 1, $1.storedName)
    }
  }

  /// The primary key of a row; nil for a class without one.
  func key(_ row: ObjectKey) -> Value? { keyLeaf.map { table.value(row, leaf: $0) ?? .null } }
}

struct DumpColumn {
  let storedName: String
  let name: String
  let leaf: Int
  let type: ColumnType
  /// A number that is the same for each property of this name.
  let hash: UInt64

  init(_ column: Column, leaf: Int) {
    storedName = column.name
    name = DumpText.name(column.name)
    self.leaf = leaf
    type = column.type
    hash = PathHash.of(column.name)
  }

  /// Whether its values are compared as they are: they are neither links nor collections, and have one type.
  var isScalar: Bool { type.shape == .single && !type.canLink }
}

/// Numbers that identify the way from an object to a link: names, positions and keys. They are equal in every process.
enum PathHash {
  /// FNV-1a (Fowler, Noll, Vo) over the bytes of a name.
  static func of(_ name: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// A way and its next step. The mixing is that of SplitMix64 (Steele, Lea, Flood 2014).
  static func joined(_ path: UInt64, _ step: UInt64) -> UInt64 {
    var mixed = path &* 31 &+ step &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
