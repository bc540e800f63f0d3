/// What the program tells whoever started it. The numbers are those of `sysexits.h`, which Windows keeps to as well as
/// any other.
enum ExitCode: Int32 {
  /// It did what it was asked to.
  case done = 0
  /// The command line makes no sense.
  case usage = 64
  /// The program itself is at fault.
  case fault = 70
}
