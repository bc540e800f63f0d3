import FiefTestSupport
import Testing

/// After each test of a suite, no file of its simulated disks is still open (G24). Every refused, interrupted or
/// dropped operation has closed its files, and no object is in a retain cycle.
///
///     @Suite(.leavesNoFileOpen) struct OpeningTests { … }
///
/// It checks the disks that are made in the test's own task and outlive it. A released disk had no open file, because
/// open files retain their disk. In a process where tests run one after the other (`AloneTests`), it also counts the
/// nodes of graphs and the system's descriptors.
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
    // A thread that the test started may be about to release its store.
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
