import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Foundation

/// A graph with a column of every kind, in random order, with random rows and indexes, and with the names of its
/// backlinks.
///
///     Thing   one single column of each kind, required and optional; lists, sets, dictionaries;
///             link ─▶ Thing, other ─▶ Other, place ─▶ Point (embedded), others ─▶ [Other], things ─▶ {Thing}
///     Other   int, string, doubleN, owner ─▶ Thing, numbers
struct World {
  let graph: Graph
  let thing: TableKey
  let other: TableKey
  let catalog: StoredNames

  /// The kinds of single values, with the names of their columns. An `N` after a name means that null is allowed.
  static let kinds: [(ValueKind, String)] = [
    (.bool, "bool"), (.int, "int"), (.float, "float"), (.double, "double"), (.string, "string"), (.data, "data"),
    (.date, "date"), (.objectId, "oid"), (.uuid, "uuid"), (.decimal, "decimal"),
  ]

  static let collections: [(String, ColumnType)] = [
    ("ints", ColumnType(.int, shape: .list)), ("intNs", ColumnType(.int, shape: .list, isOptional: true)),
    ("strings", ColumnType(.string, shape: .list)), ("doubles", ColumnType(.double, shape: .set)),
    ("dates", ColumnType(.date, shape: .list)), ("tags", ColumnType(.string, shape: .set)),
    ("map", ColumnType(.int, shape: .dictionary)), ("mapN", ColumnType(.string, shape: .dictionary, isOptional: true)),
    ("anys", ColumnType(.any, shape: .list)), ("anyMap", ColumnType(.any, shape: .dictionary)),
    ("decimals", ColumnType(.decimal, shape: .list)),
  ]

  static let keys = ["k", "a b", "É"]

  init(_ random: inout SeededRandom, rows: Int) throws {
    let transaction = Transaction(.empty)
    let thing = try transaction.addTable("Thing")
    let other = try transaction.addTable("Other")
    let point = try transaction.addTable("Point", kind: .embedded)
    try transaction.addColumn(to: point, "type", ColumnType(.string))
    try transaction.addColumn(to: point, "coordinates", ColumnType(.double, shape: .list))
    var columns: [(String, ColumnType)] = [
      ("any", ColumnType(.any)), ("link", .link(to: thing)), ("other", .link(to: other)), ("place", .link(to: point)),
      ("others", .link(to: other, shape: .list)), ("things", .link(to: thing, shape: .set)),
      ("otherMap", .link(to: other, shape: .dictionary)),
    ]
    for (kind, name) in Self.kinds {
      columns.append((name, ColumnType(kind)))
      columns.append((name + "N", ColumnType(kind, isOptional: true)))
    }
    columns += Self.collections
    columns += [("id", ColumnType(.int))]
    for (name, type) in random.shuffled(columns) { try transaction.addColumn(to: thing, name, type) }
    for (name, type) in [
      ("int", ColumnType(.int)), ("string", ColumnType(.string)), ("doubleN", ColumnType(.double, isOptional: true)),
      ("owner", .link(to: thing)), ("numbers", ColumnType(.int, shape: .list)),
    ] { try transaction.addColumn(to: other, name, type) }

    let declared = transaction.graph
    func column(_ table: TableKey, _ name: String) throws -> ColumnKey {
      guard let column = declared[table]?.schema.column(named: name) else { fatalError("No column \(name).") }
      return column.key
    }
    if random.bool() { try transaction.setPrimaryKey(try column(thing, "id"), of: thing) }
    let indexable = [
      "bool", "int", "intN", "double", "floatN", "string", "stringN", "date", "oidN", "uuid", "decimalN", "any",
      "dataN",
    ]
    for name in indexable where random.bool(0.4) {
      try transaction.addIndex(IndexDefinition([try column(thing, name)]), to: thing)
    }
    for name in ["string", "stringN"] where random.bool() {
      try transaction.addIndex(.fullText(try column(thing, name)), to: thing)
    }
    for pair in [["int", "string"], ["stringN", "intN"], ["bool", "date", "int"]] where random.bool(0.5) {
      try transaction.addIndex(IndexDefinition(try pair.map { try column(thing, $0) }), to: thing)
    }

    // There are far more keys than rows, so that rows are in several clusters with gaps between them.
    var things: [ObjectKey] = []
    var others: [ObjectKey] = []
    let hasKey = transaction.graph[thing]?.schema.primaryKey != nil
    for number in 0..<(rows * 3) {
      things.append(
        try transaction.create(in: thing, primaryKey: hasKey ? .int(Int64(number)) : nil) { row in
          for (kind, name) in Self.kinds { try row.set(random.value(kind), try column(thing, name)) }
        })
      if !hasKey { try transaction.set(.int(Int64(number)), Cell(thing, things[number], try column(thing, "id"))) }
      if number % 2 == 0 {
        others.append(
          try transaction.create(in: other, primaryKey: nil) { row in
            try row.set(random.value(.int), try column(other, "int"))
            try row.set(random.value(.string), try column(other, "string"))
          })
      }
    }
    let gone = random.bool() ? things.filter { _ in random.bool(0.66) } : Array(things.dropFirst(rows))
    try transaction.delete(gone.map { ObjectLink(thing, $0) })
    let dead = Set(gone)
    things.removeAll { dead.contains($0) }
    try Self.fill(transaction, things, others, thing, other, point, &random, column)
    graph = transaction.graph
    self.thing = thing
    self.other = other
    catalog = StoredNames([
      thing: [
        "owned": .backlinks(origin: other, column: try column(other, "owner")),
        "linkers": .backlinks(origin: thing, column: try column(thing, "link")),
      ],
      other: [
        "holders": .backlinks(origin: thing, column: try column(thing, "other")),
        "listers": .backlinks(origin: thing, column: try column(thing, "others")),
      ],
    ])
  }

