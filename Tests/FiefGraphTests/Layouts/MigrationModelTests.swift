import FiefGraph
import FiefTestSupport
import Testing

/// Random evolutions of schemas with random data, against a model that keeps names and values.
struct MigrationModelTests {
  @Test func everyEvolutionLeadsWhereTheModelLeads() throws {
    let chains = Effort.of(debug: 60, release: 2000, night: 10_000)
    try Seeds.run(count: chains) { _, random in
      var evolution = Evolution()
      for _ in 0..<(1 + random.below(10)) {
        try evolution.migrate(&random)
        try evolution.write(&random)
        evolution.check()
      }
    }
  }
}

/// A property as a class declares it.
private struct Property: Equatable {
  var kind = ValueKind.int
  var shape = ColumnShape.single
  var isOptional = false
  var target: String?
  var index = Index.none

  enum Index {
    case none, plain, unique
  }

  static func random(_ random: inout SeededRandom, linkingTo classes: [String]) -> Property {
    var property = Property()
    property.kind = [.int, .string, .double, .bool, .link][random.below(classes.isEmpty ? 4 : 5)]
    property.shape = [.single, .single, .list][random.below(3)]
    property.isOptional = property.kind != .link && random.bool(0.4)
    if property.kind == .link { property.target = classes[random.below(classes.count)] }
    if property.kind == .int && property.shape == .single {
      property.index = [.none, .none, .plain, .unique][random.below(4)]
    }
    return property
  }

  /// Whether cells of the other type keep their values.
  func keeps(_ other: Property) -> Bool {
    kind == other.kind && shape == other.shape && target == other.target && (isOptional || !other.isOptional)
  }

  /// What an unset cell holds.
  var zero: [Value] {
    if shape == .list { return [] }
    if isOptional || kind == .link { return [.null] }
    switch kind {
    case .string: return [.string("")]
    case .double: return [.double(0)]
    case .bool: return [.bool(false)]
    default: return [.int(0)]
    }
  }

  var canBeKey: Bool { shape == .single && (kind == .int || kind == .string) }

  func declaration(_ name: String) -> ColumnDeclaration {
    ColumnDeclaration(name, ColumnType(kind, shape: shape, isOptional: isOptional), target: target)
  }

  func indexes(_ name: String) -> [ColumnIndex<String>] {
    let values = index == .none ? [] : [ColumnIndex([name], isUnique: index == .unique)]
    return values + (kind == .string && shape == .single && name == "a" ? [.fullText(name)] : [])
  }
}

private struct Class {
  var properties: [String: Property] = [:]
  var key: String?
}

/// A table of the model. A link is the key of its target.
private struct EvolvedTable {
  var properties: [String: Property] = [:]
  var rows: [Int64: [String: [Value]]] = [:]
}

private struct Evolution {
  var graph = Graph.empty
  var tables: [String: EvolvedTable] = [:]
  var classes: [String: Class] = [:]

  // MARK: Migrating

