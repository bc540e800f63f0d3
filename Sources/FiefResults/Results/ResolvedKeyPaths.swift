import FiefObjects
import FiefQueries
public import FiefRuntime
import Synchronization

/// The meaning of a key path of a model class in a query. It never changes.
@usableFromInline
final class ResolvedKeyPath: @unchecked Sendable {
  /// Retained, so that no other key path can get its identity. Key paths are immutable.
  fileprivate let keyPath: AnyKeyPath
  /// The properties from its root to its end.
  let path: PropertyPath
  /// Whether the last of them holds several values.
  let holdsSeveral: Bool
  /// The class that it begins at.
  private let model: ModelClass
  /// The number of its one property there; nil for a longer key path.
  private let number: Int?

  fileprivate init<Root: ObjectBase, V>(_ keyPath: KeyPath<Root, V>) {
    let names = _name(for: keyPath).split(separator: ".").map { String($0) }
    self.keyPath = keyPath
    path = PropertyPath(names.map { .property($0) })
    holdsSeveral = V.self is any RealmCollectionBase.Type || V.self is any RealmKeyedCollection.Type
    model = ModelClass.of(Root.self)
    number = names.count == 1 ? model.number(of: names[0]) : nil
  }

  /// The number of its one property in a class; nil for a longer key path, and for one that begins at another class.
  /// This includes superclasses, because numbers differ between classes.
  func number(in class: ClassBinding) -> Int? { `class`.isDeclared(by: model) ? number : nil }

  /// Whether it is one property that holds one value.
  var isPlain: Bool { number != nil && !holdsSeveral }
}

/// Resolved key paths, in a table by the key path's identity. The same lines of a program make conditions over and
/// over, and the key path of a line is one object.
///
///     latest   64 slots, by the bits of the address       searched first, without a lock; plain ones only
///     known    all                                        under a lock
///
/// No key path is ever removed from the table, so plain ones are passed on without counting references. The table has
/// a limit, for programs that make key paths without end.
@usableFromInline
enum ResolvedKeyPaths {
  /// The resolved form of a key path, if it is plain and among the most recent ones.
  @usableFromInline
  static func recent(_ keyPath: AnyKeyPath) -> Borrowed<ResolvedKeyPath>? {
    guard let address = unsafe latest.slot(for: keyPath).pointee.load(ordering: .acquiring)?.toOpaque() else {
      return nil
    }
    let resolved = unsafe Borrowed<ResolvedKeyPath>(at: address)
    return resolved.with { $0.keyPath === keyPath } ? resolved : nil
  }

  /// The resolved form of a key path, and whether it is in the table, and so lives for ever. Traps for a key path that
  /// passes no persisted property.
  static func resolve<Root: ObjectBase, V>(_ keyPath: KeyPath<Root, V>) -> (ResolvedKeyPath, isRemembered: Bool) {
    let key = ObjectIdentifier(keyPath)
    if let resolved = known.withLock({ $0[key] }) { return (noted(resolved), true) }
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

  /// Puts a key path of the table among the most recent ones, if it is plain.
  private static func noted(_ resolved: ResolvedKeyPath) -> ResolvedKeyPath {
    if resolved.isPlain {
      unsafe latest.slot(for: resolved.keyPath).pointee.store(.passUnretained(resolved), ordering: .releasing)
    }
    return resolved
  }

  private static let limit = 4096
  private static let known = Mutex<[ObjectIdentifier: ResolvedKeyPath]>([:])
  private static let latest = RecentKeyPaths()
}

/// The most recent plain key paths, each in the slot that the address of its key path selects.
///
/// Unsafe code: the memory is allocated once and never freed, and every access to it is atomic; the key paths in it
/// live for ever.
@safe
private struct RecentKeyPaths: @unchecked Sendable {
  typealias Slot = Atomic<Unmanaged<ResolvedKeyPath>?>

  private let slots: UnsafeMutablePointer<Slot>
  private static let count = 64

  init() {
    unsafe slots = .allocate(capacity: Self.count)
    for number in 0..<Self.count { unsafe (slots + number).initialize(to: Slot(nil)) }
  }

  /// The slot of a key path. Addresses of objects are at least 16 bytes apart.
  @inline(__always)
  func slot(for keyPath: AnyKeyPath) -> UnsafeMutablePointer<Slot> {
    let address = UInt(bitPattern: ObjectIdentifier(keyPath))
    return unsafe slots + Int((address >> 4 ^ address >> 10) % UInt(Self.count))
  }
}
