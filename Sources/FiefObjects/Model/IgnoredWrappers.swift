import FiefRuntime
import Synchronization

/// The values that were set in wrappers whose class ignores them (`ignoredProperties()`).
///
/// Such a wrapper has no owner, because reads would take an owner's row for it. A wrapper changes its value through its
/// owner, so the value of an ignored one is here, under the number in the wrapper's tag. The declared default stays
/// in the wrapper.
@usableFromInline
enum IgnoredWrappers {
  private struct Table {
    /// The next number that was never given.
    var next = 1
    /// The numbers of objects that were destroyed, by their count: they are given again, as a tag has 32 bits for one.
    var free: [Int: [Range<Int>]] = [:]
    /// The numbers of each living object, which removes them when it is destroyed.
    var numbers: [ObjectIdentifier: Range<Int>] = [:]
    /// A value is used where its object is, so the boxes share nothing between threads.
    var values: [Int: UncheckedBox<Any>] = [:]
  }

  private static let table = Mutex(Table())

  /// Gives numbers to the ignored wrappers of a new object.
  ///
  /// - Returns: the first of them.
  static func add(_ count: Int, for object: ObjectBase) -> Int {
    let object = ObjectIdentifier(object)
    return table.withLock { table in
      let numbers = table.free[count]?.popLast() ?? table.next..<table.next + count
      table.next = max(table.next, numbers.upperBound)
      precondition(table.next <= UInt32.max, "There are more ignored wrappers than numbers for them.")
      table.numbers[object] = numbers
      return numbers.lowerBound
    }
  }

  /// The value that was set in a wrapper; nil when none was.
  @usableFromInline
  static func value(_ number: Int) -> Any? { table.withLock { $0.values[number] }?.value }

  /// Sets the value of a wrapper. Traps for a wrapper that is no property of an object.
  @usableFromInline
  static func set(_ value: Any, _ number: Int) {
    if number == 0 {
      fatalError(
        "A value was set in a @Persisted wrapper that belongs to no object. Make the object, and set its property.")
    }
    let box = UncheckedBox(value)
    // Values that leave the table are destroyed outside of the lock: that may destroy other objects with ignored
    // wrappers.
    let old = table.withLock { $0.values.updateValue(box, forKey: number) }
    withExtendedLifetime(old) {}
  }

  static func remove(_ object: ObjectBase) {
    let object = ObjectIdentifier(object)
    let old = table.withLock { table in
      guard let numbers = table.numbers.removeValue(forKey: object) else { return [UncheckedBox<Any>]() }
      table.free[numbers.count, default: []].append(numbers)
      return numbers.compactMap { table.values.removeValue(forKey: $0) }
    }
    withExtendedLifetime(old) {}
  }
}
