import FiefDurability
import FiefTestSupport
import Foundation
import Testing

/// G8, exhaustively: each call of 40 transactions fails with each number, once and for ever; each write and read stops
/// short at each count; and the calls that undo a failed write fail as well.
///
/// After each failure the errors are typed, and the store either continues or refuses commits. The next opening finds
/// every durable commit, also after a power failure at that moment, and no file is left open (`FaultCampaign`).
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct ErrnoTests {
  /// The ways in which a call fails.
  enum Family: String, CaseIterable, Sendable {
    case refusedOnce = "refused once"
    case refusedForEver = "refused for ever"
    case doneAndRefused = "done and refused"
    case doneInPartAndRefused = "done in part and refused"
    case lostByASynchronization = "lost by a synchronization"
    case short = "stopped short"
    case shortForEver = "stopped short for ever"
    case undoingRefused = "refused, and its undoing too"
  }

  /// Five stories of eight transactions, which together use every operation of a store.
  static let stories: [[Step]] = [
    [.commit, .commit, .commit, .checkpoint(1, 1, 1), .commit, .commit],
    [
      .commit, .relaxedCommit, .relaxedCommit, .flush, .commit, .killAndReopen, .commit, .relaxedCommit, .commit,
      .commit,
    ],
    [.commit, .commit, .checkpoint(0, 0, 0), .commit, .reopen, .commit, .commit, .commit, .commit, .commit],
    [.commit, .commit, .checkpoint(0, 2, 0), .killAndReopen, .commit, .checkpoint(0, 0, 0), .commit, .commit, .commit],
    [
      .commit, .reopen, .commit, .reopen, .relaxedCommit, .rest(3), .checkpoint(0, 1, 0), .commit, .rest(2),
      .killAndReopen, .commit,
      .commit, .commit,
    ],
  ]

  @Test(arguments: Family.allCases)
  func everyCallFailsInEveryWay(family: Family) throws {
    let step = Effort.of(debug: 293, release: 1, night: 1)
    var (calls, faults, transactions) = ([String: Int](), 0, 0)
    var result = FaultCampaign.Result()
    for (number, story) in Self.stories.enumerated() {
      let seed = UInt64(number + 1)
      let healthy = SimulatedDisk(isRecording: false, chance: seed)
      healthy.trace = []
      let teller = StoryTeller(on: healthy, seed: seed)
      try teller.tell(story)
      transactions += Int(teller.file?.version ?? 0)
      let trace = try #require(healthy.trace)
      for call in trace { calls[call.operation.rawValue, default: 0] += 1 }
      let all = Self.faults(family, trace)
      faults += all.count
      var campaign = FaultCampaign(seed: Seed(seed))
      campaign.crashes = Effort.of(debug: 2, release: 2, night: 8)
      campaign.isBrief = !(Effort.current == .night)
      for position in stride(from: 0, to: all.count, by: step) {
        var random = SeededRandom(seed: UInt64(position))
        try campaign.run(story, seed, all[position], &random, &result)
      }
    }
    #expect(transactions == 40)
    #expect(result.runs >= faults / step)
    // A store handles most short counts without an error.
    #expect(result.errors > 0 || family == .short)
    Figures.report(
      "G8, \(family.rawValue): \(result.runs) of \(faults) runs over \(calls.values.reduce(0, +)) calls ("
        + calls.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        + ") of \(transactions) transactions, \(DiskFault.everyNumber.count) numbers, \(result.errors) errors dealt "
        + "with, \(result.images) crash images")
  }

  /// The faults of each run.
  private static func faults(_ family: Family, _ trace: [SimulatedDisk.Call]) -> [[DiskFault]] {
    var all: [[DiskFault]] = []
    func add(_ call: Int, _ kind: DiskFault.Kind, isForEver: Bool = false) {
      all.append([DiskFault(call: call, kind: kind, isForEver: isForEver)])
    }
    for (number, call) in trace.enumerated() {
      switch family {
      case .refusedOnce: for code in DiskFault.everyNumber { add(number, .refuse(code)) }
      case .refusedForEver: for code in DiskFault.everyNumber { add(number, .refuse(code), isForEver: true) }
      case .doneAndRefused: for code in DiskFault.everyNumber { add(number, .lie(code)) }
      case .doneInPartAndRefused where call.operation == .write:
        for code in DiskFault.everyNumber {
          for bytes in [1, call.bytes / 2, call.bytes - 1] { add(number, .refuseAfter(code, bytes: bytes)) }
        }
      case .lostByASynchronization where call.operation == .synchronize || call.operation == .synchronizeFolder:
        // An interrupted synchronization has lost nothing: it is repeated.
        for code in DiskFault.everyNumber where code != EINTR { add(number, .dropOnSync(code)) }
      case .short where call.operation == .write || call.operation == .read:
        for count in shortCounts(call.bytes) { add(number, .short(count)) }
      case .shortForEver where call.operation == .write || call.operation == .read:
        for count in [0, 1, 7, 64, 511] { add(number, .short(count), isForEver: true) }
      case .undoingRefused where call.operation == .write:
        // The length is set back and synchronized, or the new file is removed.
        for next in 1...2 {
          for code in DiskFault.everyNumber {
            all.append([
              DiskFault(call: number, kind: .refuse(ENOSPC)), DiskFault(call: number + next, kind: .refuse(code)),
            ])
          }
        }
      default: break
      }
    }
    return all
  }

  /// All counts below a size up to 200. For larger sizes, the counts near both ends and at the ends of sectors.
  private static func shortCounts(_ size: Int) -> [Int] {
    (0..<size).filter { size <= 200 || $0 < 40 || $0 >= size - 40 || [0, 1, 511].contains($0 % 512) }
  }
}
