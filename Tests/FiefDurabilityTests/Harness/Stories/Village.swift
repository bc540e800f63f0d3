import FiefGraph
import FiefTestSupport

/// The contents of the stores of the crash tests: people with friends and notes, changed at random.
///
/// The first commit declares the tables, so that a crash can also lose a schema.
struct Village: Sendable {
  let people: TableKey
  let name: ColumnKey
  let age: ColumnKey
  let friend: ColumnKey
  let notes: ColumnKey

  /// Declares the tables.
  init(in transaction: Transaction) throws {
    people = try transaction.addTable("Person")
    name = try transaction.addColumn(to: people, "name", ColumnType(.string))
    age = try transaction.addColumn(to: people, "age", ColumnType(.int))
    friend = try transaction.addColumn(to: people, "friend", .link(to: people))
    notes = try transaction.addColumn(to: people, "notes", ColumnType(.string, shape: .list))
  }

  /// Makes a few changes, which only `random` and the graph determine.
  func change(_ transaction: Transaction, using random: inout SeededRandom) throws {
    for _ in 0...random.below(3) {
      guard let person = anyone(transaction, using: &random), random.below(4) != 0 else {
        try add(transaction, using: &random)
        continue
      }
      switch random.below(6) {
      case 0, 1: try transaction.set(Int64(random.below(1000)), Cell(people, person, age))
      case 2: try transaction.set(text(using: &random), Cell(people, person, name))
      case 3:
        guard let other = anyone(transaction, using: &random) else { break }
        try transaction.set(.link(ObjectLink(people, other)), Cell(people, person, friend))
      case 4: try transaction.append(.string(text(using: &random)), toList: Cell(people, person, notes))
      default: try transaction.delete(ObjectLink(people, person))
      }
    }
    // A commit without changes has no record, so each one adds a person.
    try add(transaction, using: &random)
  }

  /// Adds people whose names fill some blocks of a snapshot.
  func addLongTexts(_ transaction: Transaction) throws {
    for person in 0..<100 {
      try transaction.create(in: people) { try $0.set(String(repeating: "person \(person) ", count: 120), name) }
    }
  }

  private func add(_ transaction: Transaction, using random: inout SeededRandom) throws {
    let (name, age) = (text(using: &random), Int64(random.below(100)))
    try transaction.create(in: people) { row in
      try row.set(name, self.name)
      try row.set(age, self.age)
    }
  }

  private func anyone(_ transaction: Transaction, using random: inout SeededRandom) -> ObjectKey? {
    let next = transaction.graph[people]?.nextKey ?? 0
    guard next > 0 else { return nil }
    let key = ObjectKey(Int64(random.below(Int(next))))
    return transaction.contains(ObjectLink(people, key)) ? key : nil
  }

  /// A string that is mostly short, and sometimes spans several sectors.
  private func text(using random: inout SeededRandom) -> String {
    let count = random.weighted([(3 + random.below(10), 12), (200 + random.below(1500), 1)])
    return random.text(count: count, of: "abcdefghijklmnop ")
  }
}
