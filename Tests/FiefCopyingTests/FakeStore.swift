import FiefCopying
import FiefGraph
import FiefRuntime
import FiefTestSupport
import Foundation

/// A store of people, their pets and their homes in memory, with objects that are `FakeObject`s.
///
///     Person   id (key), name, best → Person, pets → [Pet], home → Home, note (any-value)
///     Pet      name?, keeper → Person
///     Home     city, annex → Home                      embedded
final class FakeStore {
  let transaction = Transaction(.empty)
  /// By name; in the order of their tables.
  private(set) var classes: [RowClass] = []
  private var declarations: [RowClass]
  /// The number of the changes that code of the application has made.
  private(set) var changes: UInt64 = 1
  /// What the initialiser of a class does.
  var initialiser: (FakeObject) -> Void = { _ in }
  /// The names of the classes of which instances were made.
  private(set) var made: [String] = []

  /// One declaration of each class, for stores that share their classes.
  static func declare() -> [RowClass] {
    ["Person", "Pet", "Home"].map { RowClass(name: $0, kind: .ordinary, table: nil, all: []) }
  }

  init(_ declarations: [RowClass] = declare()) throws {
    self.declarations = declarations
    let person = try transaction.addTable("Person")
    let pet = try transaction.addTable("Pet")
    let home = try transaction.addTable("Home", kind: .embedded)
    try addClass(
      person, .ordinary,
      [
        ("id", ColumnType(.int)), ("name", ColumnType(.string)), ("best", .link(to: person)),
        ("pets", .link(to: pet, shape: .list)), ("home", .link(to: home)), ("note", ColumnType(.any)),
      ], isKeyed: true)
    try addClass(
      pet, .ordinary, [("name", ColumnType(.string, isOptional: true)), ("keeper", .link(to: person))], isKeyed: false)
    try addClass(home, .embedded, [("city", ColumnType(.string)), ("annex", .link(to: home))], isKeyed: false)
    for rowClass in classes {
      let targets = rowClass.all.map { property in
        property.type.target.flatMap { table in classes.first { $0.table == table } }.map { unsafe Borrowed($0) }
      }
      rowClass.connect(ContiguousArray(targets), deletionsHaveRules: false)
    }
  }

  private func addClass(
    _ table: TableKey, _ kind: TableKind, _ columns: [(String, ColumnType)], isKeyed: Bool
  ) throws {
    let declaration = declarations[classes.count]
    var properties: ContiguousArray<RowProperty> = []
    for (number, (name, type)) in columns.enumerated() {
      let target = type.target.map { declarations[Int($0.rawValue) - Int(table.rawValue) + classes.count].name }
      properties.append(
        RowProperty(
          number: number, name: name, column: try transaction.addColumn(to: table, name, type), type: type,
          isPrimaryKey: isKeyed && number == 0, embedsTarget: target == "Home",
          startsEmpty: type.allowsNull || type.isCollection, targetName: target,
          targetTypeName: target ?? "Object"))
    }
    if isKeyed { try transaction.setPrimaryKey(properties[0].column, of: table) }
    classes.append(
      RowClass(
        of: declaration, name: declaration.name, kind: kind, table: transaction.graph[table]?.schema, all: properties))
  }

  subscript(_ name: String) -> RowClass {
    guard let found = classes.first(where: { $0.name == name }) else { fatalError("There is no class '\(name)'.") }
    return found
  }

  /// Plans with a planner and applies the plan, as an operation does.
  @discardableResult
  func plan(_ request: PlanRequest, _ enter: (InsertionPlanner) throws -> Void) throws -> [ObjectKey] {
    let planner = InsertionPlanner(self, store: self, transaction: transaction)
    planner.begin(request)
    let begun = changes
    defer { planner.finish() }
    try enter(planner)
    try planner.walk()
    try planner.checkBeforeApplying(hasChanged: changes != begun)
    try planner.plan.apply(to: transaction, by: request.policy)
    let keys = planner.plan.rows.indices.map(planner.plan.key)
    if request.mode == .add {
      planner.forEachAdded { object, _, key in
        fake(object).mark = nil
        fake(object).row = (self, key)
      }
    }
    return keys
  }

  /// Creates or updates an object from a value.
  @discardableResult
  func create(_ name: String, _ value: Any, _ policy: PlanPolicy = .error) throws -> [ObjectKey] {
    try plan(PlanRequest(.copy, policy)) { planner in _ = try planner.enterRoot(value, self[name]) }
  }

