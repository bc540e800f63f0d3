import FiefGraph

extension TourStep {
  static let declaring = TourStep(title: "Tables are declared") { tour in
    try tour.write { transaction in
      var t = TourTables()
      t.dogs = try transaction.addTable("Dog")
      t.dogName = try transaction.addColumn(to: t.dogs, "name", ColumnType(.string))
      t.dogAge = try transaction.addColumn(to: t.dogs, "age", ColumnType(.int))

      t.addresses = try transaction.addTable("Address", kind: .embedded)
      t.street = try transaction.addColumn(to: t.addresses, "street", ColumnType(.string))

      t.persons = try transaction.addTable("Person")
      t.name = try transaction.addColumn(to: t.persons, "name", ColumnType(.string))
      t.age = try transaction.addColumn(to: t.persons, "age", ColumnType(.int))
      t.dog = try transaction.addColumn(to: t.persons, "dog", .link(to: t.dogs))
      t.walks = try transaction.addColumn(to: t.persons, "walks", .link(to: t.dogs, shape: .list))
      t.home = try transaction.addColumn(to: t.persons, "home", .link(to: t.addresses))
      t.note = try transaction.addColumn(to: t.persons, "note", ColumnType(.any))
      tour.tables = t
    }
    let t = tour.tables
    try tour.declared(t.dogs, claim: "name: string, age: int")
    try tour.declared(t.addresses, claim: "street: string")
    try tour.declared(
      t.persons,
      claim: "name: string, age: int, dog: link to Dog, walks: list of link to Dog, home: link to Address, note: any")
  }
}

extension Tour {
  /// Shows a table's columns.
  fileprivate func declared(_ key: TableKey, claim: String) throws {
    guard let schema = graph[key]?.schema else { return }
    let columns = schema.columns.map(graph.words(for:)).joined(separator: ", ")
    try show("\(schema.name)\(schema.kind == .embedded ? " (embedded)" : "")", columns, claim: claim)
  }
}
