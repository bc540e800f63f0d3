/// The storage of a workload's data.
enum Mode: String, CaseIterable, Sendable {
  /// Only in memory.
  case mem
  /// In memory, and durable in files.
  case disk
}
