/// The first 24 bytes of a file, and the top node that they select; `FORMAT.md` describes them.
struct FileHeader {
  /// The format versions that are read.
  static let formats = 10...24
  static let byteCount = 24
  private static let footerByteCount = 16
  private static let footerMark: UInt64 = 0x3034_1252_37E5_26C8
  static let encryptedPage = 4096

  /// The version of the format.
  let format: Int
  /// The ref of the top node; 0 for a file without tables.
  let top: UInt64
  /// Whether the file has the streaming form.
  let isStreaming: Bool
  /// The end of the nodes.
  let end: Int

  init(_ bytes: ContiguousArray<UInt8>) throws(RealmFileError) {
    guard bytes.count >= Self.byteCount, bytes[16..<20].elementsEqual("T-DB".utf8) else {
      throw Self.refusal(of: bytes)
    }
    func number(at offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
    }
    let slot = Int(bytes[23] & 1)
    format = Int(bytes[20 + slot])
    var top = number(at: 8 * slot)
    isStreaming = slot == 0 && top == .max
    if isStreaming {
      guard bytes.count >= Self.byteCount + Self.footerByteCount, number(at: bytes.count - 8) == Self.footerMark else {
        throw RealmFileError(
          .damaged,
          "The file is damaged at byte \(max(bytes.count - 8, 0)): it was written in one go, and has no footer. It was "
            + "probably cut short.", offset: max(bytes.count - 8, 0))
      }
      top = number(at: bytes.count - Self.footerByteCount)
      end = bytes.count - Self.footerByteCount
    } else {
      end = bytes.count
    }
    self.top = top
    if format == 0 && top == 0 { return }
    if let refusal = Self.refusal(ofFormat: format) { throw refusal }
  }

  /// The error for a file of a version of the format that is not read; nil for the others.
  static func refusal(ofFormat format: Int) -> RealmFileError? {
    let advice: String
    switch format {
    case formats: return nil
    case ..<5:
      advice =
        "Open a copy of it once with a program that uses Realm Swift 4, and then once with one that uses Realm Swift "
        + "10.8 to 10.46: they bring it to newer formats. Then import the copy."
    case ..<formats.lowerBound:
      advice =
        "Open a copy of it once with a program that uses Realm Swift 10.8 to 10.46 (later ones do not read it): that "
        + "brings it to a newer format. Then import the copy."
    default: advice = "Import it with a newer version of this library."
    }
    return RealmFileError(
      .format,
      "The file has version \(format) of Realm's file format, and versions \(formats.lowerBound) to "
        + "\(formats.upperBound) can be imported. \(advice)", offset: 20)
  }

  private static func refusal(of bytes: ContiguousArray<UInt8>) -> RealmFileError {
    if isNoise(bytes.prefix(2 * encryptedPage), size: bytes.count) {
      return RealmFileError(
        .encrypted,
        "The file looks like an encrypted file of Realm. Encrypted files cannot be imported: write an unencrypted copy "
          + "with the original library (writeCopy without a key), and import the copy.", offset: 0)
    }
    return RealmFileError(.notRealm, "The file is not a file of Realm: bytes 16 to 19 are not 'T-DB'.", offset: 16)
  }

  /// Whether a file of `size` bytes that begins with these could be an encrypted one: whole pages, of which the second
  /// is noise.
  ///
  /// 4,096 random bytes miss any given one of the 256 values with a probability of e^-16, and no value comes 60 times.
  /// The second page of a file is the first that is ciphertext.
  static func isNoise(_ first: some RandomAccessCollection<UInt8>, size: Int) -> Bool {
    guard first.count >= 2 * encryptedPage, size.isMultiple(of: encryptedPage) else { return false }
    var counts = [Int](repeating: 0, count: 256)
    for byte in first.dropFirst(encryptedPage).prefix(encryptedPage) { counts[Int(byte)] += 1 }
    return counts.allSatisfy { 0 < $0 && $0 < 60 }
  }
}
