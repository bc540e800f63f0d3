/// An array of strings that retains none of them as long as all are small.
///
///     .small   ┌───────┬───────┬──┄     the two words of each string (`SmallString`)
///              └───────┴───────┴──┄     copied and released as bytes, without a look at an element
///
///     .any     ┌───────┬───────┬──┄     strings
///              └───────┴───────┴──┄     each is retained and released for itself
///
/// An array of strings asks each element whether it has to be retained or released, which reads all of them. For a
/// table of short strings that is most of the cost of letting its memory go.
///
/// The first string that is not small changes the form, and the array keeps the new one. Where `SmallString` is not
/// available, the form is `.any` from the start. Elements of both forms lie in memory as strings do.
@frozen
public enum CompactStrings: Sendable {
  /// Small strings alone.
  case small(ContiguousArray<SmallString>)
  /// Strings of any form.
  case any(ContiguousArray<String>)
}

extension CompactStrings {
  /// No strings.
  package init() { self = SmallString.isAvailable ? .small([]) : .any([]) }

  /// The strings, as words if all of them are short. Linear.
  package init(_ strings: ContiguousArray<String>) {
    guard SmallString.isAvailable else {
      self = .any(strings)
      return
    }
    var words = ContiguousArray<SmallString>()
    words.reserveCapacity(strings.count)
    for string in strings {
      guard let small = SmallString(short: string) else {
        self = .any(strings)
        return
      }
      words.append(small)
    }
    self = .small(words)
  }

  /// The number of strings.
  @inlinable
  package var count: Int {
    switch self {
    case .small(let words): words.count
    case .any(let strings): strings.count
    }
  }

  /// The string at a position below `count`.
  @inlinable
  package subscript(index: Int) -> String {
    switch self {
    case .small(let words): words[index].string
    case .any(let strings): strings[index]
    }
  }

  /// Replaces the string at a position below `count`, in place if the array is not shared.
  @inlinable
  package mutating func set(_ string: String, at index: Int) {
    switch consume self {
    case .small(var words):
      guard let small = SmallString(short: string) else {
        self = .any(Self.strings(of: words))
        set(string, at: index)
        return
      }
      words[index] = small
      self = .small(words)
    case .any(var strings):
      strings[index] = string
      self = .any(strings)
    }
  }

  /// The strings. Copies them unless their form is `.any`.
  package var strings: ContiguousArray<String> {
    switch self {
    case .small(let words): Self.strings(of: words)
    case .any(let strings): strings
    }
  }

  @usableFromInline
  static func strings(of words: ContiguousArray<SmallString>) -> ContiguousArray<String> {
    var strings = ContiguousArray<String>()
    strings.reserveCapacity(words.capacity)
    for small in words { strings.append(small.string) }
    return strings
  }

  /// Whether both are one buffer in memory, or both are empty and of one form. Constant time.
  package func isSameStorage(as other: CompactStrings) -> Bool {
    switch (self, other) {
    case (.small(let a), .small(let b)): a.isSameStorage(as: b)
    case (.any(let a), .any(let b)): a.isSameStorage(as: b)
    default: false
    }
  }

  /// Whether each element is a string of the form: an invariant.
  package var isValid: Bool {
    guard case .small(let words) = self else { return true }
    return words.allSatisfy { $0.second & SmallString.flag != 0 }
  }

  /// Calls `body` with the strings where they lie.
  ///
  /// Unsafe: small strings are read as strings, which is right because their words are those of a string that retains
  /// nothing (`SmallString`). The buffer is for reading alone, so no other string comes to lie there.
  @inlinable
  @inline(__always)
  package func withUnsafeBufferPointer<Result>(_ body: (UnsafeBufferPointer<String>) -> Result) -> Result {
    switch self {
    case .small(let words):
      unsafe words.withUnsafeBytes { unsafe body($0.assumingMemoryBound(to: String.self)) }
    case .any(let strings): unsafe strings.withUnsafeBufferPointer { unsafe body($0) }
    }
  }
}
