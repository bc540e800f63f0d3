import Dispatch
import FiefObjects
import FiefSessions

/// Makes changes, objects and collections fit for other threads: frozen, or as references.
package enum Transfer {
  /// Returns a value as any thread may read it. Contents that are managed are frozen; an invalidated collection stays
  /// as it is. A value of another type is returned itself.
  ///
  /// - Parameters:
  ///   - value: a change, an object or a collection.
  ///   - earlier: stands for a collection whose owner was deleted.
  package static func frozen<Value>(_ value: Value, or earlier: Any? = nil) -> Value {
    if let change = value as? any TransferableChange { return change.frozen(or: earlier) as? Value ?? value }
    guard let confined = value as? any ThreadConfined else { return value }
    if confined.isInvalidated { return earlier as? Value ?? value }
    return confined.realm == nil ? value : confined.freeze() as? Value ?? value
  }

  /// Returns a function that returns the value on a serial queue, in the realm of that queue, and is called there once.
  ///
  /// Contents that are unmanaged or frozen stay as they are. The function returns nil when a collection does not exist
  /// any more; for a change of an object that does not, it returns its deletion. Traps outside the thread, queue or
  /// actor of the value.
  ///
  /// - Parameter value: a change, an object or a collection; a value of another type is returned itself.
  package static func reference<Value>(_ value: Value) -> (DispatchQueue) -> Value? {
    if let change = value as? any TransferableChange {
      let referenced = change.referenced()
      return { queue in referenced(queue) as? Value }
    }
    return content(value)
  }

  /// Returns the function for an object or a collection.
  fileprivate static func content<Value>(_ value: Value) -> (DispatchQueue) -> Value? {
    guard let confined = value as? any ThreadConfined, confined.realm != nil, !confined.isFrozen else {
      return { _ in value }
    }
    if confined.isInvalidated { return { _ in nil } }
    let referenced = handedOver(confined)
    return { queue in referenced(queue) as? Value }
  }

  private static func handedOver<Confined: ThreadConfined>(_ thing: Confined) -> (DispatchQueue) -> Any? {
    let handover = Handover(thing, "A publisher with threadSafeReference()")
    let options = handover.ticket.frozen.options
    return { queue in handover.ticket.frozen.store.session(.of(queue), options).resolve(handover) }
  }
}

/// A change with an object or a collection in it.
private protocol TransferableChange {
  /// Returns the change with frozen contents.
  ///
  /// - Parameter earlier: stands for a collection whose owner was deleted.
  func frozen(or earlier: Any?) -> Self

  /// Returns a function that returns the change with the contents of a queue's realm.
  func referenced() -> (DispatchQueue) -> Self?
}

extension RealmCollectionChange: TransferableChange {
  func frozen(or earlier: Any?) -> RealmCollectionChange { with { Transfer.frozen($0, or: earlier) } ?? self }

  func referenced() -> (DispatchQueue) -> RealmCollectionChange? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _):
      let content = Transfer.content(collection)
      return { queue in with { _ in content(queue) } }
    case .error: return { _ in self }
    }
  }

  private func with(_ other: (CollectionType) -> CollectionType?) -> RealmCollectionChange? {
    switch self {
    case .initial(let collection): other(collection).map { .initial($0) }
    case .update(let collection, let deletions, let insertions, let modifications):
      other(collection).map {
        .update($0, deletions: deletions, insertions: insertions, modifications: modifications)
      }
    case .error: self
    }
  }
}

extension RealmMapChange: TransferableChange {
  func frozen(or earlier: Any?) -> RealmMapChange { with { Transfer.frozen($0, or: earlier) } ?? self }

  func referenced() -> (DispatchQueue) -> RealmMapChange? {
    switch self {
    case .initial(let map), .update(let map, _, _, _):
      let content = Transfer.content(map)
      return { queue in with { _ in content(queue) } }
    case .error: return { _ in self }
    }
  }

  private func with(_ other: (Collection) -> Collection?) -> RealmMapChange? {
    switch self {
    case .initial(let map): other(map).map { .initial($0) }
    case .update(let map, let deletions, let insertions, let modifications):
      other(map).map { .update($0, deletions: deletions, insertions: insertions, modifications: modifications) }
    case .error: self
    }
  }
}

extension SectionedResultsChange: TransferableChange {
  func frozen(or earlier: Any?) -> SectionedResultsChange { with { Transfer.frozen($0, or: earlier) } ?? self }

  func referenced() -> (DispatchQueue) -> SectionedResultsChange? {
    switch self {
    case .initial(let sections), .update(let sections, _, _, _, _, _):
      let content = Transfer.content(sections)
      return { queue in with { _ in content(queue) } }
    }
  }

  private func with(_ other: (Collection) -> Collection?) -> SectionedResultsChange? {
    switch self {
    case .initial(let sections): other(sections).map { .initial($0) }
    case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
      other(sections).map {
        .update(
          $0, deletions: deletions, insertions: insertions, modifications: modifications, sectionsToInsert: inserted,
          sectionsToDelete: deleted)
      }
    }
  }
}

extension ObjectChange: TransferableChange {
  func frozen(or earlier: Any?) -> ObjectChange {
    guard case .change(let object, let properties) = self else { return self }
    return .change(Transfer.frozen(object, or: earlier), Self.frozen(properties))
  }

  func referenced() -> (DispatchQueue) -> ObjectChange? {
    guard case .change(let object, let properties) = self else { return { _ in self } }
    let (content, frozen) = (Transfer.content(object), Self.frozen(properties))
    return { queue in content(queue).map { .change($0, frozen) } ?? .deleted }
  }

  /// Returns property changes whose values any thread may read.
  private static func frozen(_ properties: [PropertyChange]) -> [PropertyChange] {
    properties.map {
      PropertyChange(
        name: $0.name, oldValue: $0.oldValue.map { Transfer.frozen($0) },
        newValue: $0.newValue.map { Transfer.frozen($0) })
    }
  }
}
