public import Dispatch
import FiefObjects

// How each kind of value is followed by views and publishers.

extension RealmSubscribable where Self: _ObjectRepresentable {
  /// Reports each change of a property, and the deletion of the object.
  public func _observe<Receiver: _StateReceiver>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ receiver: Receiver)
    -> NotificationToken where Receiver.Value == Self
  {
    observe(keyPaths: keyPaths, on: queue) { change in
      switch change {
      case .change(let value, _): receiver._receive(value, isFirst: false)
      case .deleted: receiver._receive(nil, isFirst: false)
      case .error: break
      }
    }
  }
}

extension RealmSubscribable where Self: ObjectBase {
  /// Returns a new object.
  public static func _makeReplacement() -> Self? { Self() }
}

extension Object: RealmSubscribable {}
extension EmbeddedObject: RealmSubscribable {}

extension RealmSubscribable where Self: ProjectionObservable {
  /// Returns a projection of a new object.
  public static func _makeReplacement() -> Self? { Self(projecting: Root()) }
}

extension Projection: RealmSubscribable {}

extension RealmCollection {
  /// Reports the present elements, and each change of them.
  public func _observe<Receiver: _StateReceiver>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ receiver: Receiver)
    -> NotificationToken where Receiver.Value == Self
  {
    observe(keyPaths: keyPaths, on: queue) { change in
      switch change {
      case .initial(let collection): receiver._receive(collection, isFirst: true)
      case .update(let collection, _, _, _):
        receiver._receive(collection.isInvalidated ? nil : collection, isFirst: false)
      case .error: break
      }
    }
  }
}

extension List {
  /// Returns an empty list.
  public static func _makeReplacement() -> List? { List() }
}

extension MutableSet {
  /// Returns an empty set.
  public static func _makeReplacement() -> MutableSet? { MutableSet() }
}

extension Map: RealmSubscribable {
  /// Reports the present entries, and each change of them.
  public func _observe<Receiver: _StateReceiver>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ receiver: Receiver)
    -> NotificationToken where Receiver.Value == Map
  {
    observe(keyPaths: keyPaths, on: queue) { change in
      switch change {
      case .initial(let map): receiver._receive(map, isFirst: true)
      case .update(let map, _, _, _): receiver._receive(map.isInvalidated ? nil : map, isFirst: false)
      case .error: break
      }
    }
  }

  /// Returns an empty map.
  public static func _makeReplacement() -> Map? { Map() }
}
