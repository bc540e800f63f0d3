/// A node: its header, whose bytes were checked to lie in the file.
struct Node {
  static let headerByteCount = 8

  /// How the elements are stored.
  enum Scheme {
    /// Integers of `width` bits.
    case bits
    /// Elements of `width` bytes.
    case multiple
    /// Bytes.
    case bytes
  }

  /// The place of the header.
  let offset: Int
  // The flags and the count together, as a file has very many nodes, and some are kept.
  private let header: UInt32

  init(offset: Int, flags: UInt8, count: Int) {
    self.offset = offset
    header = UInt32(flags) << 24 | UInt32(count)
  }

  /// The bits that say what the node is and how its elements are stored.
  var flags: UInt8 { UInt8(header >> 24) }
  /// How many elements it has; less than 2^24.
  var count: Int { Int(header & 0xFF_FFFF) }

  /// The place of the first element.
  var start: Int { offset + Self.headerByteCount }
  /// Whether it is an inner node of a tree.
  var isInner: Bool { flags & 0x80 != 0 }
  /// Whether its elements are refs and tagged numbers.
  var hasRefs: Bool { flags & 0x40 != 0 }
  /// The flag whose meaning depends on the node.
  var isFlagged: Bool { flags & 0x20 != 0 }
  /// The width of an element, in bits or bytes.
  var width: Int { (1 << Int(flags & 7)) >> 1 }

  /// How the elements are stored; nil for a scheme that does not exist.
  var scheme: Scheme? {
    switch flags >> 3 & 3 {
    case 0: .bits
    case 1: .multiple
    case 2: .bytes
    default: nil
    }
  }

  /// How many bytes the elements take; nil for a scheme that does not exist.
  var byteCount: Int? {
    switch scheme {
    case .bits: (count * width + 7) >> 3
    case .multiple: count * width
    case .bytes: count
    case nil: nil
    }
  }
}
