import Dispatch
import FiefObjects
import FiefSessions

/// Makes changes, objects and collections fit for other threads: frozen, or as references.
package enum Transfer {
  /// Returns a value as any thread may read it. Contents that are managed are frozen, also those of an any-value, and a
  /// section that has no elements any more; an invalidated collection stays as it is. A value of another type is
  /// returned itself.
  ///
  /// - Parameters:
  ///   - value: a change, an object, a collection or an any-value.
  ///   - earlier: stands for a collection whose owner was deleted; a section without elements is no such one.
  package static func frozen<Value>(_ value: Value, or earlier: Any? = nil) -> Value {
    if let change = value as? any _ObservedChange { return change.frozen(or: earlier) as? Value ?? value }
    if let mixed = value as? AnyRealmValue { return mixed.holding { frozen($0) } as? Value ?? value }
    guard let confined = value as? any ThreadConfined else { return value }
    if confined.isInvalidated {
      return (value as? any VanishingSection)?.frozen as? Value ?? earlier as? Value ?? value
    }
    return confined.realm == nil ? value : confined.freeze() as? Value ?? value
  }

  /// Returns a function that returns the value on a serial queue, in the realm of that queue, and is called there once.
  ///
  /// Contents that are unmanaged or frozen stay as they are. The function returns nil when a collection does not exist
  /// any more; for a change of an object that does not, it returns its deletion. A section without elements is one of
  /// its states. Traps outside the thread, queue or actor of the value.
  ///
  /// - Parameter value: a change, an object or a collection; a value of another type is returned itself.
  package static func reference<Value>(_ value: Value) -> (DispatchQueue) -> Value? {
    if let change = value as? any _ObservedChange {
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
    if let section = value as? any VanishingSection { return shown(section) }
    if confined.isInvalidated { return { _ in nil } }
    func referenced(_ thing: some ThreadConfined) -> (DispatchQueue) -> Value? {
      let reference = FrozenReference(thing, "A publisher with threadSafeReference()")
      let frozen = reference.ticket.frozen
      return { queue in reference.resolve(in: frozen.store.session(.of(queue), frozen.options)) as? Value }
    }
    return referenced(confined)
  }

  /// Returns the function for a section, whether it has elements or not.
  private static func shown<Value>(_ section: some VanishingSection) -> (DispatchQueue) -> Value? {
    if section.source.isInvalidated { return { _ in nil } }
    let session = section.source.session
    session.checkConfinement()
    let ticket = VersionTicket(session)
    let frozen = section.shown(in: ticket.frozen)
    return { queue in
      let session = ticket.frozen.store.session(.of(queue), ticket.frozen.options)
      ticket.advance(session, from: .recorded)
      return frozen?.shown(in: session) as? Value
    }
  }
}

extension AnyRealmValue {
  /// Returns the value with another form of its object or collection; itself when it is a scalar.
  ///
  /// - Parameter form: returns the other form; nil when there is none.
  /// - Returns: nil when there is no other form.
  package func holding(_ form: (any ThreadConfined) -> (any ThreadConfined)?) -> AnyRealmValue? {
    switch self {
    case .object(let object): (form(object) as? Object).map { .object($0) }
    case .list(let list): (form(list) as? List<AnyRealmValue>).map { .list($0) }
    case .dictionary(let map): (form(map) as? Map<String, AnyRealmValue>).map { .dictionary($0) }
    default: self
    }
  }
}

extension _ObservedChange {
  /// Returns the change with frozen contents.
  ///
  /// - Parameter earlier: stands for a collection whose owner was deleted.
  fileprivate func frozen(or earlier: Any?) -> Self { _replacing { Transfer.frozen($0, or: earlier) } ?? self }

  /// Returns a function that returns the change with the contents of a queue's realm.
  fileprivate func referenced() -> (DispatchQueue) -> Self? {
    guard let content, let change = _replacing({ $0 }) else { return { _ in self } }
    let found = Transfer.content(content)
    return { queue in change._replacing { _ in found(queue) } ?? Self._deletion }
  }
}
