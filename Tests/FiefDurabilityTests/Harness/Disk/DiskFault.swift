import Foundation

/// What is wrong with a simulated disk, and from which call on.
///
/// Calls are all the system calls that processes make on the disk, counted from 0.
struct DiskFault: Sendable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    /// The call fails with this number; a write or read has done nothing.
    case refuse(Int32)
    /// A write does so many bytes and reports a failure all the same; other calls fail.
    case refuseAfter(Int32, bytes: Int)
    /// A write or read does at most so many bytes, and says so.
    case short(Int)
    /// A synchronization fails and what was pending is lost, though later ones will claim success; other calls go well.
    case dropOnSync(Int32)
    /// The call does what it should, and then fails.
    case lie(Int32)
  }

  var call: Int
  var kind: Kind
  /// Whether every call from then on is as bad.
  var isForEver = false

  func strikes(_ call: Int) -> Bool { isForEver ? call >= self.call : call == self.call }

  var description: String { "\(kind) at call \(call)\(isForEver ? " and for ever" : "")" }

  /// The system's numbers for what disks refuse.
  static let numbers: [Int32] = [EINTR, EIO, ENOSPC, EDQUOT, EROFS, EMFILE, EACCES]

  /// All numbers with which the manuals of `open`, `read`, `write`, `ftruncate`, `fsync`, `flock`, `rename`, `unlink`
  /// and `stat` say that a disk, a file system or a quota failed. `ENOENT` is none of them: that there is no file is an
  /// answer.
  static let everyNumber: [Int32] =
    numbers + [EPERM, ENFILE, ENOMEM, EFBIG, EBUSY, EAGAIN, ENXIO, ENODEV, EBADF, EINVAL, ENOLCK, ETIMEDOUT, ESTALE]
}
