import FiefDurability
import Foundation

/// A fault of a simulated disk, and the call at which it begins.
///
/// Calls are all the system calls of processes on the disk, counted from 0.
struct DiskFault: Sendable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    /// The call fails with this number; a write or read has no effect.
    case refuse(Int32)
    /// A write writes `bytes` bytes but fails; other calls fail without effect.
    case refuseAfter(Int32, bytes: Int)
    /// A write or read handles at most so many bytes, and returns that number.
    case short(Int)
    /// A synchronization fails and the pending changes are lost, though later ones report success; other calls succeed.
    case dropOnSync(Int32)
    /// The call takes effect, and then fails.
    case lie(Int32)
  }

  var call: Int
  var kind: Kind
  /// Whether every later call has the fault too.
  var isForEver = false
  /// The operation whose calls have the fault, from `call` on; nil when the number alone decides.
  var operation: FileFailure.Operation?

  func strikes(_ call: Int, _ operation: FileFailure.Operation) -> Bool {
    if let only = self.operation { return call >= self.call && operation == only }
    return isForEver ? call >= self.call : call == self.call
  }

  var description: String { "\(kind) at call \(call)\(isForEver ? " and for ever" : "")" }

  /// The system's error numbers for refusals by disks.
  static let numbers: [Int32] = [EINTR, EIO, ENOSPC, EDQUOT, EROFS, EMFILE, EACCES]

  /// All error numbers with which the manuals of `open`, `read`, `write`, `ftruncate`, `fsync`, `flock`, `rename`,
  /// `unlink` and `stat` report a failure of a disk, a file system or a quota. `ENOENT` is not among them, because a
  /// missing file is a valid result.
  static let everyNumber: [Int32] =
    numbers + [EPERM, ENFILE, ENOMEM, EFBIG, EBUSY, EAGAIN, ENXIO, ENODEV, EBADF, EINVAL, ENOLCK, ETIMEDOUT, ESTALE]
}
