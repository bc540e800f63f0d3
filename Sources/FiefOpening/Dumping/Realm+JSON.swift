import FiefCopying
import FiefGraph
public import FiefObjects
import FiefSessions
public import Foundation

extension Realm {
  /// The objects of the realm as JSON, from which `seed(json:)` makes equal ones.
  ///
  ///     let json = try realm.json()
  ///     let copy = try Realm(configuration: .inMemory(objectTypes: [Person.self, Dog.self]))
  ///     try copy.seed(json: json)
  ///     print(Realm.difference(realm, copy) ?? "equal")          // equal
  ///
  /// For example:
  ///
  ///     {
  ///     "Dog": [
  ///     {"$id":0,"name":"Rex"}
  ///     ],
  ///     "Person": [
  ///     {"dogs":[{"$ref":0}],"friend":{"id":2},"home":{"city":"Rome"},"id":1,"note":{"$date":"2024-02-29T12:00:00Z"}},
  ///     {"dogs":[],"friend":{"id":1},"home":null,"id":2,"note":{"$class":"Dog","$ref":0}}
  ///     ]
  ///     }
  ///
  /// | what | becomes |
  /// | --- | --- |
  /// | an object of a class with a primary key, where it is linked | an object with the key alone |
  /// | another object, where it is linked | `$ref` with the number that stands as `$id` in the object |
  /// | an embedded object | an object where it is owned |
  /// | a date, object id, UUID, decimal | a string; a date with all nanoseconds |
  /// | data | a string in Base64 |
  /// | `nan`, `inf`, `-inf`, `-0.0` | strings |
  /// | enums and custom types | their stored form |
  /// | an any-value | the same, below a marker where plain JSON would be read as another type, as in `ObjectDocument` |
  /// | an object in an any-value | `$class` beside the key or the `$ref` |
  ///
  /// Each object is a line, and names are in the order of their bytes. Cycles are no problem, and nothing recurses.
  /// Linking objects and waiting documents of asymmetric classes are left out. Inside a write the text shows the state
  /// of the write.
  ///
  /// - Parameter types: the classes whose objects are written; nil for all classes of the schema. Of objects of other
  ///   classes only links by primary key are written; links to those without a key are left out.
  /// - Throws: `Realm.Error.invalidValue` for a class that is embedded, or that the schema does not have.
  /// - Complexity: linear in the objects and values.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func json(of types: [ObjectBase.Type]? = nil) throws -> Data {
    try json(
      of: types.map { types in
        try types.map { type in
          guard let binding = session.binding(of: type) else {
            throw Realm.Error(.invalidValue, session.store.missing(type))
          }
          return binding
        }
      })
  }

  /// The objects of some classes as JSON, by the stored names of the classes.
  ///
  ///     let json = try Realm(fileURL: url, dynamic: true).json(ofClasses: ["Dog"])
  ///
  /// - Parameter names: the stored names of the classes.
  /// - Throws: `Realm.Error.invalidValue` for a class that is embedded, or that the schema does not have.
  /// - Complexity: linear in the objects and values.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func json(ofClasses names: [String]) throws -> Data {
    try json(
      of: names.map { name in
        guard let binding = session.store.binding(named: name) else {
          throw Realm.Error(.invalidValue, Store.missing(PlanPath.shortened(name)))
        }
        return binding
      })
  }

  private func json(of chosen: [ClassBinding]?) throws -> Data {
    session.checkConfinement()
    session.noteReadOfAll()
    let all = session.store.allBindings
    if let embedded = chosen?.first(where: { $0.model.kind == .embedded }) {
      throw Realm.Error(
        .invalidValue, "Objects of class '\(embedded.name)' do not stand alone: they are written with their owners.")
    }
    let written = Dictionary((chosen ?? all).map { ($0.table, $0) }) { first, _ in first }
    let graph = session.snapshot
    let documents = RowDocuments(graph, all) { written[$0.table] != nil }
    var text = StoreDocumentText()
    for binding in written.values.sorted(by: { StoredOrder.compare($0.name, $1.name) < 0 })
    where binding.model.kind == .ordinary {
      text.beginClass(binding.name)
      graph[binding.table]?.forEachRow(from: ObjectKey(0)) { key, _, _ in
        text.add(documents.tree(of: ObjectLink(binding.table, key)))
        return true
      }
      text.endClass()
    }
    text.end()
    return text.data
  }
}
