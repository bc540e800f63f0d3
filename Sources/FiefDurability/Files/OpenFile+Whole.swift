import Foundation

// Reading and writing all requested bytes, over calls that may handle fewer. A failure in the middle leaves the
// beginning written; the caller records the length of the valid part and cuts the file off there.
//
// Unsafe code, and why it is right: an array is filled in place up to `range.count` bytes. `read` never fills more than
// the buffer that it gets, which ends there, and only the bytes that it reports are counted.

extension OpenFile {
  /// Writes all of `bytes` at `offset`.
  func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int, path: String) throws(FileFailure) {
    var done = 0
    while done < bytes.count {
      let taken = try unsafe write(UnsafeRawBufferPointer(rebasing: bytes[done...]), at: offset + done)
      // A system that takes no bytes and reports no error would make this loop endless.
      guard taken > 0 else { throw FileFailure(.write, at: path, EIO) }
      done += taken
    }
  }

  /// Writes all of `bytes` at `offset`.
  package func writeAll(_ bytes: [UInt8], at offset: Int, path: String) throws(FileFailure) {
    let result = unsafe bytes.withUnsafeBytes { buffer in
      Result { () throws(FileFailure) in try unsafe writeAll(buffer, at: offset, path: path) }
    }
    try result.get()
  }

  /// Returns the bytes of `range`, or as many of them as the file has.
  package func readAll(_ range: Range<Int>) throws(FileFailure) -> [UInt8] {
    // All threads share the storage of an array without capacity, and filling it would write its count.
    if range.isEmpty { return [] }
    var failure: FileFailure?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      do throws(FileFailure) {
        count = try unsafe readAll(
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<range.count]),
          at: range.lowerBound)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Fills a buffer with the bytes at `offset`. Returns how many the file has there, at most.
  func readAll(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    var count = 0
    while count < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let got = try unsafe read(into: rest, at: offset + count)
      if got == 0 { break }
      count += got
    }
    return count
  }

  /// Returns all bytes of the file.
  ///
  /// - Throws: also an error when the system reports an early end of the file; otherwise the missing bytes would count
  ///   as lost.
  func readWhole(path: String) throws(FileFailure) -> [UInt8] {
    let size = try size()
    let bytes = try readAll(0..<size)
    // The file may have become shorter meanwhile, when a writer cut off a failed record.
    if bytes.count == size { return bytes }
    if try self.size() >= size { throw FileFailure(.read, at: path, EIO) }
    return bytes
  }
}
