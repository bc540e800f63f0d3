import Foundation

// Reading and writing as much as was asked for, over calls that may do less. What fails in the middle leaves its
// beginning written; who writes knows up to where the file was good, and cuts it off there.
//
// Unsafe code, and why it is right: an array is filled in place up to `range.count` bytes; `read` fills no more than
// the buffer that it is given, which ends there, and what it says it read is what is counted.

extension OpenFile {
  /// Writes all of `bytes` at `offset`.
  func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int, path: String) throws(FileFailure) {
    var done = 0
    while done < bytes.count {
      let taken = try write(UnsafeRawBufferPointer(rebasing: bytes[done...]), at: offset + done)
      // A system that takes nothing and says nothing would keep us here for ever.
      guard taken > 0 else { throw FileFailure(.write, path, EIO) }
      done += taken
    }
  }

  /// Writes all of `bytes` at `offset`.
  func writeAll(_ bytes: [UInt8], at offset: Int, path: String) throws(FileFailure) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(FileFailure) in try writeAll(buffer, at: offset, path: path) }
    }
    try result.get()
  }

  /// The bytes of `range`, or those of them that the file has.
  func readAll(_ range: Range<Int>) throws(FileFailure) -> [UInt8] {
    // An array without room is one for all threads, and filling it writes its count.
    if range.isEmpty { return [] }
    var failure: FileFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      do throws(FileFailure) {
        while count < range.count {
          let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<range.count])
          let got = try read(into: rest, at: range.lowerBound + count)
          if got == 0 { return }
          count += got
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The whole file.
  ///
  /// - Throws: also when the system says that the file ended, and it did not: what is missing would be taken for lost.
  func readWhole(path: String) throws(FileFailure) -> [UInt8] {
    let size = try size()
    let bytes = try readAll(0..<size)
    // It may have become shorter meanwhile: a writer cut off what it could not finish.
    if bytes.count == size { return bytes }
    if try self.size() >= size { throw FileFailure(.read, path, EIO) }
    return bytes
  }
}
