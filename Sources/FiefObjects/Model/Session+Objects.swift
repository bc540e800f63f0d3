import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions

// Objects, as a session gives them out, finds, checks, writes and deletes them.

extension Session {
  /// The most recently used class binding. The store retains it.
  var latestBinding: Borrowed<ClassBinding>? {
    get { recentClass.map { unsafe $0.cast(to: ClassBinding.self) } }
    set { recentClass = newValue.map { unsafe $0.cast(to: AnyObject.self) } }
  }

  /// Returns the store's binding of a class; nil when the store does not have the class.
  package func binding(of type: ObjectBase.Type) -> ClassBinding? { store.binding(of: type) }

  /// Creates an accessor of a row.
  @usableFromInline
  package func accessor(_ binding: ClassBinding, _ key: ObjectKey) -> ObjectBase {
    let object = binding.type.init()
    object.bind(self, binding, at: key)
    return object
  }

  /// Creates an accessor of a link's target: a `DynamicObject` when its class is not in the schema.
  package func accessor(_ link: ObjectLink) -> ObjectBase? {
    store.binding(of: link.table).map { accessor($0, link.key) } ?? dynamicAccessor(link)
  }

  /// Traps unless a write may use the given object, which may belong to any session or be unmanaged. A deleted object
  /// of this session is reported before a missing write, as a write would not help.
  package func checkWriting(_ what: @autoclosure () -> String, with object: ObjectBase) {
    if transaction == nil && !isFrozen {
      checkConfinement()
      if object.retainedSession === self && !object.hasRow { Misuse.invalidated(object) }
    }
    checkWriting(what())
  }

  // MARK: Finding

  /// Returns the object with an integer primary key.
  @usableFromInline
  func object(of type: ObjectBase.Type, withKey number: Int) -> ObjectBase? {
    object(of: type) { check(.int(Int64(number)), of: $0) }
  }

  /// Returns the object with a primary key.
  @usableFromInline
  func object<Key>(of type: ObjectBase.Type, withKey key: Key) -> ObjectBase? {
    object(of: type) { primaryKey(key, of: $0) }
  }

  @inline(__always)
  private func object(of type: ObjectBase.Type, _ key: (ClassBinding) -> StoredValue) -> ObjectBase? {
    let isKnownUntracked = isOnExecutor
    if !isKnownUntracked { checkConfinementInScope() }
    let binding = requireBinding(of: type)
    let (value, table) = binding.with { (key($0), $0.table) }
    let row = borrowedRow(primaryKey: value, in: table)
    if !isKnownUntracked && mayBeTracked { noteSearch(for: value, in: table, row?.key) }
    return row.map { accessor(binding, $0) }
  }

  /// Notes for the running tracking scope whether there is an object with a primary key.
  private func noteSearch(for value: StoredValue, in table: TableKey, _ found: ObjectKey?) {
    if let found { return noteRead(row: ObjectLink(table, found)) }
    // Every search is tested on its own.
    noteRead(collection: TrackedSearch(), isDeep: false) {
      { session, _ in session.graph.find(primaryKey: value, in: table) != nil }
    }
  }

  private final class TrackedSearch {}

  /// Returns the store's binding of a class without retaining it; nil when the store does not have the class.
  func knownBinding(of type: ObjectBase.Type) -> Borrowed<ClassBinding>? {
    if let latestBinding, latestBinding.with({ $0.type == type }) { return latestBinding }
    guard let binding = store.binding(of: type).map({ unsafe Borrowed($0) }) else { return nil }
    // Frozen sessions are used by several threads.
    if !isFrozen { latestBinding = binding }
    return binding
  }

  /// Returns the store's binding of a class without retaining it. Traps when the store does not have the class.
  package func requireBinding(of type: ObjectBase.Type) -> Borrowed<ClassBinding> {
    unsafe knownBinding(of: type) ?? Borrowed(store.requireBinding(of: type))
  }

  /// Creates an accessor of a row that was just found.
  func accessor(_ binding: Borrowed<ClassBinding>, _ row: BorrowedRow) -> ObjectBase {
    let before = validity.stamp
    ShortCut.applicationRuns()
    let object = binding.with { $0.type }.init()
    if validity.stamp == before {
      object.bind(self, binding, at: row)
    } else {
      // The initializer used the realm, so the row may have moved.
      binding.with { object.bind(self, $0, at: row.key) }
    }
    return object
  }

  /// Converts a primary key to its stored form, for a lookup. Traps for a key of another type, and when the class has
  /// no primary key.
  func primaryKey<Key>(_ key: Key, of binding: ClassBinding) -> StoredValue {
    // The common types take a direct path.
    if Key.self == Int.self { return check(.int(Int64(key as! Int)), of: binding) }
    if Key.self == String.self { return check(.string(key as! String), of: binding) }
    let property = keyProperty(of: binding).model
    if let value = property.stored(key) { return check(value, of: binding) }
    wrongKey(DynamicValue.description(of: key), of: binding, property)
  }

  @inline(__always)
  private func check(_ value: StoredValue, of binding: ClassBinding) -> StoredValue {
    if let number = binding.primaryKey, binding.type(of: number).kind == value.kind { return value }
    return checkNull(value, of: binding)
  }

  private func checkNull(_ value: StoredValue, of binding: ClassBinding) -> StoredValue {
    let property = keyProperty(of: binding)
    if value.isNull && property.model.facts.isOptional { return value }
    wrongKey("\(value)", of: binding, property.model)
  }

