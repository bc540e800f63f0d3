import Foundation
import Synchronization

/// The errors of objects that were made of bad values.
///
/// `Dog(value: bad)` does not trap and cannot throw: the instance keeps its defaults, and whoever brings it into a
/// realm hears of the first thing that was wrong.
enum FaultyObjects {
  /// Only addresses of living objects are here: an object takes its error along when it goes.
  private static let errors = Mutex<[ObjectIdentifier: Realm.Error]>([:])

  static func error(of object: ObjectBase) -> Realm.Error? { errors.withLock { $0[ObjectIdentifier(object)] } }

  static func note(_ error: Realm.Error, _ object: ObjectBase) {
    guard !object.flags.contains(.faulty) else { return }
    object.flags.insert(.faulty)
    errors.withLock { $0[ObjectIdentifier(object)] = error }
  }

  static func forget(_ object: ObjectBase) { errors.withLock { $0[ObjectIdentifier(object)] = nil } }
}
