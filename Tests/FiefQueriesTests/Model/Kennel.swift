import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Foundation

/// A small graph whose rows are written out, for tests that name their results.
///
///     Dog      name  age  nick?  weight  marks [string]  scores {int}  toys {string: int}  mark (any)  born
///              owner ─▶ Person
///     Person   name  city  dogs ─▶ [Dog]  mentor ─▶ Person
struct Kennel {
  let graph: Graph
  let dog: TableKey
  let person: TableKey
  let catalog: StoredNames

  /// The dogs by their keys: Rex, Kit, Ada, Bo, Rex.
  static let names = ["Rex", "Kit", "Ada", "Bo", "Rex"]

  init() throws {
    let transaction = Transaction(.empty)
    let dog = try transaction.addTable("Dog")
    let person = try transaction.addTable("Person")
    for (name, type) in [
      ("name", ColumnType(.string)), ("age", ColumnType(.int)), ("nick", ColumnType(.string, isOptional: true)),
      ("weight", ColumnType(.double)), ("marks", ColumnType(.string, shape: .list)),
      ("scores", ColumnType(.int, shape: .set)), ("toys", ColumnType(.int, shape: .dictionary)),
      ("mark", ColumnType(.any)), ("born", ColumnType(.date)), ("owner", .link(to: person)),
    ] { try transaction.addColumn(to: dog, name, type) }
    for (name, type) in [
      ("name", ColumnType(.string)), ("city", ColumnType(.string)), ("dogs", .link(to: dog, shape: .list)),
      ("mentor", .link(to: person)),
    ] { try transaction.addColumn(to: person, name, type) }
    let graph = transaction.graph
    func column(_ table: TableKey, _ name: String) throws -> ColumnKey {
      guard let column = graph[table]?.schema.column(named: name) else { fatalError("No column \(name).") }
      return column.key
    }
    try transaction.addIndex(IndexDefinition([try column(dog, "age")]), to: dog)
    var persons: [ObjectKey] = []
    for (name, city) in [("Ann", "Oslo"), ("Bob", "Bergen"), ("Cid", "Oslo")] {
      persons.append(
        try transaction.create(in: person) { row in
          try row.set(.string(name), try column(person, "name"))
          try row.set(.string(city), try column(person, "city"))
        })
    }
    try transaction.set(.link(ObjectLink(person, persons[0])), Cell(person, persons[1], try column(person, "mentor")))
    for (number, name) in Self.names.enumerated() {
      let key = try transaction.create(in: dog) { row in
        try row.set(.string(name), try column(dog, "name"))
        try row.set(.int([3, 7, 3, 12, 5][number]), try column(dog, "age"))
        if number % 2 == 0 { try row.set(.string("n\(number)"), try column(dog, "nick")) }
        try row.set(.double([20.5, 7, .nan, 31.25, 20.5][number]), try column(dog, "weight"))
        try row.set(.date(Timestamp(seconds: Int64(100 - number))), try column(dog, "born"))
      }
      func cell(_ name: String) throws -> Cell { Cell(dog, key, try column(dog, name)) }
      if number < 4 {
        try transaction.set(.link(ObjectLink(person, persons[number % 2])), try cell("owner"))
        try transaction.append(
          .link(ObjectLink(dog, key)), toList: Cell(person, persons[number % 2], try column(person, "dogs")))
      }
      for mark in [["calm", "tall"], ["shy"], [], ["calm"], ["tall", "tall"]][number] {
        try transaction.append(.string(mark), toList: try cell("marks"))
      }
      for score in [[1, 2], [9], [], [2], [4, 5, 6]][number] as [Int64] {
        _ = try transaction.insert(.int(score), inSet: try cell("scores"))
      }
      for (toy, count) in [["ball": 1], ["ball": 3, "bone": 2], [:], ["bone": 9], [:]][number] as [String: Int64] {
        try transaction.set(.int(count), forKey: toy, inDictionary: try cell("toys"))
      }
      try transaction.set([.int(1), .string("x"), .null, .double(1), .bool(true)][number], try cell("mark"))
    }
    self.graph = transaction.graph
    self.dog = dog
    self.person = person
    catalog = StoredNames([person: ["owned": .backlinks(origin: dog, column: try column(dog, "owner"))]])
  }

  /// A query of dogs.
  func query(_ format: String, _ arguments: [QueryConstant] = []) throws -> CompiledQuery {
    try CompiledQuery(ParsedQuery(format, arguments: arguments), of: dog, in: graph, catalog: catalog)
  }

  /// The numbers of the dogs that a format finds.
  func dogs(_ format: String, _ arguments: [QueryConstant] = []) throws -> [Int] {
    try query(format, arguments).rows(in: graph).map { Int($0.rawValue) }
  }

  /// The numbers of the persons that a format finds.
  func persons(_ format: String) throws -> [Int] {
    try CompiledQuery(ParsedQuery(format), of: person, in: graph, catalog: catalog).rows(in: graph).map {
      Int($0.rawValue)
    }
  }
}
