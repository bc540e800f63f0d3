/// The value inside an `Any`, when it is exactly of one type: `as?` without the ten conversions that `as?` tries.
///
///     Any    three words for the value, or for the address of a larger one │ its type
///
/// Why this is right: an `Any` has room for three words and the type behind them, and a value of at most three words
/// that can be moved by copying its bits lies in those words. Callers ask for such types only: numbers, booleans,
/// strings, arrays and dictionaries; their size and alignment are checked (the compiler folds both checks). A probe
/// tries it once on an integer, a string, an object and a struct that is too large.
@usableFromInline
package enum Existential {
  /// The value, when it is exactly of a type; nil for a value of another type, and when `isAvailable` is false: callers
  /// then take the way of all other values.
  @inlinable
  @inline(__always)
  package static func value<Wanted>(_ value: Any, as wanted: Wanted.Type) -> Wanted? {
    guard MemoryLayout<Wanted>.size <= 3 * MemoryLayout<UInt>.size,
      MemoryLayout<Wanted>.alignment <= MemoryLayout<UInt>.alignment, isAvailable
    else { return nil }
    return unsafe withUnsafePointer(to: value) { (value: UnsafePointer<Any>) in
      let words = unsafe UnsafeRawPointer(value)
      // The type in the fourth word is the value's own: only that of an object may be another.
      let type = unsafe words.load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt.self)
      guard type == identity(of: wanted) else { return nil }
      return unsafe words.assumingMemoryBound(to: wanted).pointee
    }
  }

  /// A number that is equal for all values of a type, and differs between types.
  @inlinable
  @inline(__always)
  static func identity(of type: Any.Type) -> UInt { unsafe unsafeBitCast(type, to: UInt.self) }

  /// Whether an `Any` is laid out as drawn. Only bytes of an `Any` of the right size are read to find out.
  @usableFromInline package static let isAvailable: Bool = {
    guard !RuntimeFeature.existentials.isSwitchedOff, MemoryLayout<Any>.size == 4 * MemoryLayout<UInt>.size,
      MemoryLayout<Any.Type>.size == MemoryLayout<UInt>.size
    else { return false }
    func words(_ value: Any) -> [UInt] {
      // The type keeps the language from opening the existential, which would give the value inside.
      unsafe withUnsafePointer(to: value) { (value: UnsafePointer<Any>) in
        (0..<4).map { unsafe UnsafeRawPointer(value).load(fromByteOffset: $0 * MemoryLayout<UInt>.size, as: UInt.self) }
      }
    }
    final class Reference {}
    struct Large { var (a, b, c, d) = (1, 2, 3, 4) }
    let reference = Reference()
    let string = String(decoding: Array("a string".utf8), as: UTF8.self)
    let stringWords = unsafe withUnsafeBytes(of: string) { unsafe $0.load(as: (UInt, UInt).self) }
    return withExtendedLifetime(reference) {
      unsafe words(0x1234_5678)[0] == 0x1234_5678 && words(1)[3] == identity(of: Int.self)
        && words(string)[0] == stringWords.0 && words(string)[1] == stringWords.1
        && words(string)[3] == identity(of: String.self)
        && words(reference)[0] == UInt(bitPattern: Unmanaged.passUnretained(reference).toOpaque())
        && words(reference)[3] == identity(of: Reference.self)
        && words(Large())[3] == identity(of: Large.self) && words(Large())[0] != 1
    }
  }()
}
