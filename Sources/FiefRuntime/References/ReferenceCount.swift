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
/// `Unmanaged` and `unowned(unsafe)` references are not counted; their holders promise the object's life by other
/// means.
@usableFromInline
package enum ReferenceCount {
  /// The word of an object with one reference; nil when the runtime does not behave as described.
  package static let sole: UInt? = RuntimeFeature.referenceCounts.isSwitchedOff ? nil : probe()

  /// The word of an object.
  @inlinable
  @inline(__always)
  package static func word<Instance: AnyObject>(of object: Unmanaged<Instance>) -> UInt {
    unsafe (object.toOpaque() + MemoryLayout<UInt>.size).assumingMemoryBound(to: Atomic<UInt>.self)
      .pointee.load(ordering: .acquiring)
  }

  private final class Probe {
    var strong: Probe?
    unowned var unowned: Probe?
    weak var weak: Probe?
  }

  /// The word of an object to which no further reference remains, while references of each sort come and go: each must
  /// change the word, and its release must bring the word back. Nil when the word behaves otherwise.
  private static func probe() -> UInt? {
    guard MemoryLayout<UInt>.size == 8 else { return nil }
    let (holder, object, other) = unsafe (Probe(), Unmanaged.passRetained(Probe()), Unmanaged.passRetained(Probe()))
    defer {
      unsafe object.release()
      unsafe other.release()
    }
    let alone = unsafe word(of: object)
    guard unsafe word(of: other) == alone else { return nil }
    for path: ReferenceWritableKeyPath<Probe, Probe?> in [\.strong, \.unowned, \.weak] {
      unsafe holder[keyPath: path] = object.takeUnretainedValue()
      if unsafe word(of: object) == alone { return nil }
      holder[keyPath: path] = nil
      // After a weak reference a side table stays: the object never counts as solely referenced again, which is safe.
      if unsafe path != \.weak && word(of: object) != alone { return nil }
    }
    return alone
  }
}
