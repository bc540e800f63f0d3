import Synchronization

/// Whether an object has exactly one reference of any sort: strong, weak or unowned.
///
/// `isKnownUniquelyReferenced` does not count unowned and weak references. The runtime keeps all three in one word
/// behind the pointer to the class:
///
///     offset 0   class
///     offset 8   strong count │ unowned count │ flags; after a weak reference, the address of a side table
///
/// So an object with one strong reference, and no other, has the same word as every other such object. This is the
/// layout of the stable ABI (`RefCount.h` in the Swift runtime). A probe tries it at the first use: it watches the
/// word of an object while references of each sort come and go. Where the word behaves otherwise, `sole` is nil, and
/// no object counts as solely referenced.
///
/// Why reading the word is right: every object is at least two words long, so the read stays inside a living object; it
/// is read as the atomic number that the runtime keeps there. The holder of the one strong reference knows that no
/// other thread can make a second one: a copy needs a reference to copy from, and there is no weak one. The load
/// acquires, so it follows what other threads did before they released their references.
///
/// The holder of the one reference may also count a second one without an atomic step, by storing the word of an object
/// with two: no other thread reads or writes the word until the second reference, or the object's holder, is passed on,
/// and that is ordered as any passing on of an object is. An atomic step takes five nanoseconds, and a store none.
///
/// `Unmanaged` and `unowned(unsafe)` references are not counted; their holders promise the object's life by other
/// means.
@usableFromInline
package enum ReferenceCount {
  /// The word of an object with one reference; nil when the runtime does not behave as described.
  package static var sole: UInt? { known?.one }

  /// The words of an object with one strong reference, with two, and no other reference. Nil when the runtime does not
  /// behave as described.
  package static let known: (one: UInt, two: UInt)? = RuntimeFeature.referenceCounts.isSwitchedOff ? nil : probe()

  /// The word of an object.
  @inlinable
  @inline(__always)
  package static func word<Instance: AnyObject>(of object: Unmanaged<Instance>) -> UInt {
    unsafe (object.toOpaque() + MemoryLayout<UInt>.size).assumingMemoryBound(to: Atomic<UInt>.self)
      .pointee.load(ordering: .acquiring)
  }

  /// Counts a second reference to an object that has exactly one strong reference and no other: that of the caller.
  ///
  /// - Parameter two: the word of an object with two references.
  @unsafe
  @inlinable
  @inline(__always)
  static func countSecond<Instance: AnyObject>(of object: Unmanaged<Instance>, as two: UInt) {
    unsafe (object.toOpaque() + MemoryLayout<UInt>.size).assumingMemoryBound(to: Atomic<UInt>.self)
      .pointee.store(two, ordering: .relaxed)
  }

  private final class Probe {
    var strong: Probe?
    unowned var unowned: Probe?
    weak var weak: Probe?
  }

  /// The word of an object to which no further reference remains, while references of each sort come and go: each must
  /// change the word, and its release must bring the word back. A second reference that is counted here must give the
  /// word that the runtime gives, and be released by it. Nil when the word behaves otherwise.
  private static func probe() -> (one: UInt, two: UInt)? {
    guard MemoryLayout<UInt>.size == 8 else { return nil }
    let (holder, object, other) = unsafe (Probe(), Unmanaged.passRetained(Probe()), Unmanaged.passRetained(Probe()))
    defer {
      unsafe object.release()
      unsafe other.release()
    }
    let alone = unsafe word(of: object)
    guard unsafe word(of: other) == alone else { return nil }
    // Every reference passes through the holder: the compiler would leave out a plain retain and its release.
    unsafe holder[keyPath: \Probe.strong] = object.takeUnretainedValue()
    let pair = unsafe word(of: object)
    holder[keyPath: \Probe.strong] = nil
    guard unsafe pair != alone && word(of: object) == alone else { return nil }
    unsafe countSecond(of: object, as: pair)
    unsafe holder[keyPath: \Probe.strong] = object.takeRetainedValue()
    guard unsafe word(of: object) == pair else { return nil }
    holder[keyPath: \Probe.strong] = nil
    guard unsafe word(of: object) == alone else { return nil }
    for path: ReferenceWritableKeyPath<Probe, Probe?> in [\.strong, \.unowned, \.weak] {
      unsafe holder[keyPath: path] = object.takeUnretainedValue()
      if unsafe word(of: object) == alone { return nil }
      holder[keyPath: path] = nil
      // After a weak reference a side table stays: the object never counts as solely referenced again, which is safe.
      if unsafe path != \.weak && word(of: object) != alone { return nil }
    }
    return (alone, pair)
  }
}
