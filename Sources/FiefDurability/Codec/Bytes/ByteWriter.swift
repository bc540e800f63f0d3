import FiefRuntime

// Unsafe code, and why it is right: `memory` is this object's own, of `capacity` bytes, the first `count` of them
// written. Each way to write goes through `room`, which makes sure of the capacity first; nothing that is lent out is
// kept across a call that could move it.

/// A buffer of bytes that grows at the end.
///
/// A class, so that functions can append to a shared writer without a copy. An array of bytes would check its
/// uniqueness and its bounds for each byte.
@safe  // Every write is preceded by a check of the capacity; what it lends is marked at its users.
final class ByteWriter {
  // Exclusivity is not checked at run time on these: one thread uses a writer, and no access spans calls to other code.
  @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer
  @safe @exclusivity(unchecked) private var capacity: Int
  /// The number of bytes.
  @safe @exclusivity(unchecked) private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    unsafe memory = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  /// The bytes; valid until the next change.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: count) }

  /// The bytes, for changes in place; valid until the next change.
  var mutableBytes: UnsafeMutableRawBufferPointer { unsafe UnsafeMutableRawBufferPointer(start: memory, count: count) }

  /// Removes all bytes, and keeps the capacity.
  func removeAll() { count = 0 }

  /// Removes the bytes behind the first `count`; traps if there are fewer.
  func truncate(to count: Int) {
    guard count >= 0 && count <= self.count else { fatalError("Bytes are removed that were not written.") }
    self.count = count
  }

  /// Appends zeros.
  func zeros(_ count: Int) {
    guard count > 0 else { return }
    unsafe room(count).initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  /// Memory for `more` bytes behind the last, which count as written from now on.
  @inline(__always)
  private func room(_ more: Int) -> UnsafeMutableRawPointer {
    if capacity &- count < more { grow(more) }
    let address = unsafe memory + count
    count &+= more
    return unsafe address
  }

  /// Memory for `more` bytes behind the last, which do not count as written; valid until the next change.
  func reserve(_ more: Int) -> UnsafeMutableRawBufferPointer {
    if capacity - count < more { grow(more) }
    return unsafe UnsafeMutableRawBufferPointer(start: memory + count, count: more)
  }

  /// Counts bytes as written that were stored in reserved memory.
  func commit(_ more: Int) {
    assert(more >= 0 && more <= capacity - count, "Only reserved bytes are counted as written.")
    count += more
  }

  @inline(never)
  private func grow(_ more: Int) {
    let wanted = max(count + more, capacity * 2)
    let wider = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
    unsafe wider.copyMemory(from: memory, byteCount: count)
    unsafe memory.deallocate()
    unsafe memory = wider
    capacity = wanted
  }

  /// Appends bytes.
  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    unsafe room(bytes.count).copyMemory(from: base, byteCount: bytes.count)
  }

  /// Appends one byte.
  @inline(__always)
  func append(_ byte: UInt8) { unsafe room(1).storeBytes(of: byte, as: UInt8.self) }

  /// Appends a little-endian number of its type's width.
  @inline(__always)
  func fixed<Number: FixedWidthInteger>(_ number: Number) {
    unsafe room(MemoryLayout<Number>.size).storeBytes(of: number.littleEndian, as: Number.self)
  }

  /// Appends a number in groups of seven bits; see `ByteReader.varint`.
  @inline(__always)
  func varint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a count.
  func varint(_ count: Int) { varint(UInt64(count)) }

  /// Appends a signed number: 0, -1, 1, -2, … are written as 0, 1, 2, 3, …
  @inline(__always)
  func signedVarint(_ number: Int64) { varint(UInt64(bitPattern: number &<< 1 ^ number &>> 63)) }

  /// Appends UTF-8 after the number of its bytes.
  func string(_ string: String) {
    varint(string.utf8.count)
    utf8(string)
  }

  /// Appends the UTF-8 of a string, without its length.
  @inline(__always)
  func utf8(_ string: String) {
    let isDone: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe append(UnsafeRawBufferPointer($0))
    }
    if isDone == nil { for byte in string.utf8 { append(byte) } }
  }

  /// Appends the width 1 and the lengths of strings, a byte each, if all of them are below 256; otherwise appends
  /// nothing.
  ///
  /// - Returns: their sum, or nil if one is longer.
  func shortLengths(_ strings: UnsafeBufferPointer<String>) -> Int? {
    guard var address = unsafe reserve(1 + strings.count).baseAddress else { return nil }
    unsafe address.storeBytes(of: 1, as: UInt8.self)
    let isAvailable = SmallString.isAvailable
    var (all, total) = (0, 0)
    for index in strings.indices {
      let length = unsafe SmallString(strings[index], isAvailable: isAvailable)?.count ?? strings[index].utf8.count
      all |= length
      total += length
      unsafe address += 1
      unsafe address.storeBytes(of: UInt8(truncatingIfNeeded: length), as: UInt8.self)
    }
    guard all <= UInt8.max else { return nil }
    commit(1 + strings.count)
    return total
  }

  /// Appends the UTF-8 of strings, one after the other. Traps unless they have `total` bytes together.
  func utf8(_ strings: UnsafeBufferPointer<String>, total: Int) {
    // Small strings are copied as sixteen bytes. The next string overwrites the bytes behind the string's length.
    guard var address = unsafe reserve(total + 16).baseAddress else { return }
    let end = unsafe address + total
    func checkRoom(_ count: Int) {
      if unsafe count > end - address { fatalError("Strings have more bytes than they had a moment ago.") }
    }
    let isAvailable = SmallString.isAvailable
    for index in strings.indices {
      if let small = unsafe SmallString(strings[index], isAvailable: isAvailable) {
        checkRoom(small.count)
        unsafe address.storeBytes(of: small.first, as: UInt64.self)
        unsafe address.storeBytes(of: small.second, toByteOffset: 8, as: UInt64.self)
        unsafe address += small.count
        continue
      }
      let isDone: Void? = unsafe strings[index].utf8.withContiguousStorageIfAvailable { bytes in
        checkRoom(bytes.count)
        if let base = bytes.baseAddress { unsafe address.copyMemory(from: base, byteCount: bytes.count) }
        unsafe address += bytes.count
      }
      if isDone == nil {
        for byte in unsafe strings[index].utf8 {
          checkRoom(1)
          unsafe address.storeBytes(of: byte, as: UInt8.self)
          unsafe address += 1
        }
      }
    }
    guard unsafe address == end else { fatalError("Strings have fewer bytes than they had a moment ago.") }
    commit(total)
  }

  /// Appends little-endian numbers of their type's width.
  @inline(__always)
  func run<Number: FixedWidthInteger>(_ numbers: UnsafeBufferPointer<Number>) {
    #if _endian(little)
      unsafe append(UnsafeRawBufferPointer(numbers))
    #else
      for number in numbers { fixed(number) }
    #endif
  }

  /// Overwrites bytes that were written with a number; traps if they were not written.
  func patch<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    guard offset >= 0 && offset <= count - MemoryLayout<Number>.size else {
      fatalError("A number is put in the place of bytes that were not written.")
    }
    unsafe (memory + offset).storeBytes(of: number.littleEndian, as: Number.self)
  }
}
