import FiefDurability

/// One thing that happened to a simulated disk, in the order in which the system was told.
///
/// The list of events is the record from which crash images are built: nothing but a synchronization makes what
/// stands before it safe.
enum DiskEvent: Hashable, Sendable {
  /// Bytes were handed over.
  case wrote(file: Int, offset: Int, bytes: [UInt8])
  /// The length was set.
  case truncated(file: Int, size: Int)
  /// A name was given to a new file.
  case named(path: String, file: Int)
  /// A name went from one path to another.
  case renamed(path: String, newPath: String)
  /// A name was taken away.
  case removed(path: String)
  /// All bytes of a file are safe.
  case synchronized(file: Int)
  /// All names are safe.
  case synchronizedFolder
  /// A synchronization failed: what was pending for the file stays readable, and will never be on the disk.
  case lost(file: Int)
  /// The same for the names.
  case lostFolder
  /// The workload took a note, such as which commit it was told to be durable.
  case mark(Mark)

  /// What a workload notes.
  enum Mark: Hashable, Sendable {
    /// A commit is about to be handed over.
    case started(UInt64)
    /// A commit was acknowledged as durable.
    case acknowledged(UInt64)
    /// A commit was refused as undone.
    case refused(UInt64)
    /// Someone was shown this version.
    case seen(UInt64)
  }
}
