import Testing

/// After each test of a suite, no file of a simulated disk that it made is still open (G24): whatever was refused, cut off or
/// dropped on the way has let go of its files, and nothing holds itself in a ring.
///
///     @Suite(.leavesNoFileOpen) struct OpeningTests { … }
///
/// It sees the disks that are made in the test's own task and outlive it. One that is gone had no open file: those hold it.
struct LeavesNoFileOpen: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
  )
    async throws
  {
    guard testCase != nil else { return try await body() }
    let disks = Disks()
    try await Disks.$current.withValue(disks) { try await body() }
    for disk in disks.alive where disk.openFiles != 0 {
      Issue.record("\(disk.openFiles) files of a simulated disk are still open: \(disk.files.keys.sorted()).")
    }
  }
}

extension Trait where Self == LeavesNoFileOpen {
  static var leavesNoFileOpen: LeavesNoFileOpen { LeavesNoFileOpen() }
}
