/// A measured piece of work, with a name and a description.
///
/// A workload makes its own data from the given size alone, and checks its own results. It does not print. It shares no
/// state with other workloads, since each runs in a process of its own.
struct Workload: Sendable {
  /// The first column of its line. Names of kernel workloads begin with `kernel_`.
  let name: String
  /// One sentence that defines the timed work and one operation.
  let summary: String
  /// The modes in which it can run.
  let modes: Set<Mode>
  /// Does the work and records the figures.
  let body: @Sendable (Run) throws -> Void

  init(
    _ name: String, _ summary: String, modes: Set<Mode> = [.mem], body: @escaping @Sendable (Run) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.modes = modes
    self.body = body
  }
}
