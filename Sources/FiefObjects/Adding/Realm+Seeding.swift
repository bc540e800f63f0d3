import FiefCopying
import FiefGraph
import FiefSessions
import Foundation

extension Realm {
  /// Creates the objects that a JSON document lists by class, for tests and for the first contents of an application.
  ///
  ///     try realm.seed(json: Data("""
  ///       { "Person": [ { "id": 1, "name": "Ann", "dogs": [ { "name": "Rex" } ], "friend": { "id": 2 } } ],
  ///         "Dog": [ { "name": "Max" } ] }
  ///       """.utf8))
  ///
  /// Each object is created as `create(_:value:update: .modified)` does. So an object with a primary key may be named
  /// several times, in any order: by its key where it is linked, and with its values elsewhere. An object of a class
  /// without a primary key is a new one wherever it stands. Classes have their stored names, and are created in the
  /// order of the names.
  ///
  /// Within a write, the objects belong to that write. Otherwise the call is a write of its own.
  ///
  /// - Parameter json: UTF-8 encoded JSON: an object with an array of objects for each class.
  /// - Throws: `Realm.Error.invalidValue` for invalid JSON, for more than 512 levels, for unknown or embedded classes,
  ///   and for a name that a class does not have, with path, line and byte; the errors of
  ///   `create(_:validating:update:)`, with the class and the position. Nothing is created then, and a write in
  ///   progress can go on. Also the errors of `write`.
  /// - Complexity: linear in the document, times O(log n) for each index and link.
  ///
  /// Traps outside the realm's thread, queue or actor, and for a read-only or frozen realm.
  public func seed(json: Data) throws {
    let seed = try Seed(json)
    if isInWriteTransaction {
      try savepoint { try seed.plant(session) }
    } else {
      try write { try seed.plant(session) }
    }
  }
}

/// The objects that a JSON document lists by class.
private struct Seed {
  let json: Data
  let tree: DocumentTree
  /// In the order of the names.
  let classes: [(name: String, objects: DocumentTree.Span)]

  init(_ json: Data) throws {
    self.json = json
    tree = try Realm.Error.translating { try DocumentParser.parse([UInt8](json)) }
    guard tree.nesting <= DocumentTree.deepest else {
      throw Realm.Error(.invalidValue, "Invalid seed: it has more than \(DocumentTree.deepest) levels.")
    }
    guard case .object(let members) = tree.root else {
      throw Realm.Error(.invalidValue, "Invalid seed: expected an object with an array of objects for each class.")
    }
    classes = try tree.members(members).map { name, value in
      guard case .array(let objects) = value else {
        throw Realm.Error(
          .invalidValue, "Invalid seed for class '\(PlanPath.shortened(name))': expected an array of objects.")
      }
      return (name, objects)
    }
  }

  /// Creates the objects in the write of a session.
  func plant(_ session: Session) throws {
    guard let transaction = session.transaction else { return }
    defer { session.noteChanges() }
    for (name, objects) in classes {
      guard let binding = session.store.binding(named: name) else {
        throw Realm.Error(.invalidValue, Store.missing(PlanPath.shortened(name)))
      }
      guard binding.model.kind == .ordinary else {
        throw Realm.Error(
          .invalidValue, "Invalid seed: objects of class '\(name)' cannot stand alone. Put them into their owners.")
      }
      for (position, value) in tree.elements(objects).enumerated() {
        do {
          let request = PlanRequest(.copy, .modified, root: .seeded)
          _ = try Inserter(session).create(tree.untyped(value), of: binding, request, in: transaction)
        } catch let unknown as UnknownName {
          throw self.error(unknown, in: name, at: position)
        } catch {
          guard let error = Realm.Error.describing(error) as? Realm.Error else { throw error }
          throw Realm.Error(
            error.code, "Invalid seed at \(PlanPath.shortened(name))[\(position)]: \(error.localizedDescription)")
        }
      }
    }
  }

  /// The error for a name that a class does not have, in the object at a position.
  func error(_ unknown: UnknownName, in name: String, at position: Int) -> Realm.Error {
    var unknown = unknown
    unknown.path = "\(name)[\(position)]\(unknown.path.dropFirst(name.count))"
    let place = DocumentParser.place(ofValue: unknown.position, in: [UInt8](json))
    return Realm.Error(.invalidValue, "Invalid seed\(place.map { " at \($0)" } ?? ""): \(unknown.message)")
  }
}
