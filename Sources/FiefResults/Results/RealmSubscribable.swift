public import Dispatch
import FiefObjects

/// A value that views and publishers follow: an object, a collection, a map, a projection or sections.
///
/// Applications do not conform to it.
public protocol RealmSubscribable: ThreadConfined, Equatable, SendableMetatype {
  /// Reports each change of the value, and its deletion. Collections, maps and sections also report their state when
  /// the observation begins.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or dotted paths; nil for all.
  ///   - queue: a serial queue for the reports; nil for the realm's thread, queue or actor.
  ///   - receiver: receives the value, live where it is called.
  /// - Returns: a token that keeps the observation alive.
  func _observe<Receiver: _StateReceiver>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ receiver: Receiver)
    -> NotificationToken where Receiver.Value == Self

  /// Returns what a view shows when the value was deleted; nil for types that have no value by default.
  static func _makeReplacement() -> Self?
}

/// Receives the states of a value that is followed. A closure could not be a parameter of the requirement: its type
/// would name the class that conforms, and a subclass would have to be called with another type.
public protocol _StateReceiver<Value> {
  /// The type of the value.
  associatedtype Value

  /// Receives a state.
  ///
  /// - Parameters:
  ///   - value: nil when the object was deleted, or the object that had the collection. Nothing follows.
  ///   - isFirst: whether it is the state when the observation begins.
  func _receive(_ value: Value?, isFirst: Bool)
}

extension RealmSubscribable {
  /// Returns nil: most types have no value by default.
  public static func _makeReplacement() -> Self? { nil }

  /// Calls a block after each change of the value, and after its deletion; see `_observe(_:on:_:)` and
  /// `_StateReceiver`.
  package func follow(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (Self?, Bool) -> Void
  ) -> NotificationToken { _observe(keyPaths, on: queue, StateBlock(block: block)) }
}

/// Passes states to a closure.
private struct StateBlock<Value>: _StateReceiver {
  let block: (Value?, Bool) -> Void

  func _receive(_ value: Value?, isFirst: Bool) { block(value, isFirst) }
}
