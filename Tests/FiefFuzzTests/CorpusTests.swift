import FiefFuzzing
import FiefTestSupport
import Foundation
import Testing

/// The inputs that are kept for each target (goal G13): a finding becomes a test when its file is put there.
@Suite struct CorpusTests {
  @Test(arguments: FuzzTargets.all.map(\.name))
  func everyKeptInputRuns(_ name: String) throws {
    let target = try #require(FuzzTargets.named(name))
    let files = CorpusFolder.files(at: CorpusFolder.url(of: target))
    #expect(files.count >= 30)
    for file in files {
      #expect(throws: Never.self, "\(name)/\(file.lastPathComponent)") {
        try target.check([UInt8](Data(contentsOf: file)))
      }
    }
  }

  @Test func someKeptInputsAreSnapshotsAndJournals() throws {
    let snapshots = CorpusFolder.inputs(at: CorpusFolder.url(of: SnapshotTarget()))
    #expect(try snapshots.count { try SnapshotTarget().accepts($0) } >= 4)
    let journals = CorpusFolder.inputs(at: CorpusFolder.url(of: JournalTarget()))
    #expect(try journals.reduce(0) { try $0 + JournalTarget().changes($1) } >= 8)
  }

  @Test func theCorporaAreSmall() throws {
    let sizes = try FuzzTargets.all.flatMap { CorpusFolder.files(at: CorpusFolder.url(of: $0)) }
      .map { try Data(contentsOf: $0).count }
    #expect(sizes.reduce(0, +) < 2_000_000)
  }

  @Test(arguments: FuzzTargets.all.map(\.name))
  func randomInputsRunAndArePrinted(_ name: String) throws {
    let target = try #require(FuzzTargets.named(name))
    try Seeds.run(count: Effort.of(debug: 3, release: 100)) { _, random throws in
      let input = target.sample(&random)
      #expect(throws: Never.self, "\(target.lines(input).joined(separator: "\n"))") { try target.check(input) }
      #expect(target.lines(input).allSatisfy { !$0.contains("\n") })
    }
  }

  /// Any bytes are an input: also those that no target writes.
  @Test(arguments: FuzzTargets.all.map(\.name))
  func shortAndLongInputsRun(_ name: String) throws {
    let target = try #require(FuzzTargets.named(name))
    for input in [[], [0], [1], [2, 255], Array(repeating: 255, count: 100)] as [[UInt8]] {
      #expect(throws: Never.self, "\(input)") { try target.check(input) }
    }
  }
}