  @inline(__always)
  private func keyProperty(of binding: ClassBinding) -> RowProperty {
    if let property = binding.keyProperty { return property }
    fatalError("Class '\(binding.model.name)' has no primary key, so no object can be found by one.")
  }

  private func wrongKey(_ value: String, of binding: ClassBinding, _ property: ModelProperty) -> Never {
    fatalError(
      "Invalid value \(value) for primary key '\(binding.model.name).\(property.name)': it is "
        + "\(property.facts.columnType.declaration).")
  }

  /// Adds what properties and collections cannot store themselves.
  var importer: any Importer { store.classes.importer.init(self) }

  // MARK: Dynamic objects

  /// Returns a dynamic accessor of a row; nil when the table does not exist.
  package func dynamicAccessor(_ link: ObjectLink) -> DynamicObject? {
    store.dynamicBinding(of: link.table).flatMap { accessor($0, link.key) as? DynamicObject }
  }

  /// The dynamic binding of the class with a stored name; traps when the class does not exist.
  package func requireDynamicBinding(_ name: String) -> ClassBinding {
    if let binding = store.dynamicBinding(named: name) { return binding }
    fatalError("Object type '\(name)' is not managed by the Realm: its file has no class of that name.")
  }

  // MARK: Migrations

  /// Whether this is the session of a migration's new objects, and another that of its old ones.
  func isMigration(from other: Session) -> Bool {
    other !== self && other.isFrozen && store.classes.migration != nil
      && store.classes.migration === other.store.classes.migration
  }

  /// The row of the new object for which a row of an old one stands; nil for rows of other sessions, and when the new
  /// object was deleted.
  func counterpart(of link: ObjectLink, in other: Session) -> ObjectLink? {
    // The table of a class that the program does not have any more is there, too, but has no new objects.
    isMigration(from: other) && store.binding(of: link.table) != nil && hasRow(link) ? link : nil
  }

  /// The row of this session that a managed object shows or, as an old object of a migration, stands for. Nil for any
  /// other object, and when the row was deleted.
  func row(of object: ObjectBase) -> ObjectLink? {
    guard let other = object.retainedSession, let link = object.rowLink else { return nil }
    if other === self { return object.hasRow ? link : nil }
    return counterpart(of: link, in: other)
  }

  // MARK: Writing

  /// Stores a scalar; a value that does not fit fails the write.
  @inlinable
  func write<Element: Storable>(_ value: Element?, to cell: Cell) {
    do {
      unsafe try writing.unsafelyUnwrapped.with { try $0.set(value, cell) }
    } catch {
      fail(error)
    }
    noteChanges()
  }

  /// Stores a link to an object of this session, or null, when that needs no other change. No references are counted.
  ///
  /// - Returns: false when more is needed, or the link is invalid; nothing was changed then.
  func setPlainLink(_ target: ObjectBase?, _ cell: Cell) -> Bool {
    guard let writing else { return false }
    var link: ObjectLink?
    var isKnown = false
    if let target {
      guard let found = plainTarget(target) else { return false }
      (link, isKnown) = (found.link, found.isKnown)
    }
    let isDone: Void? = writing.with { writing in
      writing.attempt(.plainLinks) { writing.setPlainLink(link, cell, isKnown: isKnown) ? () : nil }
    }
    guard isDone != nil else { return false }
    noteChanges()
    return true
  }

  /// Appends a link to an object of this session to a list, when that needs no other change. No references are counted.
  ///
  /// - Returns: false when more is needed, or the link is invalid; nothing was changed then.
  func appendPlainLink(to target: ObjectBase, _ cell: Cell) -> Bool {
    guard let writing, let target = plainTarget(target) else { return false }
    let isDone: Void? = writing.with { writing in
      writing.attempt(.plainElements) {
        writing.appendPlainLink(target.link, toList: cell, isKnown: target.isKnown) ? () : nil
      }
    }
    guard isDone != nil else { return false }
    noteChanges()
    return true
  }

  /// An object of this session as the target of a link, and whether its row is known to exist. Nil for other objects.
  @inline(__always)
  private func plainTarget(_ target: ObjectBase) -> (link: ObjectLink, isKnown: Bool)? {
    guard let session = target.session, session.refers(to: self), validity.isCurrent(target.rowStamp.stamp),
      let table = target.binding?.with({ $0.table })
    else { return nil }
    return (ObjectLink(table, target.key), target.isKnown(to: self))
  }

  /// Deletes the rows of accessors.
  package func delete(_ objects: [ObjectBase]) {
    var links: [ObjectLink] = []
    links.reserveCapacity(objects.count)
    for object in objects {
      guard let other = object.retainedSession, let link = object.rowLink, other === self else {
        fatalError(
          "Can only delete an object from the Realm it belongs to: "
            + (object.isManaged
              ? "this one is another realm's, or frozen; thaw it there."
              : "object of class '\(type(of: object).className())' is unmanaged."))
      }
      if object.hasRow {
        links.append(link)
      } else if object.flags.contains(.deleted) {
        fatalError(
          "Can only delete an object from the Realm it belongs to: this instance of class "
            + "'\(type(of: object).className())' was deleted before.")
      }
    }
    guard !links.isEmpty else { return }
    if perform({ try $0.delete(links) }) != nil {
      for object in objects { object.flags.insert(.deleted) }
    }
  }

  /// Deletes existing rows.
  package func delete(_ links: [ObjectLink]) {
    guard !links.isEmpty else { return }
    perform { try $0.delete(links) }
  }
}
