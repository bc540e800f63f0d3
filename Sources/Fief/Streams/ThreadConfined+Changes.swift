import FiefSessions

extension _Observed {
  /// The changes of the collection or map, or of the sections, beginning with their state.
  ///
  ///     for await change in person.dogs.changes {
  ///       if case .update(let dogs, _, let insertions, _) = change { print(insertions.map { dogs[$0].name }) }
  ///     }
  ///
  /// Traps when the collection is unmanaged, was deleted, or is used outside its thread, queue or actor.
  public var changes: ObservedChanges<Self, _Change> { changes(keyPaths: nil) }

  /// The changes of the collection or map, or of the sections, with modifications on the given key paths only.
  ///
  /// Traps as `changes` does, and for unknown names when the iteration begins.
  ///
  /// - Parameter keyPaths: names of properties of the elements, or dotted paths of names; nil for all.
  public func changes(keyPaths: [String]?) -> ObservedChanges<Self, _Change> {
    ObservedChanges(self, deletion: nil, freeze: { frozenChange($0, or: $1) }) { thing, session, from, block in
      Self._observation(keyPaths, block).make(thing, session, from)
    }
  }
}

extension ThreadConfined where Self: ObjectBase {
  /// The changes of the object, from now on. The last element is `.deleted`.
  ///
  ///     for await change in dog.changes {
  ///       if case .change(let dog, let properties) = change { print(dog.name, properties.map(\.name)) }
  ///     }
  ///
  /// Traps when the object is unmanaged, was deleted, or is used outside its thread, queue or actor.
  public var changes: ObservedChanges<Self, ObjectChange<Self>> { changes(keyPaths: nil) }

  /// The changes of the object on the given key paths, from now on.
  ///
  /// Traps as `changes` does, and for unknown names when the iteration begins.
  ///
  /// - Parameter keyPaths: names of properties, or dotted paths of names; nil for all properties of the object.
  public func changes(keyPaths: [String]?) -> ObservedChanges<Self, ObjectChange<Self>> {
    ObservedChanges(self, deletion: .deleted, freeze: { frozenChange($0, or: $1) }) { thing, session, from, block in
      Self.observation(keyPaths) { block(ObjectChange($0, $1)) }(thing, session, from)
    }
  }
}

extension ProjectionObservable {
  /// The changes of the projected properties, from now on. The last element is `.deleted`.
  ///
  /// Traps when the root object is unmanaged, was deleted, or is used outside its thread, queue or actor.
  public var changes: ObservedChanges<Self, ObjectChange<Self>> { changes(keyPaths: nil) }

  /// The changes of projected properties, from now on.
  ///
  /// - Parameter keyPaths: dotted paths of names of *root* properties, as they are projected; nil for all.
  public func changes(keyPaths: [String]?) -> ObservedChanges<Self, ObjectChange<Self>> {
    ObservedChanges(self, deletion: .deleted, freeze: { frozenChange($0, or: $1) }) { thing, session, from, block in
      Self.observation(keyPaths, block)(thing, session, from)
    }
  }
}

/// A change whose collection or object can be frozen.
private protocol FreezableChange {
  /// Returns the change with frozen contents.
  ///
  /// - Parameter earlier: stands for a collection whose owner was deleted.
  func frozen(or earlier: Any?) -> Self
}

private func frozenChange<Change>(_ change: Change, or earlier: Any?) -> Change {
  (change as? any FreezableChange)?.frozen(or: earlier) as? Change ?? change
}

/// Returns a value as any thread may read it.
private func frozenValue<Value>(_ value: Value, or earlier: Any? = nil) -> Value {
  guard let confined = value as? any ThreadConfined else { return value }
  if confined.isInvalidated { return earlier as? Value ?? value }
  return confined.realm == nil ? value : confined.freeze() as? Value ?? value
}

extension RealmCollectionChange: FreezableChange {
  func frozen(or earlier: Any?) -> RealmCollectionChange {
    switch self {
    case .initial(let collection): .initial(frozenValue(collection, or: earlier))
    case .update(let collection, let deletions, let insertions, let modifications):
      .update(
        frozenValue(collection, or: earlier), deletions: deletions, insertions: insertions,
        modifications: modifications)
    case .error: self
    }
  }
}

extension RealmMapChange: FreezableChange {
  func frozen(or earlier: Any?) -> RealmMapChange {
    switch self {
    case .initial(let map): .initial(frozenValue(map, or: earlier))
    case .update(let map, let deletions, let insertions, let modifications):
      .update(
        frozenValue(map, or: earlier), deletions: deletions, insertions: insertions, modifications: modifications)
    case .error: self
    }
  }
}

extension SectionedResultsChange: FreezableChange {
  func frozen(or earlier: Any?) -> SectionedResultsChange {
    switch self {
    case .initial(let sections): .initial(frozenValue(sections, or: earlier))
    case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
      .update(
        frozenValue(sections, or: earlier), deletions: deletions, insertions: insertions,
        modifications: modifications, sectionsToInsert: inserted, sectionsToDelete: deleted)
    }
  }
}

extension ObjectChange: FreezableChange {
  func frozen(or earlier: Any?) -> ObjectChange {
    guard case .change(let object, let properties) = self else { return self }
    return .change(
      frozenValue(object, or: earlier),
      properties.map {
        PropertyChange(
          name: $0.name, oldValue: $0.oldValue.map { frozenValue($0) }, newValue: $0.newValue.map { frozenValue($0) })
      })
  }
}
