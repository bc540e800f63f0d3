import FiefGraph

// Making rows and addressing them by number: the first row of a table is number 0.

extension KernelTables {
  func addDogs(_ names: [String], _ transaction: Transaction) throws {
    for (number, name) in names.enumerated() {
      try transaction.create(in: dog.table) { row in
        try row.set(name, dog.name)
        try row.set(Int64(Dogs.age(number)), dog.age)
      }
    }
  }

  func addPerson(_ id: Int, _ transaction: Transaction) throws {
    try transaction.create(in: person.table, primaryKey: .int(Int64(id))) { row in
      try row.set(Int64(id % 80), person.age)
    }
  }

  /// A value that links to dog `number`.
  func dog(_ number: Int) -> Value { .link(ObjectLink(dog.table, ObjectKey(Int64(number)))) }

  /// The cell of a dog's age.
  func ageOfDog(_ number: Int) -> Cell { Cell(dog.table, ObjectKey(Int64(number)), dog.age) }

  /// A cell of a person.
  func person(_ number: Int, _ column: ColumnKey) -> Cell { Cell(person.table, ObjectKey(Int64(number)), column) }

  /// The cell of the list that the list workloads use.
  var list: Cell { person(0, person.dogs) }
}
