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
  package static let sole: UInt? = RuntimeFeature.referenceCounts.isSwitchedOff ? nil : Probe.learn()

  /// The word of an object.
  @inlinable
  @inline(__always)
  package static func word<Instance: AnyObject>(of object: Unmanaged<Instance>) -> UInt {
    unsafe (object.toOpaque() + MemoryLayout<UInt>.size).assumingMemoryBound(to: Atomic<UInt>.self)
      .pointee.load(ordering: .acquiring)
  }

  /// An object whose word is watched, and the holders of references to it.
  private final class Probe {
    final class Holder {
      var strong: Probe?
      weak var weak: Probe?
      unowned var unowned: Probe?
    }

    static func learn() -> UInt? {
      guard MemoryLayout<UInt>.size == 8 else { return nil }
      let probe = unsafe Unmanaged.passRetained(Probe())
      let other = unsafe Unmanaged.passRetained(Probe())
      defer {
        unsafe probe.release()
        unsafe other.release()
      }
      let alone = unsafe ReferenceCount.word(of: probe)
      guard unsafe ReferenceCount.word(of: other) == alone else { return nil }
      let holder = Holder()
      // Each sort of reference must change the word, and its release must bring the word back.
      for sort in Sort.allCases {
        unsafe hold(probe, sort, by: holder)
        if unsafe ReferenceCount.word(of: probe) == alone { return nil }
        release(holder)
        // A side table stays: the object never counts as solely referenced again, which is safe.
        if unsafe sort != .weak && ReferenceCount.word(of: probe) != alone { return nil }
      }
      return alone
    }

    private enum Sort: CaseIterable {
      case strong, unowned, weak
    }

    @inline(never)
    private static func hold(_ probe: Unmanaged<Probe>, _ sort: Sort, by holder: Holder) {
      switch sort {
      case .strong: holder.strong = unsafe probe.takeUnretainedValue()
      case .unowned: holder.unowned = unsafe probe.takeUnretainedValue()
      case .weak: holder.weak = unsafe probe.takeUnretainedValue()
      }
    }

    @inline(never)
    private static func release(_ holder: Holder) {
      holder.strong = nil
      holder.unowned = nil
      holder.weak = nil
    }
  }
}
