/// Something that is measured: a name, what it means, and how it is done.
///
/// A workload makes its own data, from nothing but the size it is given, and checks its own results. It never prints,
/// and never shares anything with another: each runs in a process of its own.
struct Workload: Sendable {
  /// The first column of its line. Those of the kernel begin with `kernel_`.
  let name: String
  /// What is timed, and what one operation is, in a sentence.
  let summary: String
  /// Where it can keep its data.
  let modes: Set<Mode>
  /// Does it, and records the figures.
  let body: @Sendable (Run) throws -> Void

  init(
    _ name: String, _ summary: String, _ modes: Set<Mode> = [.mem], _ body: @escaping @Sendable (Run) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.modes = modes
    self.body = body
  }
}
