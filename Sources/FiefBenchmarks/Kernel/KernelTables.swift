import FiefGraph

/// The tables of the kernel's workloads, declared as the classes of an application would be.
///
///     Dog      name, age                    KeyedDog   id (primary key), name, age
///     Person   id (primary key), age, dog ──▶ Dog, dogs ──▶ [Dog], address ──▶ Address
///     Address  (embedded) street
///     Chain    first ──▶ Node               Node       (embedded) number, next ──▶ Node
struct KernelTables {
  struct Dog {
    let table: TableKey
    let name: ColumnKey
    let age: ColumnKey
  }
  struct KeyedDog {
    let table: TableKey
    let id: ColumnKey
    let name: ColumnKey
    let age: ColumnKey
  }
  struct Person {
    let table: TableKey
    let id: ColumnKey
    let age: ColumnKey
    let dog: ColumnKey
    let dogs: ColumnKey
    let address: ColumnKey
  }
  struct Address {
    let table: TableKey
    let street: ColumnKey
  }
  struct Chain {
    let table: TableKey
    let first: ColumnKey
  }
  struct Node {
    let table: TableKey
    let number: ColumnKey
    let next: ColumnKey
  }

  let dog: Dog
  let keyedDog: KeyedDog
  let person: Person
  let address: Address
  let chain: Chain
  let node: Node

  /// Declares the tables.
  init(in transaction: Transaction) throws {
    func column(_ name: String, _ type: ColumnType, of table: TableKey) throws -> ColumnKey {
      try transaction.addColumn(to: table, name, type)
    }
    let (int, string) = (ColumnType(.int), ColumnType(.string))

    let dogs = try transaction.addTable("Dog")
    dog = Dog(
      table: dogs, name: try column("name", string, of: dogs), age: try column("age", int, of: dogs))

    let keyed = try transaction.addTable("KeyedDog")
    keyedDog = KeyedDog(
      table: keyed, id: try column("id", int, of: keyed), name: try column("name", string, of: keyed),
      age: try column("age", int, of: keyed))
    try transaction.setPrimaryKey(keyedDog.id, of: keyed)

    let addresses = try transaction.addTable("Address", kind: .embedded)
    address = Address(table: addresses, street: try column("street", string, of: addresses))

    let persons = try transaction.addTable("Person")
    person = Person(
      table: persons, id: try column("id", int, of: persons), age: try column("age", int, of: persons),
      dog: try column("dog", .link(to: dogs), of: persons),
      dogs: try column("dogs", .link(to: dogs, shape: .list), of: persons),
      address: try column("address", .link(to: addresses), of: persons))
    try transaction.setPrimaryKey(person.id, of: persons)

    let nodes = try transaction.addTable("Node", kind: .embedded)
    node = Node(
      table: nodes, number: try column("number", int, of: nodes), next: try column("next", .link(to: nodes), of: nodes))
    let chains = try transaction.addTable("Chain")
    chain = Chain(table: chains, first: try column("first", .link(to: nodes), of: chains))
  }
}
