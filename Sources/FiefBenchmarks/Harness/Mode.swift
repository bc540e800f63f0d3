/// Where a workload keeps its data.
enum Mode: String, CaseIterable, Sendable {
  /// In memory alone.
  case mem
  /// In memory, and durable in files.
  case disk
}
