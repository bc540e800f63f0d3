import FiefGraph

/// The tables of the tour, and the rows that its steps speak of.
struct TourTables {
  var dogs = TableKey(rawValue: 0)
  var dogName = ColumnKey(rawValue: 0)
  var dogAge = ColumnKey(rawValue: 0)

  var addresses = TableKey(rawValue: 0)
  var street = ColumnKey(rawValue: 0)

  var persons = TableKey(rawValue: 0)
  var name = ColumnKey(rawValue: 0)
  var age = ColumnKey(rawValue: 0)
  var dog = ColumnKey(rawValue: 0)
  var walks = ColumnKey(rawValue: 0)
  var home = ColumnKey(rawValue: 0)
  var note = ColumnKey(rawValue: 0)

  var rex = ObjectKey(0)
  var fido = ObjectKey(0)
  var luna = ObjectKey(0)
  var ann = ObjectKey(0)
  var ben = ObjectKey(0)

  static let undeclared = TourTables()

  /// A cell of a person.
  func cell(_ person: ObjectKey, _ column: ColumnKey) -> Cell { Cell(persons, person, column) }

  /// A value that links to a dog.
  func link(_ dog: ObjectKey) -> Value { .link(ObjectLink(dogs, dog)) }
}
