import FiefRuntime
import Synchronization

/// Turns key paths of model classes into the names of properties.
///
/// A key path does not expose names, so this makes an unmanaged object in the tracing state and reads the key path on
/// it: see `PropertyTrace`. Results are cached.
package enum KeyPathNames {
  /// The names that a key path passes on the object, joined by dots; nil when it passes no persisted property.
  package static func name<Root: _ObjectRepresentable>(of keyPath: PartialKeyPath<Root>) -> String? {
    let key = Key(keyPath: keyPath, root: ObjectIdentifier(Root.self))
    if let name = known.withLock({ $0[key] }) { return name }
    let names = PropertyTrace.names { Root._tracing()[keyPath: keyPath] }
    if names.isEmpty { return nil }
    let name = names.joined(separator: ".")
    known.withLock { known in
      // A program can make any number of key paths with subscripts (`\.dogs[number].name`). Key paths that are still in
      // use are added again.
      if known.count == limit { known.removeAll(keepingCapacity: true) }
      known[key] = name
    }
    return name
  }

  /// The maximum number of cached key paths.
  private static let limit = 4096

  /// `Sendable` holds because key paths are immutable, and the key only compares and hashes them.
  private struct Key: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
    let root: ObjectIdentifier
  }

  private static let known = Mutex<[Key: String]>([:])
}

/// The name of the property, or the path of names, that a key path of a class or projection stands for.
///
///     _name(for: \Person.dog?.name)     // "dog.name"
///     _name(for: \PersonView.city)      // "address.city"
///
/// Traps when the key path passes no persisted property.
public func _name<T: _ObjectRepresentable>(for keyPath: PartialKeyPath<T>) -> String {
  if let name = KeyPathNames.name(of: keyPath) { return name }
  let (owner, wrapper) = T.self is ObjectBase.Type ? ("", "@Persisted") : (" of its root", "@Projected")
  fatalError(
    "The key path \(keyPath) of '\(T.className())' passes no managed property\(owner): name one that is declared with "
      + "\(wrapper)."
  )
}
