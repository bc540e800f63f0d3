import FiefQueries
import Synchronization

/// What a key path of a model class means in a query. It never changes.
@usableFromInline
final class PropertyWay: @unchecked Sendable {
  /// Held, so that no other key path can come to have its identity. Key paths are immutable.
  fileprivate let keyPath: AnyKeyPath
  /// The properties that it passes.
  let path: PropertyPath
  /// Whether the last of them holds several.
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

  /// The number of its one property in a class; nil for a longer way, and when it begins at another class, if only at
  /// one that this inherits from: numbers are each class's own.
  func number(in class: ModelClass) -> Int? { `class` === model ? number : nil }

  /// Whether it is one property that holds one value.
  var isPlain: Bool { number != nil && !holdsSeveral }
}

/// The ways of key paths, remembered by the key path's identity: conditions are made over and over by the same lines of
/// a program, and the key path of a line is one object.
///
///     latest   64 places, by the bits of the address      asked first, without a lock; plain ways alone
///     known    all                                        under a lock
///
/// What is remembered is never forgotten, so that plain ways may be handed around without counting references. Programs
/// that make key paths without end are remembered up to a number.
@usableFromInline
enum PropertyWays {
  /// The way of a key path, if it is a plain one that was asked for lately.
  @usableFromInline
  static func latestWay(of keyPath: AnyKeyPath) -> Unmanaged<PropertyWay>? {
    guard let way = latest.place(of: keyPath).pointee.load(ordering: .acquiring),
      way._withUnsafeGuaranteedRef({ $0.keyPath === keyPath })
    else { return nil }
    return way
  }

  /// The way of a key path, and whether it is remembered, and so lives for ever. Traps when it passes no kept property.
  static func way<Root: ObjectBase, V>(of keyPath: KeyPath<Root, V>) -> (PropertyWay, isRemembered: Bool) {
    let key = ObjectIdentifier(keyPath)
    if let way = known.withLock({ $0[key] }) { return (noted(way), true) }
    // Made outside of the lock: it makes an object, and so runs the application's code, which may come back here.
    let made = PropertyWay(keyPath)
    let kept = known.withLock { known -> PropertyWay? in
      if let other = known[key] { return other }
      guard known.count < limit else { return nil }
      known[key] = made
      return made
    }
    return kept.map { (noted($0), true) } ?? (made, false)
  }

  /// Takes note that a remembered way was asked for.
  private static func noted(_ way: PropertyWay) -> PropertyWay {
    if way.isPlain { latest.place(of: way.keyPath).pointee.store(.passUnretained(way), ordering: .releasing) }
    return way
  }

  private static let limit = 4096
  private static let known = Mutex<[ObjectIdentifier: PropertyWay]>([:])
  private static let latest = LatestWays()
}

/// The plain ways that were asked for lately, each at the place that the address of its key path gives.
///
/// Unsafe code: the memory is made once and never freed, and every access to it is atomic; the ways in it live for
/// ever.
private struct LatestWays: @unchecked Sendable {
  typealias Place = Atomic<Unmanaged<PropertyWay>?>

  private let places: UnsafeMutablePointer<Place>
  private static let count = 64

  init() {
    places = .allocate(capacity: Self.count)
    for number in 0..<Self.count { (places + number).initialize(to: Place(nil)) }
  }

  /// Objects lie 16 bytes apart at least.
  @inline(__always)
  func place(of keyPath: AnyKeyPath) -> UnsafeMutablePointer<Place> {
    let address = UInt(bitPattern: ObjectIdentifier(keyPath))
    return places + Int((address >> 4 ^ address >> 10) % UInt(Self.count))
  }
}
