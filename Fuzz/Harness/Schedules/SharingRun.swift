import FiefDurability
import FiefTestSupport
import Foundation

/// Two processes that share a store on a simulated disk, one system call at a time.
///
///     byte 0            136 to 183: the store exists before if it is even, is encrypted if its half is odd, and
///                       records are written in parts if its quarter is odd
///     code 20           a step of a process: its number, and which step
///     code 21           the other process runs before a call
///     code 22           the first process is killed at a call, or in its next write after it
///     code 23           a fault of the disk: its call, and its kind
///
/// Each process opens the store first, and closes it last. `SharedSchedule` says what must hold.
struct SharingProgram {
  /// The first bytes of the inputs that hold such a program.
  static let heads: ClosedRange<UInt8> = 136...183
  /// The codes of its steps.
  static let kinds: [InputLayout.Kind] = [(20, 10), (21, 5), (22, 3), (23, 1)]
  /// The maximum number of steps of a process.
  private static let limit = 10
  /// About as many calls as two processes make.
  private static let calls = 500

  var isThere: Bool
  var isEncrypted: Bool
  var isPiecemeal: Bool
  var scripts: [[SharedStep]] = [[], []]
  var changes: [Int] = []
  var killAt: Int?
  var killsInWrite = false
  var fault: DiskFault?
  private let chance: UInt64

  init(_ head: UInt8, _ steps: [StepBytes]) {
    (isThere, isEncrypted, isPiecemeal) = (head % 2 == 0, head / 2 % 2 == 1, head / 4 % 2 == 1)
    chance = UInt64(head)
    for step in steps {
      let call = (step.wide(1) * 7 + step[3]) % Self.calls
      switch step.code {
      case 20:
        guard scripts[step[1] % 2].count < Self.limit else { break }
        scripts[step[1] % 2].append(step.choice(2, of: Self.steps))
      case 21: changes.append(call)
      case 22: (killAt, killsInWrite) = (call, step[2] % 2 == 1)
      case 23:
        let kinds: [DiskFault.Kind] = [
          .refuse(EIO), .refuse(ENOSPC), .refuseAfter(ENOSPC, bytes: 20), .short(9), .dropOnSync(EIO), .lie(EIO),
          .refuse(EINTR),
        ]
        fault = DiskFault(call: call, kind: step.choice(3, of: kinds))
      default: break
      }
    }
    scripts = scripts.map { [.open] + $0 + [.close] }
  }

  private static let steps: [SharedStep] = [
    .commit, .relaxedCommit, .refresh, .checkpoint, .commit, .flush, .rest, .close, .open, .read,
  ]

  /// A random input.
  static func sample(_ random: inout SeededRandom, _ layout: InputLayout) -> [UInt8] {
    var input = layout.sample(&random)
    input[0] = heads.lowerBound + UInt8(random.below(heads.count))
    return input
  }

  func run() throws {
    try SimulatedDisk.$usualKey.withValue(isEncrypted ? Sealing.key : nil) {
      do {
        let schedule = try SharedSchedule(
          scripts: scripts, changes: changes, killAt: killAt, killsInWrite: killsInWrite, isThere: isThere,
          chance: chance, isPiecemeal: isPiecemeal, fault: fault)
        _ = try schedule.run()
        var images = CrashImages(wanted: 10, share: 4)
        var random = SeededRandom(seed: chance)
        try schedule.tryPowerFailures(&images, using: &random)
      } catch let fault as StoryFault {
        throw Finding(fault.description)
      }
    }
  }

  var lines: [String] {
    let store = "// a store that \(isThere ? "exists" : "is created")\(isEncrypted ? ", encrypted" : "")"
    let events = "// changes at \(changes), killed at \(killAt.map { "\($0)" } ?? "no call")"
    return [
      store + (isPiecemeal ? ", in parts" : ""), events + ", \(fault.map { "\($0)" } ?? "no fault")",
    ] + scripts.indices.map { "process \($0 + 1): \(scripts[$0].map { "\($0)" }.joined(separator: ", "))" }
  }
}
