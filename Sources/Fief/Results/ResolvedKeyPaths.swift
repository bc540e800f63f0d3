import FiefQueries
public import FiefRuntime
import Synchronization

/// The meaning of a key path of a model class in a query. It never changes.
@usableFromInline
final class ResolvedKeyPath: @unchecked Sendable {
  /// Retained, so that no other key path can get its identity. Key paths are immutable.
  fileprivate let keyPath: AnyKeyPath
  /// The properties on the way.
  let path: PropertyPath
  /// Whether the last of them holds several values.
  let holdsSeveral: Bool
  /// The class that it begins at.
  private let model: ModelClass
  /// The number of its one property there; nil for a longer way.
  private let number: Int?

  fileprivate init<Root: ObjectBase, V>(_ keyPath: KeyPath<Root, V>) {
    let names = _name(for: keyPath).split(separator: ".").map { String($0) }
    self.keyPath = keyPath
    path = PropertyPath(names.map { .property($0) })
    holdsSeveral = V.self is any RealmCollectionBase.Type || V.self is any RealmKeyedCollection.Type
    model = ModelClass.of(Root.self)
    number = names.count == 1 ? model.number(of: names[0]) : nil
  }

  /// The number of its one property in a class; nil for a longer way, and for a way that begins at another class. This
  /// includes superclasses, because numbers differ between classes.
  func number(in class: ModelClass) -> Int? { `class` === model ? number : nil }

  /// Whether it is one property that holds one value.
  var isPlain: Bool { number != nil && !holdsSeveral }
}

/// The ways of key paths, in a table by the key path's identity. The same lines of a program make conditions over and
/// over, and the key path of a line is one object.
///
///     latest   64 slots, by the bits of the address       searched first, without a lock; plain ways only
///     known    all                                        under a lock
///
/// No way is ever removed from the table, so plain ways are passed on without counting references. The table has a
/// limit, for programs that make key paths without end.
@usableFromInline
enum ResolvedKeyPaths {
  /// The way of a key path, if it is plain and among the most recent ones.
  @usableFromInline
  static func latestWay(of keyPath: AnyKeyPath) -> Borrowed<ResolvedKeyPath>? {
    guard let address = unsafe latest.slot(of: keyPath).pointee.load(ordering: .acquiring)?.toOpaque() else {
      return nil
    }
    let way = unsafe Borrowed<ResolvedKeyPath>(at: address)
    return way.with { $0.keyPath === keyPath } ? way : nil
  }

  /// The way of a key path, and whether it is in the table, and so lives for ever. Traps for a key path that passes no
  /// persisted property.
  static func way<Root: ObjectBase, V>(of keyPath: KeyPath<Root, V>) -> (ResolvedKeyPath, isRemembered: Bool) {
    let key = ObjectIdentifier(keyPath)
    if let way = known.withLock({ $0[key] }) { return (noted(way), true) }
    // Made outside the lock: it makes an object, and so runs the application's code, which may call this function.
    let made = ResolvedKeyPath(keyPath)
    let kept = known.withLock { known -> ResolvedKeyPath? in
      if let other = known[key] { return other }
      guard known.count < limit else { return nil }
      known[key] = made
      return made
    }
    return kept.map { (noted($0), true) } ?? (made, false)
  }

  /// Puts a way of the table among the most recent ones, if it is plain.
  private static func noted(_ way: ResolvedKeyPath) -> ResolvedKeyPath {
    if way.isPlain { unsafe latest.slot(of: way.keyPath).pointee.store(.passUnretained(way), ordering: .releasing) }
    return way
  }

  private static let limit = 4096
  private static let known = Mutex<[ObjectIdentifier: ResolvedKeyPath]>([:])
  private static let latest = LatestWays()
}

/// The most recent plain ways, each in the slot that the address of its key path selects.
///
/// Unsafe code: the memory is allocated once and never freed, and every access to it is atomic; the ways in it live for
/// ever.
@safe
private struct LatestWays: @unchecked Sendable {
  typealias Slot = Atomic<Unmanaged<ResolvedKeyPath>?>

  private let slots: UnsafeMutablePointer<Slot>
  private static let count = 64

  init() {
    unsafe slots = .allocate(capacity: Self.count)
    for number in 0..<Self.count { unsafe (slots + number).initialize(to: Slot(nil)) }
  }

  /// The slot of a key path. Addresses of objects are at least 16 bytes apart.
  @inline(__always)
  func slot(of keyPath: AnyKeyPath) -> UnsafeMutablePointer<Slot> {
    let address = UInt(bitPattern: ObjectIdentifier(keyPath))
    return unsafe slots + Int((address >> 4 ^ address >> 10) % UInt(Self.count))
  }
}
