import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift

/// Random contents of a schema with properties of all types and shapes: cycles, shared objects, embedded objects inside
/// each other, any-values of everything, values at the edges.
struct RandomContents {
  /// Three classes that stand alone, two with a primary key and one without, and one that is embedded.
  static let schema: DynamicSchema = {
    let kinds: [PropertyType] = [
      .bool, .int, .float, .double, .string, .data, .date, .objectId, .UUID, .decimal128, .any,
    ]
    let shapes: [DynamicSchema.Collection] = [.single, .list, .set, .map]
    var properties: [DynamicSchema.Property] = []
    for kind in kinds {
      for shape in shapes {
        for isOptional in kind == .any ? [false] : [false, true] {
          properties.append(
            .init("\(kind) \(shape)\(isOptional ? "?" : "")", kind, shape, isOptional: isOptional))
        }
      }
    }
    var links: [DynamicSchema.Property] = []
    for target in ["Keyed", "Named", "Loose"] {
      for shape in shapes { links.append(.init("\(target) \(shape)", .object, shape, linkingTo: target)) }
    }
    let parts: [DynamicSchema.Property] = [
      .init("part", .object, linkingTo: "Part"), .init("parts", .object, .list, linkingTo: "Part"),
      .init("named parts", .object, .map, linkingTo: "Part"),
    ]
    let unique = DynamicSchema.Property("unique", .int, index: .unique)
    return DynamicSchema([
      .init("Keyed", primaryKey: "id", [.init("id", .int), unique] + properties + links + parts),
      .init("Named", primaryKey: "$name", [.init("$name", .string, isOptional: true)] + links + parts),
      .init("Loose", properties + links + parts),
      .init("Part", isEmbedded: true, [.init("text", .string), .init("any", .any)] + links + parts),
    ])
  }()

  var random: SeededRandom
  private let transaction: Transaction
  private var rows: [ObjectLink] = []
  /// How deep what is owned is nested at present.
  private var level = 0

  /// Makes the contents in an empty realm of the schema.
  static func fill(_ realm: Realm, _ random: inout SeededRandom) throws {
    var contents = RandomContents(random, realm.graph)
    try contents.fill()
    random = contents.random
    try realm.write { try realm.apply(Delta(from: realm.graph, to: contents.transaction.successor)) }
  }

  private init(_ random: SeededRandom, _ graph: Graph) {
    self.random = random
    transaction = Transaction(graph)
  }

  private mutating func fill() throws {
    let tables = transaction.successor.allTables.map(\.schema).filter { $0.kind == .ordinary }
    for table in tables {
      for number in 0..<random.below(6) {
        let key: Value? =
          switch table.name {
          case "Keyed": .int(Int64(number) &* 1_000_000_007)
          case "Named": number == 0 ? .null : .string(random.string() + "\(number)")
          default: nil
          }
        let row = try transaction.create(in: table.key, primaryKey: key) { row in
          if let unique = table.column(named: "unique") { try row.set(Value.int(Int64(number)), unique.key) }
        }
        rows.append(ObjectLink(table.key, row))
      }
    }
    for row in rows { try fill(row) }
  }

  private mutating func fill(_ row: ObjectLink) throws {
    guard let schema = transaction.successor[row.table]?.schema else { return }
    for column in schema.columns where column.key != schema.primaryKey && column.name != "unique" {
      try fill(Cell(row.table, row.key, column.key), column.type)
    }
  }

  private mutating func fill(_ cell: Cell, _ type: ColumnType) throws {
    let isPart = type.target.flatMap { transaction.successor[$0]?.schema.kind } == .embedded
    if type.shape == .single {
      if let choice = choice(type, isPart) { try put(choice, .value, cell) { try $0.set($1, cell) } }
      return
    }
    var length = 0
    for _ in 0..<(isPart && level > 1 ? 0 : random.below(3)) {
      guard let choice = choice(type.element, isPart, inSet: type.shape == .set) else { continue }
      if case .value(.null) = choice, !type.allowsNull { continue }
      switch type.shape {
      case .list:
        try put(choice, .inserted(at: length), cell) { try $0.append($1, toList: cell) }
        length += 1
      case .set: try put(choice, .value, cell) { _ = try $0.insert($1, inSet: cell) }
      default:
        let key = key()
        try put(choice, .entry(key), cell) { try $0.set($1, forKey: key, inDictionary: cell) }
      }
    }
  }

  /// The value of a place.
  private enum Choice {
    case value(Value)
    /// A new row that the place owns.
    case owned(TableKey)
  }

  private mutating func put(
    _ choice: Choice, _ position: OwnedPosition, _ cell: Cell, _ store: (Transaction, Value) throws -> Void
  ) throws {
    switch choice {
    case .value(let value): try store(transaction, value)
    case .owned(let table):
      let row = ObjectLink(table, try transaction.createOwned(in: table, by: cell, position))
      level += 1
      try fill(row)
      level -= 1
    }
  }

  private mutating func key() -> String {
    String(random.string().prefix(200)).replacingOccurrences(of: "$", with: "_").replacingOccurrences(
      of: ".", with: "_")
  }

  /// The value of a place of a type; nil where the type has none.
  private mutating func choice(_ type: ColumnType, _ isPart: Bool, inSet: Bool = false) -> Choice? {
    if type.kind == .link {
      if isPart { return level > 1 || random.bool() ? nil : type.target.map(Choice.owned) }
      let targets = rows.filter { $0.table == type.target }
      return targets.isEmpty ? nil : .value(.link(random.element(of: targets)))
    }
    if type.allowsNull && random.below(4) == 0 { return .value(.null) }
    guard type.kind == .any else { return .value(scalar(type.kind)) }
    switch random.below(6) {
    case 0 where !rows.isEmpty: return .value(.link(random.element(of: rows)))
    case 1 where !inSet && level < 4: return .owned(random.bool() ? .nestedLists : .nestedDictionaries)
    default:
      return .value(
        scalar(random.element(of: [.bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal])))
    }
  }

  private mutating func scalar(_ kind: ValueKind) -> Value {
    switch kind {
    case .bool: return .bool(random.bool())
    case .int: return .int(random.int64())
    case .float: return .float(Float(random.double()))
    case .double: return .double(random.double())
    case .string: return .string(random.string())
    case .data: return .data(random.data())
    case .date:
      let edges: [Timestamp] = [.min, .max, Timestamp(seconds: -1, nanoseconds: 999_999_999)]
      return .date(
        random.below(8) == 0
          ? random.element(of: edges)
          : Timestamp(seconds: random.int64() >> 20, nanoseconds: Int64(random.below(1_000_000_000))))
    case .objectId: return ObjectId(bytes: random.bytes(count: 12)).map(Value.objectId) ?? .null
    case .uuid: return .uuid(UUID(uuid: random.bytes(count: 16).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    case .decimal:
      let edges = [
        "NaN", "Infinity", "-Infinity", "-0", "0E-6176", "1.50", "9.999999999999999999999999999999999E+6144",
      ]
      let text = random.bool() ? random.element(of: edges) : "\(random.int64())E\(random.below(6000) - 3000)"
      return .decimal((try? Decimal128(validating: text)) ?? 0)
    case .link, .any: return .null
    }
  }
}
