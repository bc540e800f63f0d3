import FiefGraph
import FiefObjects
import FiefSessions

extension Realm {
  /// What was inserted, deleted and modified between an earlier version and the one that the realm shows.
  ///
  ///     let version = realm.version
  ///     try realm.write { dog.age += 1 }
  ///     for change in realm.changes(since: version) {
  ///       print(change.className, change.insertions.count, change.deletions.count, change.modifications.count)
  ///     }
  ///
  /// The result is empty, and its `isComplete` is false, when the version is not kept (`Configuration.history`) or is
  /// later than the one shown. A write in progress counts with its changes so far.
  ///
  /// Traps outside the realm's thread, queue or actor.
  ///
  /// - Parameter version: a `version` of a realm of this store.
  /// - Returns: the changes by class. They stay as they are, and retain both versions.
  /// - Complexity: linear in the changes.
  public func changes(since version: UInt64) -> RealmChanges {
    session.checkConfinement()
    session.noteReadOfAll()
    return RealmChanges(session, since: version)
  }
}

/// The changes between two versions of a realm, by class. Only classes with changes are contained.
///
///     for change in realm.changes(since: version) where !change.deletions.isEmpty { print(change.className) }
///
/// Any thread may use it. Objects in it are frozen.
public struct RealmChanges: RandomAccessCollection, @unchecked Sendable, CustomStringConvertible {
  // Sendable, because it holds frozen sessions, which any thread may use, and values.

  /// Whether the earlier version was known. Otherwise the collection is empty, and says nothing about the changes.
  ///
  ///     if !realm.changes(since: version).isComplete { reload() }
  public let isComplete: Bool
  private let changes: [ClassChanges]

  init(_ session: Session, since version: UInt64) {
    let old = session.version(version)
    self.init(session, from: old ?? session.snapshot, to: session.snapshot, isComplete: old != nil)
  }

  init(_ session: Session, from old: Graph, to new: Graph, isComplete: Bool = true) {
    self.isComplete = isComplete
    let before = Session(session.store, .frozen, options: session.options, frozenAt: old)
    let after = Session(session.store, .frozen, options: session.options, frozenAt: new)
    let difference = VersionDifference(old, new)
    let tables = new.allTables.filter { !$0.schema.key.isNested && !$0.schema.isInternal }
      .sorted { $0.schema.name < $1.schema.name }
    changes = tables.compactMap { table in
      session.store.dynamicBinding(of: table.schema.key).flatMap {
        ClassChanges($0, difference, before: before, after: after)
      }
    }
  }

  /// The position of the first class: 0.
  public var startIndex: Int { 0 }
  /// The number of classes.
  public var endIndex: Int { changes.count }
  /// The changes of the class at a position. Traps beyond the end.
  public subscript(position: Int) -> ClassChanges { changes[position] }

  /// The changes of a class; nil when it has none.
  ///
  ///     let renamed = realm.changes(since: version)["Dog"]?.modifications.filter { change in
  ///       change.properties.contains { $0.name == "name" }
  ///     }
  ///
  /// - Parameter className: the name under which the class is stored.
  public subscript(className: String) -> ClassChanges? { changes.first { $0.className == className } }

  /// A line for each class.
  ///
  ///     print(realm.changes(since: version))          // Dog: 0 inserted, 0 deleted, 1 modified
  public var description: String {
    isComplete ? changes.map(\.description).joined(separator: "\n") : "The changes are not known."
  }
}

/// The changes of one class between two versions of a realm. Rows are ascending by age.
///
///     if let dogs = changes["Dog"] { print(dogs.insertions.count, dogs.deletions.count, dogs.modifications.count) }
public struct ClassChanges: @unchecked Sendable, CustomStringConvertible {
  // Sendable, because it holds frozen sessions, which any thread may use, and values.

  /// The name under which the class is stored.
  public let className: String
  private let binding: ClassBinding
  private let before: Session
  private let after: Session
  private let inserted: [ObjectKey]
  private let deleted: [ObjectKey]
  private let modified: [(key: ObjectKey, properties: [String])]

  init?(_ binding: ClassBinding, _ difference: VersionDifference, before: Session, after: Session) {
    let table = binding.table
    let changes = difference.changes(of: table)
    var inserted: [ObjectKey] = []
    var deleted: [ObjectKey] = []
    for part in changes?.inserted ?? [] {
      part.rows.live.forEach { inserted.append(ObjectKey(chunk: part.chunk, bit: $0)) }
    }
    for part in changes?.deleted ?? [] { part.rows.forEach { deleted.append(ObjectKey(chunk: part.chunk, bit: $0)) } }
    // A property may be stored under another name. What is stored without a property of the class cannot be shown.
    let names = Dictionary(binding.stored.map { ($0.column, $0.name) }) { first, _ in first }
    var modified: [ObjectKey: [String]] = [:]
    for column in difference.new[table]?.schema.columns ?? [] {
      guard let name = names[column.key] else { continue }
      for key in difference.rows(of: table, changedIn: column.key)
      where difference.old.contains(ObjectLink(table, key)) && difference.new.contains(ObjectLink(table, key)) {
        modified[key, default: []].append(name)
      }
    }
    if inserted.isEmpty && deleted.isEmpty && modified.isEmpty { return nil }
    self.binding = binding
    self.before = before
    self.after = after
    self.inserted = inserted
    self.deleted = deleted
    self.modified = modified.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    className = difference.new[table]?.schema.name ?? binding.model.name
  }

  /// The objects that the later version has and the earlier one has not, as they are in the later one.
  ///
  ///     for dog in changes["Dog"]?.insertions ?? [] { print(dog["name"] ?? "") }
  public var insertions: [DynamicObject] { inserted.compactMap { object($0, after) } }

  /// The objects that the earlier version has and the later one has not, as they were in the earlier one: with their
  /// primary keys and last values.
  ///
  ///     let gone = changes["Person"]?.deletions.compactMap { $0["id"] as? Int }
  public var deletions: [DynamicObject] { deleted.compactMap { object($0, before) } }

  /// The changes of objects that both versions have.
  ///
  ///     for change in changes["Dog"]?.modifications ?? [] {
  ///       print(change.oldObject["age"] ?? "", change.object["age"] ?? "")
  ///     }
  public var modifications: [ObjectModification] {
    modified.compactMap { row in
      guard let old = object(row.key, before), let new = object(row.key, after) else { return nil }
      return ObjectModification(oldObject: old, object: new, names: row.properties)
    }
  }

  private func object(_ key: ObjectKey, _ session: Session) -> DynamicObject? {
    session.accessor(binding, key) as? DynamicObject
  }

  /// The name of the class and the numbers of its changes.
  public var description: String {
    "\(className): \(inserted.count) inserted, \(deleted.count) deleted, \(modified.count) modified"
  }
}

/// The change of one object between two versions of a realm.
///
///     for change in changes["Dog"]?.modifications ?? [] {
///       if change.oldObject["age"] as? Int != change.object["age"] as? Int { print("A birthday!") }
///     }
public struct ObjectModification {
  /// The object as it was in the earlier version, frozen.
  public let oldObject: DynamicObject
  /// The object as it is in the later version, frozen.
  public let object: DynamicObject
  let names: [String]

  /// The changed properties by their names in the class, in the order in which they are stored. Objects and collections
  /// in `oldValue` are those of the earlier version.
  ///
  ///     for property in modification.properties { print(property.name, "was", property.oldValue ?? "nil") }
  public var properties: [PropertyChange] {
    names.map { PropertyChange(name: $0, oldValue: oldObject[$0], newValue: object[$0]) }
  }
}
