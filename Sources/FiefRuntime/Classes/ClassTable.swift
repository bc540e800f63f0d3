import Synchronization

/// A value for each class, read without a lock and kept for the life of the process.
///
/// An open-addressed table whose entries are written once: value first, then key with release order, so that a reader
/// that sees the key sees the value. When it is three quarters full a larger one replaces it; the old one is never
/// freed, since readers may still be in it (tables double, so all old ones together are smaller than the current one).
@usableFromInline
package final class ClassTable<Value: AnyObject & Sendable>: Sendable {
  /// The current table, as an address.
  @usableFromInline let current = unsafe Atomic<UInt>(UInt(bitPattern: Slots.make(capacity: 1024)))
  /// The number of classes. The holder of the lock may add one.
  private let count = Mutex(0)

  /// An empty table.
  package init() {}

  /// The value of a class, without a reference counted; nil before the first `insert`.
  ///
  /// - Complexity: O(1), some two nanoseconds.
  @inlinable
  @inline(__always)
  package func find(_ type: AnyClass) -> Borrowed<Value>? {
    let slots = unsafe UnsafeMutablePointer<Slots>(bitPattern: current.load(ordering: .acquiring)).unsafelyUnwrapped
    return unsafe slots.pointee.find(unsafeBitCast(type, to: UInt.self))
  }

  /// Stores the value of a class, unless it has one.
  ///
  /// - Returns: the value that the class has now.
  package func insert(_ value: Value, for type: AnyClass) -> Borrowed<Value> {
    let key = unsafe unsafeBitCast(type, to: UInt.self)
    return count.withLock { count in
      let address = current.load(ordering: .relaxed)
      var slots = unsafe UnsafeMutablePointer<Slots>(bitPattern: address).unsafelyUnwrapped
      if let known = unsafe slots.pointee.find(key) { return known }
      if unsafe count * 4 >= slots.pointee.capacity * 3 {
        let larger = unsafe Slots.make(capacity: slots.pointee.capacity * 2)
        unsafe slots.pointee.forEach { unsafe larger.pointee.put($0, $1) }
        unsafe slots = larger
      }
      // The table retains its values for ever.
      _ = unsafe Unmanaged.passRetained(value)
      let entry = unsafe Borrowed(value)
      unsafe slots.pointee.put(key, entry)
      count += 1
      current.store(UInt(bitPattern: slots), ordering: .releasing)
      return entry
    }
  }

  /// One table. Its own properties never change, so inserting an entry is no write to what a reader accesses but for
  /// the atomic keys, and values that no reader sees yet.
  @safe  // Every index is masked by the capacity, and the memory is never freed.
  @usableFromInline
  struct Slots: ~Copyable {
    @usableFromInline let capacity: Int
    @usableFromInline let keys: UnsafeMutablePointer<Atomic<UInt>>
    @usableFromInline let values: UnsafeMutablePointer<Borrowed<Value>?>

    static func make(capacity: Int) -> UnsafeMutablePointer<Slots> {
      let slots = UnsafeMutablePointer<Slots>.allocate(capacity: 1)
      unsafe slots.initialize(to: Slots(capacity: capacity))
      return unsafe slots
    }

    private init(capacity: Int) {
      self.capacity = capacity
      unsafe keys = .allocate(capacity: capacity)
      unsafe values = .allocate(capacity: capacity)
      for index in 0..<capacity {
        unsafe (keys + index).initialize(to: Atomic(0))
        unsafe (values + index).initialize(to: nil)
      }
    }

    @inlinable
    @inline(__always)
    func home(_ key: UInt) -> Int {
      // In 64 bits, whatever the width of an address is.
      Int(truncatingIfNeeded: (UInt64(key >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 40) & (capacity - 1)
    }

    @inlinable
    @inline(__always)
    func find(_ key: UInt) -> Borrowed<Value>? {
      var index = home(key)
      while true {
        let found = unsafe keys[index].load(ordering: .acquiring)
        if found == key { return unsafe values[index] }
        if found == 0 { return nil }
        index = (index + 1) & (capacity - 1)
      }
    }

    /// Inserts a class that is not there. One thread at a time.
    func put(_ key: UInt, _ value: Borrowed<Value>) {
      var index = home(key)
      while unsafe keys[index].load(ordering: .relaxed) != 0 { index = (index + 1) & (capacity - 1) }
      unsafe values[index] = value
      unsafe keys[index].store(key, ordering: .releasing)
    }

    func forEach(_ body: (UInt, Borrowed<Value>) -> Void) {
      for index in 0..<capacity {
        let key = unsafe keys[index].load(ordering: .relaxed)
        if key != 0, let value = unsafe values[index] { body(key, value) }
      }
    }
  }
}
