import Fief
import FiefGraph
import Foundation

/// Changes to objects of a file that is open for writing, by the words of a command. The realm is in a write.
///
/// Each change is made as a whole or not at all, and the write goes on after one that failed.
struct ObjectEditing {
  let realm: Realm

  /// The objects as the write shows them.
  var view: StoreView { StoreView(realm) }

  /// Sets properties of an object.
  ///
  /// - Parameter words: as `Assignment` reads them.
  func edit(_ object: ObjectLink, _ words: [String]) throws {
    try whole {
      for word in words {
        // Each word sees what those before it have changed.
        let view = view
        guard let table = view.graph[object.table] else { return }
        let assignment = try Assignment(word, of: table.schema, in: view)
        if assignment.column.key == table.schema.primaryKey {
          throw Failure("'\(assignment.column.name.printable)' is the primary key, which never changes.", .usage)
        }
        try assign(assignment, object)
      }
    }
  }

  /// Makes an object.
  ///
  /// - Parameter words: as `Assignment` reads them; properties that are not named are zero, empty or null.
  func create(_ table: Table, _ words: [String]) throws -> ObjectLink {
    let schema = table.schema
    if schema.kind == .embedded {
      throw Failure(
        "'\(schema.name.printable)' is embedded: its objects are made in the properties that hold them.", .usage)
    }
    return try whole {
      let view = view
      let assignments = try words.map { try Assignment($0, of: schema, in: view) }
      var members: [String: Any] = [:]
      let key = assignments.first { $0.column.key == schema.primaryKey }
      if let column = schema.primaryKey.flatMap(schema.column), key == nil {
        throw Failure(
          "An object of '\(schema.name.printable)' needs its primary key: \(column.name.printable)=…", .usage)
      }
      if let key, case .value(let value) = key.value { members[key.column.name] = plain(.value(value)) }
      guard let link = realm.dynamicCreate(schema.name, value: members).link else {
        return ObjectLink(schema.key, ObjectKey(0))
      }
      for assignment in assignments where assignment.column.key != schema.primaryKey { try assign(assignment, link) }
      return link
    }
  }

  /// Deletes objects, and what is deleted with them.
  ///
  /// - Returns: how many objects of each class are gone. Embedded objects are parts of others, and count only if such
  ///   were to be deleted.
  func delete(_ objects: [ObjectLink]) throws -> [(name: String, count: Int)] {
    let chosen = Set(objects.map(\.table))
    func counts() -> [(String, Int)] {
      let counted = view.tables.filter { $0.schema.kind != .embedded || chosen.contains($0.schema.key) }
      return counted.map { ($0.schema.name, $0.count) }
    }
    return try whole {
      let before = counts()
      realm.session.perform { try $0.delete(objects) }
      let after = Dictionary(counts()) { first, _ in first }
      return before.compactMap { name, count in
        let gone = count - (after[name] ?? 0)
        return gone > 0 ? (name, gone) : nil
      }
    }
  }

  // MARK: Writing

  private func assign(_ assignment: Assignment, _ object: ObjectLink) throws {
    switch assignment.value {
    case .value(let value):
      realm.session.perform { try $0.set(value, Cell(object.table, object.key, assignment.column.key)) }
    case .plain:
      let accessor = realm.session.accessor(object)
      accessor?.setValue(plain(assignment.value), forKey: assignment.column.name)
    }
    if let failure = realm.session.failure { throw failure }
  }

  /// The value as `create` takes it, with objects in place of links.
  private func plain(_ content: Assignment.Content) -> Any {
    switch content {
    case .value(let value):
      switch value {
      case .null: NSNull()
      case .int(let value): Int(value)
      case .string(let value): value
      case .objectId(let value): value
      case .uuid(let value): value
      default: "\(value)"
      }
    case .plain(let value): objects(in: value)
    }
  }

  /// Recursion is limited, as `Assignment` limits the nesting.
  private func objects(in value: Any) -> Any {
    switch value {
    case let link as ObjectLink: realm.session.accessor(link) as Any
    case let values as [Any]: values.map(objects)
    case let members as [String: Any]: members.mapValues(objects)
    default: value
    }
  }

  /// Runs a change. If it fails, all of it is undone, and the write goes on.
  private func whole<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try realm.savepoint {
        let result = try body()
        if let failure = realm.session.failure { throw failure }
        return result
      }
    } catch let failure as Failure {
      throw failure
    } catch let error as GraphError {
      throw Failure(error.message.printable, .badData)
    } catch let error as Realm.Error {
      throw Failure(error.localizedDescription.printable, .badData)
    }
  }
}

extension DynamicObject {
  /// The row of a managed object.
  fileprivate var link: ObjectLink? { rowLink }
}
