import FiefCopying
import FiefRuntime
import FiefSessions
import Foundation

// Properties by name. `Object+Keys` declares the public interface.

extension ObjectBase {
  /// The value of a property; nil for null.
  package final func value(named name: String) -> Any? {
    if let shown = (self as? DynamicObject)?.shown { return shown.value(named: name) }
    return property(named: name)?.plainValue(in: self)
  }

  /// The type of a property; nil when the object does not have it.
  package final func facts(named name: String) -> _TypeFacts? {
    if let shown = (self as? DynamicObject)?.shown { return shown.facts(named: name) }
    return knownProperty(name)?.facts
  }

  /// Assigns to a property with the conversions that `create` allows.
  ///
  /// A value of a wrong type fails the write. An unmanaged object records the error instead and can no longer be added.
  package final func setValue(_ value: Any?, named name: String) {
    if let shown = (self as? DynamicObject)?.shown { return shown.setValue(value, named: name) }
    guard let property = property(named: name), !isReadOnlyInMigration(name) else { return }
    if let session {
      session.with { $0.checkWriting("Property '\(model.name).\(name)' was changed", with: self) }
      if !hasRow { Misuse.invalidated(self) }
    }
    guard property.isStored else {
      fatalError("Property '\(model.name).\(name)' cannot be set: it shows what links to the object.")
    }
    if property.set(value, in: self) { return }
    guard let session = retainedSession, let link = rowLink, let bound = binding?.counted else {
      return build(property, value)
    }
    // A value of another type may still be acceptable: a dictionary stands for an object, and a raw value without a
    // case can be stored. `create` decides. It never changes a primary key.
    guard model.primaryKey != property.number else {
      return session.fail(
        Realm.Error(
          .invalidValue,
          "Invalid value \(DynamicValue.description(of: value as Any)) for property "
            + "'\(model.name).\(property.name)': expected \(property.typeName)."))
    }
    let binding = self is DynamicObject ? session.store.binding(of: link.table) ?? bound : bound
    Inserter(session).assign(
      value, to: property.name, of: key, as: binding, .error, copies: session.store.classes.migration != nil)
  }

  /// Assigns to a property of an unmanaged object what `init(value:)` would. A bad value changes nothing; its error is
  /// recorded.
  private final func build(_ property: ModelProperty, _ value: Any?) {
    do {
      let example = type(of: self).init()
      try UnmanagedBuilder.fill(example, [property.name: value.flatMap(flattened) ?? NSNull()])
      _ = property.set(property.value(in: example), in: self)
    } catch {
      note(error)
    }
  }

  /// The property with a name. An object of a migration may have none: the migration then fails, and the file stays as
  /// it was. One that could not be created has none. Traps for other objects without one.
  private final func property(named name: String) -> ModelProperty? {
    if let known = knownProperty(name) { return known }
    if (self as? DynamicObject)?.isUncreated == true { return nil }
    guard let migration = retainedSession?.store.classes.migration else { lacksProperty(name) }
    migration.note(
      Realm.Error(
        .fail,
        "Invalid property name '\(name)' for class '\(model.name)' in a migration: \(model.advice(on: name))"))
    return nil
  }

  /// Whether this is an old object of a migration, which never changes. The migration then fails.
  private final func isReadOnlyInMigration(_ name: String) -> Bool {
    guard let session, session.with({ $0.isFrozen }), let migration = session.counted.store.classes.migration else {
      return false
    }
    migration.note(
      Realm.Error(
        .fail,
        "Property '\(model.name).\(name)' of an old object was set in a migration: old objects are read-only, set the "
          + "new one."))
    return true
  }
}