  private static func fill(
    _ transaction: Transaction, _ things: [ObjectKey], _ others: [ObjectKey], _ thing: TableKey, _ other: TableKey,
    _ point: TableKey, _ random: inout SeededRandom, _ column: (TableKey, String) throws -> ColumnKey
  ) throws {
    func someThing(_ random: inout SeededRandom) -> Value { .link(ObjectLink(thing, random.element(of: things))) }
    func someOther(_ random: inout SeededRandom) -> Value { .link(ObjectLink(other, random.element(of: others))) }
    for key in things {
      func cell(_ name: String) throws -> Cell { Cell(thing, key, try column(thing, name)) }
      for (kind, name) in kinds where random.bool(0.6) { try transaction.set(random.value(kind), try cell(name + "N")) }
      if random.bool(0.5) { try transaction.set(someThing(&random), try cell("link")) }
      if random.bool(0.6) { try transaction.set(someOther(&random), try cell("other")) }
      for _ in 0..<random.below(4) { try transaction.append(someOther(&random), toList: try cell("others")) }
      for _ in 0..<random.below(3) { _ = try transaction.insert(someThing(&random), inSet: try cell("things")) }
      for _ in 0..<random.below(3) {
        try transaction.set(
          random.bool(0.2) ? .null : someOther(&random), forKey: random.element(of: keys),
          inDictionary: try cell("otherMap"))
      }
      for (name, type) in collections {
        for _ in 0..<random.below(4) {
          let value = type.allowsNull && random.bool(0.2) ? .null : random.value(type.kind)
          switch type.shape {
          case .list: try transaction.append(value, toList: try cell(name))
          case .set: _ = try transaction.insert(value, inSet: try cell(name))
          default: try transaction.set(value, forKey: random.element(of: keys), inDictionary: try cell(name))
          }
        }
      }
      switch random.below(6) {
      case 0: break
      case 1: try transaction.set(someThing(&random), try cell("any"))
      case 2, 3:
        let isList = random.bool()
        let nested = try transaction.createOwned(
          in: isList ? .nestedLists : .nestedDictionaries, by: try cell("any"), .value)
        let contents = Cell(isList ? .nestedLists : .nestedDictionaries, nested, .nestedElements)
        for _ in 0..<random.below(4) {
          if isList {
            try transaction.append(random.value(.any), toList: contents)
          } else {
            try transaction.set(random.value(.any), forKey: random.element(of: keys), inDictionary: contents)
          }
        }
      default: try transaction.set(random.value(.any), try cell("any"))
      }
      if random.bool(0.7) {
        let place = try transaction.createOwned(in: point, by: try cell("place"), .value)
        try transaction.set(
          .string(random.bool(0.9) ? "Point" : "Line"), Cell(point, place, try column(point, "type")))
        for _ in 0..<(random.bool(0.9) ? 2 : random.below(2)) {
          try transaction.append(
            .double(Double(random.int(in: -90...90))), toList: Cell(point, place, try column(point, "coordinates")))
        }
      }
    }
    for key in others {
      if random.bool(0.5) {
        try transaction.set(random.value(.double), Cell(other, key, try column(other, "doubleN")))
      }
      if random.bool(0.7) { try transaction.set(someThing(&random), Cell(other, key, try column(other, "owner"))) }
      for _ in 0..<random.below(3) {
        try transaction.append(random.value(.int), toList: Cell(other, key, try column(other, "numbers")))
      }
    }
  }
}

extension SeededRandom {
  /// The letters of random strings: both cases, composed and decomposed marks, letters that fold to two, and the signs
  /// of `LIKE`.
  static let letters: [String] = [
    "a", "A", "b", "B", "e", "e\u{301}", "\u{E9}", "\u{C9}", "ss", "*", "?", "\\", "\"", " ",
  ]

  /// A value of a kind, chosen among few, so that equal values are frequent. Never null except for any-values.
  mutating func value(_ kind: ValueKind) -> Value {
    switch kind {
    case .bool: return .bool(bool())
    case .int:
      return .int(bool(0.05) ? element(of: [Int64.min, .max, 300, -300, 70_000]) : Int64(int(in: -3...6)))
    case .float: return .float(element(of: [0, -0.0, 0.5, 1, 1.5, 0.1, -2, .nan, .infinity, 1e30]))
    case .double: return .double(element(of: [0, -0.0, 0.5, 1, 1.5, 0.1, -2, .nan, -.infinity, 1e300]))
    case .string:
      let count = bool(0.1) ? 12 + below(8) : below(4)
      return .string((0..<count).map { _ in element(of: Self.letters) }.joined())
    case .data: return .data(Data((0..<below(3)).map { _ in UInt8(below(3)) }))
    case .date: return .date(Timestamp(seconds: Int64(int(in: -2...2)), nanoseconds: Int64(below(2))))
    case .objectId: return .objectId((try? ObjectId(string: "00000000000000000000000\(below(4))")) ?? ObjectId())
    case .uuid: return .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(below(4)))))
    case .decimal: return .decimal(element(of: ["0", "1", "1.50", "0.1", "-2", "NaN", "1E+30"]).decimal)
    case .link: return .null
    case .any:
      let kind = element(of: [
        ValueKind.bool, .int, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal,
      ])
      return bool(0.15) ? .null : value(kind)
    }
  }
}

extension String {
  fileprivate var decimal: Decimal128 { (try? Decimal128(validating: self)) ?? Decimal128() }
}
