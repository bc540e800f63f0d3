import FiefQueries
import Synchronization

/// What a key path of a model class means in a query, remembered by the key path's identity: conditions are made over and over by
/// the same lines of a program, and the key path of a line is one object.
///
/// Key paths are held, so that no other can come to have the identity of one that is known. Programs that make key paths without
/// end are remembered up to a number.
enum PropertyWays {
  /// The properties that a key path passes, and whether the last of them holds several.
  struct Way: Sendable {
    let components: [PropertyPath.Component]
    let holdsSeveral: Bool
  }

  /// The way of a key path. Traps when it passes no kept property.
  static func way<Root: ObjectBase, V>(of keyPath: KeyPath<Root, V>) -> Way {
    let key = Key(path: ObjectIdentifier(keyPath), root: ObjectIdentifier(Root.self))
    let present = known.withLock { known -> Way? in
      if let latest = known.latest, latest.key == key { return latest.way }
      guard let way = known.ways[key]?.way else { return nil }
      known.latest = (key, way)
      return way
    }
    if let present { return present }
    let names = _name(for: keyPath).split(separator: ".")
    let way = Way(
      components: names.map { .property(String($0)) },
      holdsSeveral: V.self is any RealmCollectionBase.Type || V.self is any RealmKeyedCollection.Type)
    known.withLock { if $0.ways.count < limit { $0.ways[key] = Known(keyPath: keyPath, way: way) } }
    return way
  }

  private static let limit = 4096

  private struct Key: Hashable, Sendable {
    let path: ObjectIdentifier
    let root: ObjectIdentifier
  }

  /// Key paths are immutable, and are only held here.
  private struct Known: @unchecked Sendable {
    let keyPath: AnyKeyPath
    let way: Way
  }

  private struct State: Sendable {
    var ways: [Key: Known] = [:]
    /// The one that was asked for last: a line that asks often is mostly followed by itself.
    var latest: (key: Key, way: Way)?
  }

  private static let known = Mutex(State())
}