  /// Adds an object and everything that it reaches.
  @discardableResult
  func add(_ object: FakeObject, _ policy: PlanPolicy = .error) throws -> [ObjectKey] {
    try plan(PlanRequest(.add, policy)) { planner in
      _ = try planner.accept(object, as: self[object.className], at: .root, current: nil)
    }
  }

  /// Changes the store as code of the application does.
  func change(_ body: (Transaction) throws -> Void) throws {
    changes += 1
    try body(transaction)
  }

  /// The number of rows of a class.
  func count(_ name: String) -> Int { transaction.graph[self[name].table]?.count ?? 0 }

  /// A value of a row.
  func value(_ name: String, _ key: ObjectKey, _ property: String) -> Value? {
    self[name].number(of: property).flatMap { transaction.value(self[name].cell(key, $0)) }
  }

  /// The keys of the rows that a row links to.
  func targets(_ name: String, _ key: ObjectKey, _ property: String) -> [ObjectKey] {
    guard let number = self[name].number(of: property) else { return [] }
    let type = self[name].all[number].type
    if type.shape == .single { return value(name, key, property)?.linked.map { [$0.key] } ?? [] }
    guard let contents = transaction.graph.collection(self[name].cell(key, number)) else { return [] }
    return (0..<contents.count).compactMap { contents.value(at: $0, as: type).linked?.key }
  }
}

extension FakeStore: RowReader {
  func cluster(_ table: TableKey, _ chunk: Int64) -> Borrowed<Cluster>? { transaction.borrowedCluster(table, chunk) }

  func withGraph(_ body: (borrowing Graph) throws -> Void) rethrows { try transaction.read(body) }

  func hasRow(_ link: ObjectLink) -> Bool { transaction.contains(link) }

  func counterpart(of link: ObjectLink, in other: any RowReader) -> ObjectLink? { nil }

  func rowClass(of table: TableKey) -> RowClass? { classes.first { $0.table == table } }
}

extension FakeStore: ObjectSource {
  func value(of untyped: Any) -> SourceValue? {
    switch untyped {
    case let value as SourceValue: value
    case let object as FakeObject: .object(object)
    case let collection as FakeCollection: .collection(collection)
    default: nil
    }
  }

  func converted(_ untyped: Any, for property: RowProperty?) -> SourceValue? { nil }

  private func fake(_ object: AnyObject) -> FakeObject {
    guard let object = object as? FakeObject else { fatalError("The planner made an object up.") }
    return object
  }

  func state(of object: AnyObject) -> SourceState {
    let object = fake(object)
    guard let (store, key) = object.row else { return .unmanaged(mark: object.mark, fault: object.error) }
    return .row(store, store[object.className], key)
  }

  func hasRow(_ object: AnyObject) -> Bool {
    let object = fake(object)
    return object.row.map { $0.store.hasRow(ObjectLink($0.store[object.className].table, $0.key)) } ?? false
  }

  func mark(_ object: AnyObject, _ number: Int?) { fake(object).mark = number }

  func declaredClass(of object: AnyObject) -> RowClass { self[fake(object).className] }

  func content(of property: RowProperty, in object: AnyObject, skippingUnset: Bool) -> SourceValue? {
    if let value = fake(object).values[property.name] { return value }
    if skippingUnset && property.startsEmpty { return nil }
    if property.type.isCollection { return .collection(FakeCollection()) }
    switch property.type.kind {
    case .int: return .stored(.int(0))
    case .string where !property.allowsNull: return .stored(.string(""))
    default: return .stored(.null)
    }
  }

  func contents(of collection: AnyObject) -> SourceContents {
    guard let collection = collection as? FakeCollection else { fatalError("The planner made a collection up.") }
    return .elements(collection.elements, isNestedList: collection.isNestedList)
  }

  func rowClass(like other: RowClass, of reader: (any RowReader)?) throws(CopyError) -> RowClass {
    if let found = classes.first(where: { $0.name == other.name }) { return found }
    throw CopyError("There is no class '\(other.name)'.")
  }

  func name(of cell: Cell) -> String? { nil }

  func makeInstance(of rowClass: RowClass) -> AnyObject {
    let object = FakeObject(rowClass.name)
    made.append(rowClass.name)
    initialiser(object)
    return object
  }
}
