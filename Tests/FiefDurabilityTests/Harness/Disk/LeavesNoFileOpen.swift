import FiefTestSupport
import Testing

/// After each test of a suite, no file of a simulated disk that it made is still open (G24): whatever was refused, cut
/// off or dropped on the way has let go of its files, and nothing holds itself in a ring.
///
///     @Suite(.leavesNoFileOpen) struct OpeningTests { … }
///
/// It sees the disks that are made in the test's own task and outlive it. One that is gone had no open file: those hold
/// it. In a process where tests run one after the other (`AloneTests`) it also counts the nodes of graphs and the
/// system's descriptors.
struct LeavesNoFileOpen: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
  )
    async throws
  {
    guard testCase != nil else { return try await body() }
    let disks = Disks()
    let before = Alone.isAlone ? Alone.Belongings() : nil
    try await Disks.$current.withValue(disks) { try await body() }
    // A thread that the test started may be about to let go of its store.
    _ = await eventually { disks.alive.allSatisfy { $0.openFiles == 0 } }
    for disk in disks.alive where disk.openFiles != 0 {
      Issue.record("\(disk.openFiles) files of a simulated disk are still open: \(disk.files.keys.sorted()).")
    }
    if let before, let left = before.left() { Issue.record("The test leaves something behind: \(left).") }
  }
}

extension Trait where Self == LeavesNoFileOpen {
  static var leavesNoFileOpen: LeavesNoFileOpen { LeavesNoFileOpen() }
}