  mutating func migrate(_ random: inout SeededRandom) throws {
    let (wanted, renamed) = nextClasses(&random)
    let declarations = wanted.sorted { $0.key < $1.key }.map { name, declared in
      let properties = declared.properties.sorted { $0.key < $1.key }
      return TableDeclaration(
        name: name, kind: .ordinary, columns: properties.map { $1.declaration($0) }, primaryKey: declared.key,
        indexes: properties.flatMap { $1.indexes($0) })
    }
    let transaction = Transaction(graph)
    try SchemaLayout.prepare(declarations, transaction, defersKeys: random.bool(0.5) || !renamed.isEmpty)
    var moved: [(TableKey, ColumnKey, ColumnKey)] = []
    for (name, old, new) in renamed {
      let schema = try #require(transaction.graph.table(named: name)?.schema)
      let (from, to) = (try #require(schema.column(named: old)).key, try #require(schema.column(named: new)).key)
      try transaction.moveCells(from: from, to: to, of: schema.key)
      moved.append((schema.key, transaction.graph[schema.key]?.schema.column(named: old)?.key ?? from, to))
    }
    #expect(transaction.graph.checkInvariants() == [])
    for (table, from, to) in moved { try transaction.takeKey(of: from, by: to, in: table) }
    var next = self
    next.follow(wanted, renamed)
    do {
      _ = try SchemaLayout.complete(declarations, transaction)
    } catch let error as GraphError {
      #expect(error.code == .duplicatePrimaryKey || error.code == .uniqueConstraint, "\(error)")
      #expect(next.hasRepetition, "\(error)")
      #expect(!transaction.graph.repetitions(declarations).isEmpty)
      return
    }
    #expect(!next.hasRepetition)
    #expect(transaction.graph.repetitions(declarations).isEmpty)
    let layout = SchemaLayout(declarations, over: transaction.graph, .sameVersion)
    #expect(layout.isEmpty && layout.differences.isEmpty)
    let before = graph
    self = next
    graph = transaction.graph
    // The migration is a commit, and its journal record is the difference.
    #expect(try before.applying(Delta(from: before, to: graph)) == graph)
  }

  /// Draws the classes of the next version, and which properties of theirs were renamed.
  private func nextClasses(_ random: inout SeededRandom) -> ([String: Class], [(String, String, String)]) {
    var wanted = classes
    for name in ["A", "B", "C"] where random.below(6) == 0 { wanted[name] = wanted[name] == nil ? Class() : nil }
    if wanted.isEmpty { wanted["A"] = Class() }
    let names = wanted.keys.sorted()
    var renamed: [(String, String, String)] = []
    for name in names {
      var declared = wanted[name] ?? Class()
      for property in declared.properties where property.value.target.map({ wanted[$0] == nil }) ?? false {
        declared.properties[property.key] = nil
      }
      for _ in 0..<random.below(4) {
        let property = ["a", "b", "c", "d"][random.below(4)]
        switch random.below(5) {
        case 0: declared.properties[property] = nil
        case 1: declared.properties[property]?.isOptional.toggle()
        case 2:
          let other = ["e", "f"][random.below(2)]
          if let present = declared.properties[property], tables[name]?.properties[property] == present,
            tables[name]?.properties[other] == nil, declared.properties[other] == nil
          {
            declared.properties[property] = nil
            declared.properties[other] = present
            renamed.append((name, property, other))
          }
        default: declared.properties[property] = .random(&random, linkingTo: names)
        }
      }
      for (key, property) in declared.properties where property.kind == .link && property.isOptional {
        declared.properties[key]?.isOptional = false
      }
      // A property that was renamed and changed again was not renamed.
      renamed.removeAll { $0.0 == name && (declared.properties[$0.1] != nil || declared.properties[$0.2] == nil) }
      if declared.properties.isEmpty { declared.properties["a"] = Property() }
      let keys = declared.properties.filter { $0.value.canBeKey }.keys.sorted()
      declared.key = keys.isEmpty || random.below(3) > 0 ? nil : keys[random.below(keys.count)]
      if let key = declared.key { declared.properties[key]?.index = .none }
      wanted[name] = declared
    }
    renamed.removeAll { name, old, new in
      guard let from = tables[name]?.properties[old], let to = wanted[name]?.properties[new] else { return true }
      return !to.keeps(from)
    }
    return (wanted, renamed)
  }

  /// What becomes of the model.
  private mutating func follow(_ wanted: [String: Class], _ renamed: [(String, String, String)]) {
    classes = wanted
    for (name, declared) in wanted {
      var table = tables[name] ?? EvolvedTable()
      for (key, row) in table.rows {
        var new: [String: [Value]] = [:]
        for (property, declaration) in declared.properties {
          let source = renamed.first { $0.0 == name && $0.2 == property }?.1 ?? property
          let isKept = table.properties[source].map { declaration.keeps($0) } ?? false
          new[property] = isKept ? row[source] ?? declaration.zero : declaration.zero
        }
        table.rows[key] = new
      }
      table.properties = declared.properties
      tables[name] = table
    }
  }

  /// Whether a value repeats that the classes allow once.
  private var hasRepetition: Bool {
    classes.contains { name, declared in
      declared.properties.contains { property, declaration in
        guard property == declared.key || declaration.index == .unique else { return false }
        let values = tables[name]?.rows.values.compactMap { $0[property]?.first } ?? []
        let relevant = property == declared.key ? values : values.filter { !$0.isNull }
        return Set(relevant.map { "\($0)" }).count < relevant.count
      }
    }
  }

  // MARK: Writing

  mutating func write(_ random: inout SeededRandom) throws {
    let transaction = Transaction(graph)
    for _ in 0..<random.below(12) {
      let name = classes.keys.sorted()[random.below(classes.count)]
      guard let declared = classes[name], let schema = transaction.graph.table(named: name)?.schema else { continue }
      let keys = tables[name]?.rows.keys.sorted() ?? []
      switch random.below(4) {
      case 0 where !keys.isEmpty: try delete(name, keys[random.below(keys.count)], transaction, schema.key)
      case 1 where !keys.isEmpty:
        let key = keys[random.below(keys.count)]
        for (property, declaration) in declared.properties.sorted(by: { $0.key < $1.key })
        where property != declared.key && declaration.index != .unique {
          try set(name, key, property, declaration, transaction, schema, &random)
        }
      default:
        // Keys and unique values are never drawn twice.
        let number = Int64(1000 + transaction.graph[schema.key]!.nextKey)
        let keyValue = declared.key.flatMap { declared.properties[$0] }.map {
          $0.kind == .int ? Value.int(number) : .string("\(number)")
        }
        let unique = declared.properties.filter { $0.value.index == .unique }.keys.sorted()
        let made = try transaction.create(in: schema.key, primaryKey: keyValue) { row in
          for property in unique { try row.set(Value.int(number), schema.column(named: property)!.key) }
        }
        var row = declared.properties.mapValues(\.zero)
        if let key = declared.key { row[key] = [keyValue!] }
        for property in unique { row[property] = [.int(number)] }
        tables[name]?.rows[made.rawValue] = row
      }
    }
    graph = transaction.graph
  }

  private mutating func set(
    _ name: String, _ key: Int64, _ property: String, _ declaration: Property, _ transaction: Transaction,
    _ schema: TableSchema, _ random: inout SeededRandom
  ) throws {
    func value() -> Value? {
      if declaration.isOptional && random.bool(0.3) { return .null }
      switch declaration.kind {
      case .string: return .string(random.text(count: 3, of: "ab "))
      case .double: return .double(Double(random.below(9)) / 4)
      case .bool: return .bool(random.bool(0.5))
      case .link:
        let targets = declaration.target.flatMap { tables[$0]?.rows.keys.sorted() } ?? []
        return targets.isEmpty ? nil : .int(targets[random.below(targets.count)])
      default: return .int(Int64(random.below(7)))
      }
    }
    let target = declaration.target.flatMap { transaction.graph.table(named: $0)?.schema.key }
    func stored(_ value: Value) -> Value {
      if let target, case .int(let key) = value { return .link(ObjectLink(target, ObjectKey(key))) }
      return value
    }
    let cell = Cell(schema.key, ObjectKey(key), schema.column(named: property)!.key)
    if declaration.shape == .single {
      guard let value = value() else { return }
      try transaction.set(stored(value), cell)
      tables[name]?.rows[key]?[property] = [value]
    } else {
      let values = (0..<random.below(4)).compactMap { _ in value() }
      try transaction.removeAll(from: cell)
      try transaction.insert(contentsOf: values.map(stored), at: 0, inList: cell)
      tables[name]?.rows[key]?[property] = values
    }
  }

  private mutating func delete(_ name: String, _ key: Int64, _ transaction: Transaction, _ table: TableKey) throws {
    try transaction.delete(ObjectLink(table, ObjectKey(key)))
    tables[name]?.rows[key] = nil
    for (other, table) in tables {
      for (property, declaration) in table.properties where declaration.target == name {
        for row in table.rows.keys {
          if declaration.shape == .list {
            tables[other]?.rows[row]?[property]?.removeAll { $0 == .int(key) }
          } else if tables[other]?.rows[row]?[property] == [.int(key)] {
            tables[other]?.rows[row]?[property] = [.null]
          }
        }
      }
    }
  }

  // MARK: Comparing

  func check() {
    #expect(graph.checkInvariants() == [])
    for (name, table) in tables {
      guard let stored = graph.table(named: name) else {
        #expect(table.properties.isEmpty, "table \(name) is missing")
        continue
      }
      #expect(stored.count == table.rows.count, "rows of \(name)")
      #expect(Set(stored.schema.columns.map(\.name)) == Set(table.properties.keys), "columns of \(name)")
      for (key, row) in table.rows {
        for (property, values) in row {
          guard let column = stored.schema.column(named: property) else { continue }
          let found = graph.values(Cell(stored.schema.key, ObjectKey(key), column.key)).map { value in
            value.linked.map { Value.int($0.key.rawValue) } ?? value
          }
          #expect(found == values, "\(name)#\(key).\(property)")
        }
      }
    }
  }
}
