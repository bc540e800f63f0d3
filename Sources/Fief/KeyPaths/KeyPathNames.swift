import FiefRuntime
import Synchronization

/// Turns key paths of model classes into the names of properties.
///
/// A key path does not expose names, so this makes an unmanaged object in the tracing state and reads the key path on
/// it: see `PropertyTrace`. Results are cached.
enum KeyPathNames {
  /// The names that a key path passes, joined by dots; nil when it passes no persisted property.
  static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
    name(of: keyPath, at: Root.self) { Root.tracing()[keyPath: keyPath] }
  }

  /// The names that a key path of a projection passes on its root, joined by dots; nil when it passes no persisted
  /// property.
  static func name<View: ProjectionObservable>(of keyPath: PartialKeyPath<View>) -> String? {
    name(of: keyPath, at: View.self) { View(projecting: View.Root.tracing())[keyPath: keyPath] }
  }

  private static func name(of keyPath: AnyKeyPath, at root: Any.Type, _ read: () -> Any) -> String? {
    let key = Key(keyPath: keyPath, root: ObjectIdentifier(root))
    if let name = known.withLock({ $0[key] }) { return name }
    let names = PropertyTrace.names(readBy: read)
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

/// The name of the property, or the path of names, that a key path stands for.
///
///     _name(for: \Person.dog?.name)   // "dog.name"
///
/// Traps when the key path passes no persisted property.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
  if let name = KeyPathNames.name(of: keyPath) { return name }
  fatalError(
    "The key path \(keyPath) of '\(T.className())' passes no managed property: name one that is declared with "
      + "@Persisted."
  )
}
