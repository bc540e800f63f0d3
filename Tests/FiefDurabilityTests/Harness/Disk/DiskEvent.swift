import FiefDurability

/// One change of a simulated disk, in the order of the calls.
///
/// Crash images are built from the list of events. Only a synchronization makes the changes before it safe.
enum DiskEvent: Hashable, Sendable {
  /// Bytes were written.
  case wrote(file: Int, offset: Int, bytes: [UInt8])
  /// The length was set.
  case truncated(file: Int, size: Int)
  /// A name was given to a new file.
  case named(path: String, file: Int)
  /// A name went from one path to another.
  case renamed(path: String, newPath: String)
  /// A name was removed.
  case removed(path: String)
  /// All bytes of a file are safe.
  case synchronized(file: Int)
  /// All names are safe.
  case synchronizedFolder
  /// A synchronization failed: the pending changes of the file stay readable, but will never be on the disk.
  case lost(file: Int)
  /// A synchronization of the folder failed: the pending changes of names stay visible, but will never be on the disk.
  case lostFolder
  /// The workload recorded a mark, such as a commit that was reported as durable.
  case mark(Mark)

  /// The marks of a workload.
  enum Mark: Hashable, Sendable {
    /// A commit is about to be written.
    case started(UInt64)
    /// A commit was acknowledged as durable.
    case acknowledged(UInt64)
    /// A commit was refused as undone.
    case refused(UInt64)
    /// A document was handed over.
    case delivered(UInt64)
    /// An opening returned this version.
    case seen(UInt64)
  }
}
