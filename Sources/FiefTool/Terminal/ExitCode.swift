/// The exit codes of the program. Those from 64 on are the codes of `sysexits.h`, on Windows too.
enum ExitCode: Int32 {
  /// The command succeeded; a checked file is sound.
  case done = 0
  /// The file is damaged, is not a store, or is a store that this program cannot read.
  case unsound = 1
  /// The file can be opened, but commits may be missing at its end. The file does not show whether they are. Or a
  /// recovery has lost something.
  case doubtful = 2
  /// The two files that were compared are different.
  case different = 3
  /// The command line is invalid.
  case usage = 64
  /// The document is not one that this program can read, a change is refused, or a migration would fail.
  case badData = 65
  /// The file or the object does not exist.
  case noFile = 66
  /// The program itself has failed.
  case fault = 70
  /// The system did not allow the program to read or write a file, it exists already, or another process has it.
  case unreadable = 74
}
