extension ObjectId {
  /// Makes the identifier of 24 hexadecimal digits, of either case.
  ///
  ///     let id = try ObjectId(string: "507f1f77bcf86cd799439011")
  ///
  /// - Parameter string: the digits, without spaces.
  /// - Throws: `ValueError.invalidObjectId` with the string, if it has another form.
  public init(string: String) throws {
    guard let id = ObjectId(hexadecimal: string.utf8) else { throw ValueError.invalidObjectId(string) }
    self = id
  }

  /// Makes the identifier of a literal of 24 hexadecimal digits.
  ///
  ///     let id = ObjectId("507f1f77bcf86cd799439011")
  ///
  /// Traps for any other literal, because that is an error in the program. `init(string:)` throws instead.
  public init(_ string: StaticString) {
    // A literal of one scalar may be stored as that scalar, without bytes in memory. Its description has them.
    guard let id = ObjectId(hexadecimal: string.description.utf8) else {
      fatalError(ValueError.invalidObjectId(string.description).description)
    }
    self = id
  }

  private init?(hexadecimal text: String.UTF8View) {
    var words: (high: UInt64, low: UInt32) = (0, 0)
    var count = 0
    for byte in text {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      count += 1
      if count > 24 { return nil }
      words.high = words.high << 4 | UInt64(words.low >> 28)
      words.low = words.low << 4 | UInt32(digit)
    }
    guard count == 24 else { return nil }
    self.init(words: UInt32(truncatingIfNeeded: words.high >> 32), UInt32(truncatingIfNeeded: words.high), words.low)
  }

  /// The twelve bytes as 24 lower-case hexadecimal digits.
  ///
  ///     print(ObjectId("507F1F77BCF86CD799439011").stringValue)          // 507f1f77bcf86cd799439011
  public var stringValue: String {
    var digits = [UInt8](repeating: 0, count: 24)
    for index in digits.indices {
      let word = index < 8 ? word0 : index < 16 ? word1 : word2
      let digit = UInt8(truncatingIfNeeded: word >> (28 - UInt32(index & 7) * 4)) & 15
      digits[index] = digit < 10 ? digit + 0x30 : digit + 0x57
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension ObjectId: CustomStringConvertible {
  /// The identifier as a string; see `stringValue`.
  public var description: String { stringValue }
}

extension ObjectId: Codable {
  /// Writes `stringValue` as a single string.
  ///
  ///     let json = try JSONEncoder().encode([ObjectId.generate()])          // an array of one string
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }

  /// Reads a single string of 24 hexadecimal digits.
  ///
  ///     let ids = try JSONDecoder().decode([ObjectId].self, from: Data(#"["507f1f77bcf86cd799439011"]"#.utf8))
  ///
  /// - Throws: `DecodingError.dataCorrupted` for any other string, and the decoder's error for anything but a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ObjectId(hexadecimal: text.utf8) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: ValueError.invalidObjectId(text).description)
    }
    self = id
  }
}
