import Synchronization

/// Tells whether an object is referenced once, and by nothing else: strongly, weakly or unowned.
///
/// `isKnownUniquelyReferenced` does not see unowned and weak references. The runtime keeps all three in one word behind
/// the pointer to the class:
///
///     offset 0   class
///     offset 8   strong count │ unowned count │ flags         or, once there was a weak reference, the address of a side table
///
/// So the word of an object that was just made, and has one reference, is the word of every object that has one strong
/// reference and neither an unowned nor a weak one. This is the layout of the stable ABI (`RefCount.h` in the Swift
/// runtime). It is not believed but tried out: at the first use the word of a probe is watched while references of each
/// sort come and go. If it does not behave as described, `count` is nil, and nobody takes any object for solely
/// referenced.
///
/// Why reading the word is right: it is read at an aligned address inside a living object, as the atomic number that
/// the runtime keeps there. Whoever holds the one strong reference knows that no other thread can get one: a copy needs
/// a reference to copy from, and there is no weak one. The load acquires, so what other threads did before they let go
/// has happened.
///
/// What cannot be seen: `Unmanaged` and `unowned(unsafe)` references, which promise the object's life by other means.
enum SoleReference {
  /// The word of an object with one reference; nil when the runtime does not behave as described.
  static let count: UInt? = Probe.learn()

  /// The word of an object.
  @inline(__always)
  static func count<Instance: AnyObject>(of object: Unmanaged<Instance>) -> UInt {
    (object.toOpaque() + MemoryLayout<UInt>.size).assumingMemoryBound(to: Atomic<UInt>.self)
      .pointee.load(ordering: .acquiring)
  }

  /// An object that is looked at, and those that refer to it.
  private final class Probe {
    final class Holder {
      var strong: Probe?
      weak var weak: Probe?
      unowned var unowned: Probe?
    }

    static func learn() -> UInt? {
      guard MemoryLayout<UInt>.size == 8 else { return nil }
      let probe = Unmanaged.passRetained(Probe())
      let other = Unmanaged.passRetained(Probe())
      defer {
        probe.release()
        other.release()
      }
      let alone = SoleReference.count(of: probe)
      guard SoleReference.count(of: other) == alone else { return nil }
      let holder = Holder()
      // Each kind of reference must change the word, and letting go of it must bring the word back.
      for (take, isReversible) in [(takeStrong, true), (takeUnowned, true), (takeWeak, false)] {
        take(holder, probe)
        if SoleReference.count(of: probe) == alone { return nil }
        letGo(holder)
        // A side table stays: the object is never taken for solely referenced again, which is safe.
        if isReversible && SoleReference.count(of: probe) != alone { return nil }
      }
      return alone
    }

    @inline(never)
    private static func takeStrong(_ holder: Holder, _ probe: Unmanaged<Probe>) {
      holder.strong = probe.takeUnretainedValue()
    }

    @inline(never)
    private static func takeUnowned(_ holder: Holder, _ probe: Unmanaged<Probe>) {
      holder.unowned = probe.takeUnretainedValue()
    }

    @inline(never)
    private static func takeWeak(_ holder: Holder, _ probe: Unmanaged<Probe>) {
      holder.weak = probe.takeUnretainedValue()
    }

    @inline(never)
    private static func letGo(_ holder: Holder) {
      holder.strong = nil
      holder.unowned = nil
      holder.weak = nil
    }
  }
}
