/// Finds bytes in a buffer.
///
/// Needles of more than eight bytes are searched with the failure table of Knuth, Morris and Pratt (1977), in linear
/// time. So a search for a thousand equal letters in a million does not take time in the product of both lengths.
struct ByteSearch: Sendable {
  let needle: [UInt8]
  /// For each length of a matched prefix, the length of the longest shorter prefix that is also its suffix. Empty for
  /// short needles.
  private let failure: [Int]

  init(_ needle: [UInt8]) {
    self.needle = needle
    guard needle.count > 8 else {
      failure = []
      return
    }
    var failure = [Int](repeating: 0, count: needle.count)
    var length = 0
    for index in 1..<needle.count {
      while length > 0 && needle[index] != needle[length] { length = failure[length - 1] }
      if needle[index] == needle[length] { length += 1 }
      failure[index] = length
    }
    self.failure = failure
    assert(failure[0] == 0, "One byte has no shorter prefix that is its suffix.")
  }

  /// Whether the needle, which is not empty, occurs in `bytes`.
  func occurs(in bytes: [UInt8]) -> Bool { unsafe bytes.withUnsafeBufferPointer { unsafe occurs(in: $0) } }

  /// Whether the needle, which is not empty, occurs in `text` with an end that `isFit` accepts.
  @inline(__always)
  func occurs(in text: UnsafeBufferPointer<UInt8>, whereEnd isFit: (Int) -> Bool = { _ in true }) -> Bool {
    assert(!needle.isEmpty, "An empty needle occurs nowhere.")
    return unsafe needle.withUnsafeBufferPointer { needle in
      guard text.count >= needle.count else { return false }
      if failure.isEmpty {
        let first = unsafe needle[0]
        let last = text.count &- needle.count
        var index = 0
        while index <= last {
          if unsafe text[index] == first {
            var offset = 1
            while unsafe offset < needle.count && text[index &+ offset] == needle[offset] { offset &+= 1 }
            if offset == needle.count && isFit(index &+ offset) { return true }
          }
          index &+= 1
        }
        return false
      }
      var length = 0
      for index in text.indices {
        let byte = unsafe text[index]
        while unsafe length > 0 && (length == needle.count || byte != needle[length]) { length = failure[length &- 1] }
        if unsafe byte == needle[length] { length &+= 1 }
        if length == needle.count && isFit(index &+ 1) { return true }
      }
      return false
    }
  }
}
