import FiefGraph
import FiefQueries

/// The tables of the query workloads: the kernel's dogs, and persons with the properties of an application.
///
///     Dog      name, age                        a million: "dog<i>", i % 20
///     Person   name, age, city (indexed), dog ──▶ Dog      a tenth of that: "city<i % 1000>", a random dog
struct QueryStore {
  let graph: Graph
  let dog: TableKey
  let person: TableKey
  let dogs: Int
  let persons: Int
  /// The number of each person's dog.
  let dogOfPerson: [Int]

  init(dogs: Int, persons: Int) throws {
    let transaction = Transaction(.empty)
    dog = try transaction.addTable("Dog")
    let dogName = try transaction.addColumn(to: dog, "name", ColumnType(.string))
    let dogAge = try transaction.addColumn(to: dog, "age", ColumnType(.int))
    person = try transaction.addTable("Person")
    let name = try transaction.addColumn(to: person, "name", ColumnType(.string))
    let age = try transaction.addColumn(to: person, "age", ColumnType(.int))
    let city = try transaction.addColumn(to: person, "city", ColumnType(.string, isOptional: true))
    let link = try transaction.addColumn(to: person, "dog", .link(to: dog))
    for (number, text) in Dogs.names(dogs).enumerated() {
      try transaction.create(in: dog) { row in
        try row.set(text, dogName)
        try row.set(Int64(Dogs.age(number)), dogAge)
      }
    }
    dogOfPerson = dogs == 0 ? [] : Random.numbers(persons, below: dogs, seed: 5)
    for number in 0..<persons {
      let key = try transaction.create(in: person) { row in
        try row.set("person\(number)", name)
        try row.set(Int64(number % 80), age)
        try row.set(QueryStore.city(number % 1000), city)
      }
      if dogs > 0 {
        try transaction.set(.link(ObjectLink(dog, ObjectKey(Int64(dogOfPerson[number])))), Cell(person, key, link))
      }
    }
    try transaction.addIndex(IndexDefinition([city]), to: person)
    graph = transaction.graph
    self.dogs = dogs
    self.persons = persons
  }

  static func city(_ number: Int) -> String { "city\(number)" }

  /// A comparison of one property with a constant.
  static func comparison(
    _ names: String..., is relation: Comparison.Operator, _ value: Value, options: TextOptions = []
  )
    -> QueryPredicate
  {
    QueryPredicate(
      Comparison(
        .path(PropertyPath(names.map(PropertyPath.Component.property))), relation, .constant(.value(value)),
        options: options))
  }

  /// Binds a condition, as an application does for each query, and counts its rows.
  @inline(never)
  func count(_ predicate: QueryPredicate, of table: TableKey) throws -> Int {
    try CompiledQuery(predicate, of: table, in: graph).count(in: graph)
  }
}
