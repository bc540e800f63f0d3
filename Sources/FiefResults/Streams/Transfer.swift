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
    let reference = FrozenReference(thing, "A publisher with threadSafeReference()")
    let options = reference.ticket.frozen.options
    return { queue in reference.resolve(in: reference.ticket.frozen.store.session(.of(queue), options)) }
  }
}

/// A change with an object or a collection in it.
private protocol TransferableChange {
  associatedtype Content

  /// The object or the collection; nil for a change without one.
  var content: Content? { get }
  /// What is left of the change of an object that no longer exists; nil for a collection.
  static var deletion: Self? { get }
  /// Returns the change with another content, and other values as any thread may read them.
  func with(_ content: Content) -> Self
}

extension TransferableChange {
  static var deletion: Self? { nil }

  /// Returns the change with frozen contents.
  ///
  /// - Parameter earlier: stands for a collection whose owner was deleted.
  func frozen(or earlier: Any?) -> Self { content.map { with(Transfer.frozen($0, or: earlier)) } ?? self }

  /// Returns a function that returns the change with the contents of a queue's realm.
  func referenced() -> (DispatchQueue) -> Self? {
    guard let content else { return { _ in self } }
    let (change, found) = (with(content), Transfer.content(content))
    return { queue in found(queue).map { change.with($0) } ?? Self.deletion }
  }
}

extension RealmCollectionChange: TransferableChange {
  var content: CollectionType? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): collection
    case .error: nil
    }
  }

  func with(_ content: CollectionType) -> RealmCollectionChange {
    guard case .update(_, let deletions, let insertions, let modifications) = self else { return .initial(content) }
    return .update(content, deletions: deletions, insertions: insertions, modifications: modifications)
  }
}

extension RealmMapChange: TransferableChange {
  var content: Collection? {
    switch self {
    case .initial(let map), .update(let map, _, _, _): map
    case .error: nil
    }
  }

  func with(_ content: Collection) -> RealmMapChange {
    guard case .update(_, let deletions, let insertions, let modifications) = self else { return .initial(content) }
    return .update(content, deletions: deletions, insertions: insertions, modifications: modifications)
  }
}

extension SectionedResultsChange: TransferableChange {
  var content: Collection? {
    switch self {
    case .initial(let sections), .update(let sections, _, _, _, _, _): sections
    }
  }

  func with(_ content: Collection) -> SectionedResultsChange {
    guard case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted) = self else {
      return .initial(content)
    }
    return .update(
      content, deletions: deletions, insertions: insertions, modifications: modifications, sectionsToInsert: inserted,
      sectionsToDelete: deleted)
  }
}

extension ObjectChange: TransferableChange {
  static var deletion: ObjectChange? { .deleted }

  var content: T? { if case .change(let object, _) = self { object } else { nil } }

  func with(_ content: T) -> ObjectChange {
    guard case .change(_, let properties) = self else { return self }
    return .change(
      content,
      properties.map {
        PropertyChange(
          name: $0.name, oldValue: $0.oldValue.map { Transfer.frozen($0) },
          newValue: $0.newValue.map { Transfer.frozen($0) })
      })
  }
}
