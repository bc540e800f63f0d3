import FiefDurability
import FiefTestSupport
import Foundation
import Testing

/// Two processes that share a store, in every order of their system calls with at most two changes besides those where
/// one waits for the other; with the first killed at each call; and with power failures afterwards.
@Suite("Two processes in every order", .leavesNoFileOpen, .alsoEncrypted)
struct SharedScheduleTests {
  /// The steps of two processes.
  struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let first: [SharedStep]
    let second: [SharedStep]
    var isThere = true
    var history: HistoryLimits?
    var isPiecemeal = false

    func schedule(_ changes: [Int] = [], killAt: Int? = nil, chance: UInt64 = 1) throws -> SharedSchedule {
      try SharedSchedule(
        scripts: [first, second], changes: changes, killAt: killAt, isThere: isThere, history: history, chance: chance,
        isPiecemeal: isPiecemeal)
    }
  }

  static let stories = [
    Story(
      testDescription: "both commit twice, one makes a checkpoint",
      first: [.open, .commit, .checkpoint, .commit, .close],
      second: [.open, .commit, .commit, .close]),
    Story(
      testDescription: "both create the store", first: [.open, .commit, .close], second: [.open, .commit, .close],
      isThere: false),
    Story(
      testDescription: "records are written in parts", first: [.open, .commit, .commit, .close],
      second: [.open, .commit, .close], isPiecemeal: true),
    Story(
      testDescription: "both make checkpoints", first: [.open, .commit, .checkpoint, .close],
      second: [.open, .relaxedCommit, .checkpoint, .refresh, .close]),
    Story(
      testDescription: "seals and relaxed commits", first: [.open, .relaxedCommit, .rest, .rest, .commit, .close],
      second: [.open, .relaxedCommit, .refresh, .rest, .rest, .close]),
    Story(
      testDescription: "versions are kept", first: [.open, .commit, .checkpoint, .commit, .close],
      second: [.open, .commit, .refresh, .checkpoint, .close], history: HistoryLimits(versions: 10, age: nil)),
    Story(
      testDescription: "one reads alone", first: [.open, .commit, .checkpoint, .commit, .close],
      second: [.read, .read, .read]),
    Story(
      testDescription: "one follows and does not write",
      first: [.open, .commit, .checkpoint, .commit, .rest, .rest, .commit, .close],
      second: [.follow, .follow, .follow, .follow]),
    Story(
      testDescription: "one follows records in parts", first: [.open, .commit, .rest, .rest, .commit, .close],
      second: [.follow, .follow, .follow], isPiecemeal: true),
  ]

  @Test(arguments: stories) func everyOrderOfTwoProcessesIsSafe(story: Story) throws {
    let calls = try story.schedule().run()
    let every = Effort.of(debug: 197, release: 5, night: 1)
    var (schedules, images) = (0, CrashImages(wanted: Effort.of(debug: 300, release: 5000, night: 100_000), share: 2))
    var random = Effort.firstSeed.random
    for first in 0..<calls {
      // One change at each call, and a share of two changes.
      for next in first + 1...calls where next == calls || (first + next * 7) % every == 0 {
        let schedule = try story.schedule([first, next], chance: UInt64(first * 1000 + next))
        do {
          _ = try schedule.run()
          if schedules % 10 == 0 { try schedule.tryPowerFailures(&images, using: &random) }
        } catch {
          throw StoryFault(description: "changes at \(first) and \(next): \(error)")
        }
        schedules += 1
      }
    }
    #expect(schedules >= calls && schedules > calls * calls / 2 / (every + 1))
    Figures.report(
      "Sharing, \(story.testDescription): \(schedules) schedules of \(calls) calls, \(images.tried) images")
  }

  @Test(arguments: stories) func aProcessThatIsKilledAtAnyCallHoldsUpNobody(story: Story) throws {
    let calls = try story.schedule().run()
    let (share, firsts) = (Effort.of(debug: 3, release: 1, night: 1), Effort.of(debug: 2, release: 4, night: 60))
    var (schedules, images) = (0, CrashImages(wanted: Effort.of(debug: 300, release: 5000, night: 100_000), share: 2))
    var random = Effort.firstSeed.random
    for call in 0..<calls where call % share == 0 {
      // The second process runs a while before, or not at all.
      for number in 0..<firsts {
        let before = number == 0 ? [] : [random.below(max(1, call))]
        let schedule = try story.schedule(before, killAt: call, chance: UInt64(call))
        do {
          _ = try schedule.run()
          if schedules % 10 == 0 { try schedule.tryPowerFailures(&images, using: &random) }
        } catch {
          throw StoryFault(description: "killed at \(call), changes at \(before): \(error)")
        }
        schedules += 1
      }
    }
    Figures.report("Sharing, \(story.testDescription): \(schedules) deaths, \(images.tried) images")
  }

  /// The second process closes the store after the death, whether it has committed or not.
  @Test(arguments: [[.open, .close], [.open, .refresh, .close], [.open, .commit, .close]] as [[SharedStep]])
  func nothingIsLeftOfAWriteInWhichAProcessIsKilled(second: [SharedStep]) throws {
    for change in stride(from: 20, to: 120, by: Effort.of(debug: 35, release: 5, night: 1)) {
      for call in change + 1..<160 {
        let schedule = try SharedSchedule(
          scripts: [[.open, .commit, .commit, .close], second], changes: [change], killAt: call, killsInWrite: true,
          isThere: true, chance: UInt64(call))
        do { _ = try schedule.run() } catch {
          throw StoryFault(description: "killed in the write after \(call), change at \(change): \(error)")
        }
      }
    }
  }
}
