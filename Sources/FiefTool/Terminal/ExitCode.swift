/// What the program tells whoever started it. The numbers from 64 on are those of `sysexits.h`, which Windows keeps to
/// as well as any other.
enum ExitCode: Int32 {
  /// It did what it was asked to; a file that was looked at is sound.
  case done = 0
  /// The file is damaged, or is no store, or none that this program can read.
  case unsound = 1
  /// The file can be opened, and commits may be missing at its end: what is there does not tell.
  case doubtful = 2
  /// The command line makes no sense.
  case usage = 64
  /// The document is none that this program knows.
  case badData = 65
  /// There is no such file.
  case noFile = 66
  /// The program itself is at fault.
  case fault = 70
  /// The system did not let the file be read.
  case unreadable = 74
}
