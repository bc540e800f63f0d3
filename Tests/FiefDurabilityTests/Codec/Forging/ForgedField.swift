/// One field of a piece, with a name and a form of its own in FORMAT.md.
struct ForgedField: Equatable {
  enum Form: Equatable {
    case varint, signed, fixed(Int)
    /// Raw bytes, or bytes after the varint of their number.
    case bytes, text
  }

  /// The meaning of a field: a field may get the number of another one with the same meaning.
  enum Role: CaseIterable {
    case table, column, row, nextKey, chunk, count, length, kind, form, flag, bitmap, bits, number, name, text
  }

  let form: Form
  let role: Role
  var number: UInt64 = 0
  var bytes: [UInt8] = []
  /// Whether it is one byte longer than necessary.
  var isLong = false

  var encoded: [UInt8] {
    switch form {
    case .varint: return Self.varint(number, isLong: isLong)
    case .signed: return Self.varint(number << 1 ^ (number >> 63 == 1 ? .max : 0), isLong: isLong)
    case .fixed(let width): return (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    case .bytes: return bytes
    case .text: return Self.varint(UInt64(bytes.count), isLong: isLong) + bytes
    }
  }

  private static func varint(_ number: UInt64, isLong: Bool) -> [UInt8] {
    var bytes = HostileTests.varint(number)
    if isLong {
      bytes[bytes.count - 1] |= 0x80
      bytes.append(0)
    }
    return bytes
  }
}

/// One piece, as its fields.
struct ForgedPiece: Equatable {
  var kind: UInt8
  var fields: [ForgedField]
  /// The surplus of the length in its header.
  var lie = 0

  var encoded: [UInt8] {
    let contents = fields.flatMap(\.encoded)
    let header = UInt64(truncatingIfNeeded: contents.count + lie) << 8 | UInt64(kind)
    return (0..<8).map { UInt8(truncatingIfNeeded: header >> UInt64(8 * $0)) } + contents
  }
}
