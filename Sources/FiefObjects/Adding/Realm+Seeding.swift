import FiefCopying
import FiefGraph
import FiefRuntime
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
  /// without a primary key is a new one wherever it stands, unless an `$id` in its class's array and a `$ref` elsewhere
  /// say that it is the same. Classes have their stored names, and are created in the order of the names.
  ///
  /// `json(of:)` writes such documents, and describes how they hold values of all types.
  ///
  /// Within a write, the objects belong to that write. Otherwise the call is a write of its own.
  ///
  /// - Parameters:
  ///   - json: UTF-8 encoded JSON: an object with an array of objects for each class, nested to any depth.
  ///   - ignoringUnknownNames: whether names of properties that a class does not have are skipped, as for documents of
  ///     a later version of the program.
  /// - Throws: `Realm.Error.invalidValue` for invalid JSON, for unknown or embedded classes, for a reference that leads
  ///   nowhere, and for a name that a class does not have, with path, line and byte; the errors of
  ///   `create(_:validating:update:)`, with the class and the position. Nothing is created then, and a write in
  ///   progress can go on. Also the errors of `write`.
  /// - Complexity: linear in the document, times O(log n) for each index and link.
  ///
  /// Traps outside the realm's thread, queue or actor, and for a read-only or frozen realm.
  public func seed(json: Data, ignoringUnknownNames: Bool = false) throws {
    let tree = try Realm.Error.translating { try DocumentParser.parse([UInt8](json)) }
    try seed(tree, json: json, ignoringUnknownNames: ignoringUnknownNames)
  }

  /// Creates the objects of a document, as `seed(json:ignoringUnknownNames:)` does.
  ///
  /// - Parameter json: the text of the document, for the place of an error; nil without one.
  package func seed(_ tree: DocumentTree, json: Data? = nil, ignoringUnknownNames: Bool = false) throws {
    let seed = try Seed(tree, json, ignoringUnknownNames)
    if isInWriteTransaction {
      try savepoint { try seed.plant(session) }
    } else {
      try write { try seed.plant(session) }
    }
  }
}

/// The objects that a JSON document lists by class.
private struct Seed {
  private let json: Data?
  private let tree: DocumentTree
  /// In the order of the names.
  private let classes: [(name: String, objects: DocumentTree.Span)]
  private let ignoresUnknownNames: Bool

  init(_ tree: DocumentTree, _ json: Data?, _ ignoresUnknownNames: Bool) throws {
    self.json = json
    self.tree = tree
    self.ignoresUnknownNames = ignoresUnknownNames
    guard case .object(let members) = tree.root else {
      throw Realm.Error(.invalidValue, "Invalid seed: expected an object with an array of objects for each class.")
    }
    // The command `fief` writes the schema into its documents.
    classes = try tree.members(members).filter { $0.name != "$schema" }.map { name, value in
      guard case .array(let objects) = value else {
        throw Realm.Error(
          .invalidValue, "Invalid seed for class '\(PlanPath.shortened(name))': expected an array of objects.")
      }
      return (name, objects)
    }
  }

  /// Creates the objects in the write of a session: first all of them with their values, and then their links, so that
  /// each link finds its target.
  func plant(_ session: Session) throws {
    guard let transaction = session.transaction else { return }
    defer { session.noteChanges() }
    let references = DocumentReferences(ignoresUnknownNames: ignoresUnknownNames) { session.store.binding(named: $0) }
    let inserter = Inserter(session)
    // Objects are created first, and then linked.
    let meter = WorkMeter.current
    meter?.begin(.creating, of: classes.reduce(0) { $0 + $1.objects.count }, passes: 2)
    var linking: [(name: String, binding: ClassBinding, position: Int, value: DocumentTree.Value, key: ObjectKey)] = []
    for (name, objects) in classes {
      let binding = try binding(named: name, session)
      let hasLinks = binding.stored.contains { $0.type.canLink }
      for (position, value) in tree.elements(objects).enumerated() {
        try describingErrors(name, position) {
          let object = try inserter.create(
            tree.untyped(value), of: binding, PlanRequest(reading: references, .values), in: transaction)
          try note(value, ObjectLink(binding.table, object.key), in: references)
          if hasLinks { linking.append((name, binding, position, value, object.key)) }
        }
        meter?.advance(by: hasLinks ? 1 : 2)
      }
    }
    for (name, binding, position, value, key) in linking {
      try describingErrors(name, position) {
        let request = PlanRequest(reading: references, .links)
        try inserter.change(key, of: binding, by: tree.untyped(value), request, in: transaction)
      }
      meter?.advance(by: 1)
    }
  }

  private func binding(named name: String, _ session: Session) throws -> ClassBinding {
    guard let binding = session.store.binding(named: name) else {
      throw Realm.Error(.invalidValue, Store.missing(PlanPath.shortened(name)))
    }
    guard binding.model.kind == .ordinary else {
      throw Realm.Error(
        .invalidValue, "Invalid seed: objects of class '\(name)' cannot stand alone. Put them into their owners.")
    }
    return binding
  }

  /// Notes the `$id` of an object.
  private func note(_ value: DocumentTree.Value, _ link: ObjectLink, in references: DocumentReferences) throws {
    guard case .object(let span) = value, let id = tree.member("$id", of: span) else { return }
    guard case .int(let id) = id else { throw CopyError("Its '$id' is no whole number.") }
    guard references.note(id, of: link) else { throw CopyError("Another object of the class has the '$id' \(id).") }
  }

  private func describingErrors(_ name: String, _ position: Int, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let unknown as UnknownName {
      var unknown = unknown
      unknown.path = "\(name)[\(position)]\(unknown.path.dropFirst(name.count))"
      throw Realm.Error(unknown, in: "seed", json)
    } catch {
      guard let error = Realm.Error.describing(error) as? Realm.Error else { throw error }
      throw Realm.Error(
        error.code, "Invalid seed at \(PlanPath.shortened(name))[\(position)]: \(error.localizedDescription)")
    }
  }
}
