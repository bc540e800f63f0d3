import Foundation

/// Encrypts the contents of one file, part by part. Plain files have none.
///
///     block of a snapshot     ┌─ checksum, length ─┬─ contents ─┐
///     record of a journal     ├─ header, checksum ─┼─ payload ──┼─ chain ─┐
///                                                        │
///     encrypted               seal( length of contents │ contents │ zeros,  header of the file │ place )
///
/// It stands below the codec: checksums, chains, lengths and numbers are those of the encrypted bytes. So crashes and
/// damage are judged without a key and in the same way as in plain files.
struct ContentCipher: Sendable {
  /// The position of a part, to which it is bound together with the header of its file.
  enum Place {
    /// A block of a snapshot, and whether it is the last one.
    case block(UInt64, isLast: Bool)
    /// A record of a journal or a history, and the chain before it.
    case record(kind: UInt32, number: UInt64, stamp: UInt64, chain: UInt32)
  }

  /// The bytes before the contents of a part: their length.
  static let prefixSize = 8
  /// Lengths are multiples of this at least.
  private static let grain = 256

  /// The number of bytes that encryption adds.
  let overhead: Int
  private let cipher: any FileCipher
  /// The 64 bytes of the file's header.
  private let header: [UInt8]

  init(_ key: FileKey, header: [UInt8]) {
    overhead = key.mark.overhead
    cipher = key.cipher
    self.header = header
  }

  /// The cipher for a file that is read; nil for a plain file and no key.
  ///
  /// - Parameters:
  ///   - mark: The mark of the key in the file.
  ///   - header: Its 64 bytes.
  /// - Throws: `CodecError.Code.wrongKey` if the key is not that of the file.
  static func reading(
    _ mark: KeyMark?, _ key: FileKey?, _ subject: CodecError.Subject, header: () -> [UInt8]
  ) throws(CodecError) -> ContentCipher? {
    func wrong(_ reason: String) -> CodecError { CodecError(in: subject, .wrongKey, at: 0, reason) }
    switch (mark, key) {
    case (nil, nil): return nil
    case (nil, .some): throw wrong("it is not encrypted, and is opened with a key")
    case (let mark?, nil): throw wrong("it is encrypted with \(mark.phrase), and is opened without a key")
    case (let mark?, let key?):
      guard mark == .notRepeated || mark.identifier == key.mark.identifier else {
        throw wrong("it is encrypted with \(mark.phrase), and is opened with \(key.mark.phrase)")
      }
      guard mark == .notRepeated || mark.overhead == key.mark.overhead else {
        throw wrong(
          "its cipher adds \(mark.overhead) bytes to each part, and it is opened with one that adds "
            + "\(key.mark.overhead)")
      }
      return ContentCipher(key, header: header())
    }
  }

  /// The length to which a part is filled up with zeros, so that it does not show the length of a string: a multiple of
  /// 256, and of an eighth of the highest power of two in `length`.
  static func padded(_ length: Int) -> Int {
    let step = max(grain, length < 8 ? 0 : (1 << (Int.bitWidth - 1 - length.leadingZeroBitCount)) >> 3)
    return (length + step - 1) & ~(step - 1)
  }

  /// Encrypts a part in a writer, from `start` to the end.
  ///
  /// - Parameters:
  ///   - start: The place of the length of the contents, which is written here. The contents are behind it.
  ///   - limit: The most bytes that the part may have before encryption.
  /// - Throws: a `FileFailure` if the cipher throws, or returns another number of bytes than it says.
  func seal(
    _ writer: ByteWriter, from start: Int, at place: Place, limit: Int = .max
  ) throws(FileFailure) {
    let length = writer.count - start
    writer.patch(UInt64(length - Self.prefixSize), at: start)
    let padded = min(Self.padded(length), limit)
    writer.zeros(padded - length)
    let plain = unsafe Data(UnsafeRawBufferPointer(rebasing: writer.bytes[start...]))
    let sealed: Data
    do { sealed = try cipher.seal(plain, authenticating: data(place)) } catch {
      throw FileFailure(encrypting: "the cipher failed: \(error)")
    }
    guard sealed.count == padded + overhead else {
      throw FileFailure(
        encrypting: "the cipher returned \(sealed.count) bytes for \(padded), and says that it adds \(overhead)")
    }
    writer.truncate(to: start)
    unsafe sealed.withUnsafeBytes { unsafe writer.append($0) }
  }

  /// Decrypts a part.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that the part may have before encryption.
  ///   - subject: The kind of the file.
  ///   - offset: The place of the part in the file.
  /// - Returns: its contents, in memory of their own.
  func open(
    _ bytes: UnsafeRawBufferPointer, at place: Place, limit: Int = .max, _ subject: CodecError.Subject,
    offset: UInt64
  ) throws(CodecError) -> ByteWriter {
    func wrong(_ reason: String) -> CodecError { CodecError(in: subject, .malformed, at: offset, reason) }
    let opened: Data
    do { opened = try cipher.open(unsafe Data(bytes), authenticating: data(place)) } catch {
      throw wrong(
        "a part is not as it was encrypted at this place, or its key only has the same identifier (\(error))")
    }
    guard opened.count >= Self.prefixSize, opened.count == bytes.count - overhead else {
      throw wrong("the cipher returned \(opened.count) bytes for a part of \(bytes.count)")
    }
    let result = ByteWriter(capacity: opened.count)
    let isCanonical = unsafe opened.withUnsafeBytes { raw in
      let length = unsafe UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
      guard length <= UInt64(raw.count - Self.prefixSize) else { return false }
      let end = Self.prefixSize + Int(length)
      unsafe result.append(UnsafeRawBufferPointer(rebasing: raw[Self.prefixSize..<end]))
      return unsafe raw.count == min(Self.padded(end), limit) && raw[end...].allSatisfy { $0 == 0 }
    }
    guard isCanonical else { throw wrong("a part does not have the length that it was encrypted with") }
    return result
  }

  /// Calls `body` with decrypted contents, or with the bytes of a plain file.
  static func withContents<Result>(
    _ contents: [UInt8]?, or bytes: Slice<UnsafeRawBufferPointer>,
    _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    guard let contents else { return try unsafe body(UnsafeRawBufferPointer(rebasing: bytes)) }
    return try unsafe contents.withUnsafeBytes { contents in
      Swift.Result { () throws(CodecError) in try unsafe body(contents) }
    }.get()
  }

  /// The bytes that a part is bound to.
  private func data(_ place: Place) -> Data {
    let writer = ByteWriter(capacity: header.count + 32)
    unsafe header.withUnsafeBytes { unsafe writer.append($0) }
    switch place {
    case .block(let index, let isLast):
      writer.append(UInt8(ascii: "B"))
      writer.fixed(index)
      writer.append(isLast ? 1 : 0)
    case .record(let kind, let number, let stamp, let chain):
      writer.append(UInt8(ascii: "R"))
      writer.fixed(kind)
      writer.fixed(number)
      writer.fixed(stamp)
      writer.fixed(chain)
    }
    return unsafe Data(writer.bytes)
  }
}

extension FileFailure {
  /// A failure of the cipher. Nothing was written.
  init(encrypting detail: String) {
    self.init(.encrypt, at: "", 0)
    self.detail = detail
  }
}
