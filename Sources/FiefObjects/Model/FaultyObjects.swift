import Foundation
import Synchronization

/// The errors of objects that were made from invalid values.
///
/// `Dog(value: bad)` does not trap and cannot throw: the instance keeps its defaults, and adding it to a realm throws
/// the first error.
enum FaultyObjects {
  /// Contains only living objects: an object removes its error when it is destroyed.
  private static let errors = Mutex<[ObjectIdentifier: Realm.Error]>([:])

  static func error(of object: ObjectBase) -> Realm.Error? { errors.withLock { $0[ObjectIdentifier(object)] } }

  static func note(_ error: Realm.Error, _ object: ObjectBase) {
    guard !object.flags.contains(.faulty) else { return }
    object.flags.insert(.faulty)
    errors.withLock { $0[ObjectIdentifier(object)] = error }
  }

  static func remove(_ object: ObjectBase) { errors.withLock { $0[ObjectIdentifier(object)] = nil } }
}
