import FiefDurability
import FiefTestSupport
import Foundation

/// Crash programs on the simulated disk.
///
///     byte 0 % 3     0 a story of one store, 1 a story whose new files are written behind their writers,
///                    2 commits of a session: early, grouped, awaited, relaxed
///     byte 0 / 3 % 2 1 if the stores are encrypted
///     bytes 1-2      the seed of what commits change and of the fates of writes
///     byte 3         at which events the power fails; 255: also a disk that reports a failure once, to two threads
///     byte 4, 5      the kind of a fault of the disk and its call, or no fault; for stories
///     steps          code and an operand
///
/// G1: after a power failure, a store holds a version that was begun, and none older than the durable ones.
struct CrashTarget: FuzzTarget {
  struct Program {
    var kind: Int
    var isEncrypted: Bool
    var seed: UInt64
    var moments: Int
    var fault: DiskFault?
    var steps: [StepBytes]
  }

  /// The maximum numbers of moments at which the power fails, and of disks that are recovered, for an input. Few of
  /// each leave time for other stories; an input with another byte 3 has other moments.
  static let (moments, images) = (6, 40)

  let name = "crashes"
  let purpose = "crash programs on the simulated disk, async and grouped commits among them"

  func layout(of input: [UInt8]) -> InputLayout {
    InputLayout(
      header: 6, step: 2, kinds: [(0, 10), (1, 4), (2, 2), (3, 3), (4, 1), (5, 1), (6, 2), (7, 3), (8, 3), (9, 2)],
      limit: 30)
  }

  func decode(_ input: [UInt8]) -> Program {
    let head = StepBytes(input.prefix(6))
    let kinds: [DiskFault.Kind?] = [
      nil, nil, nil, nil, .refuse(EIO), .refuse(ENOSPC), .refuseAfter(EIO, bytes: 40), .short(7), .dropOnSync(EIO),
      .lie(EIO), .refuse(EINTR),
    ]
    let fault = kinds[head[4] % kinds.count].map {
      DiskFault(call: 12 + head[5] % 128, kind: $0, isForEver: head[5] >= 128)
    }
    return Program(
      kind: Int(head.code) % 3, isEncrypted: head.code / 3 % 2 == 1, seed: UInt64(head.wide(1)), moments: head[3],
      fault: fault,
      steps: Array(layout(of: input).steps(input).prefix(60)))
  }

  func steps(_ program: Program) -> [String] {
    let fault = program.kind == 2 ? "none" : program.fault.map { "\($0)" } ?? "none"
    let head = "// \(program.isEncrypted ? "encrypted, " : "")seed \(program.seed)"
    var lines = [head + ", power failures \(program.moments), fault \(fault)"]
    if program.kind == 2 { return lines + program.steps.compactMap { CommitStep($0)?.description } }
    if program.moments == 255 { lines.append("try ReportedOnce.check()") }
    lines.append("let teller = StoryTeller(on: disk, seed: \(program.seed), isBehind: \(program.kind == 1))")
    return lines + Self.story(program).map { "try teller.tell([.\($0)])" }
  }

  func run(_ program: Program) throws {
    let key = program.isEncrypted ? Sealing.key : nil
    try SimulatedDisk.$usualKey.withValue(key) { try runOnDisks(program) }
  }

  private func runOnDisks(_ program: Program) throws {
    if program.kind == 2 { return try CommitRun(program).run() }
    do { if program.moments == 255 { try ReportedOnce.check() } } catch let fault as StoryFault {
      throw Finding(fault.description)
    }
    let disk = SimulatedDisk(chance: program.seed)
    disk.faults = program.fault.map { [$0] } ?? []
    let teller = StoryTeller(
      on: disk, seed: program.seed, goesOn: program.fault != nil, isBehind: program.kind == 1)
    defer { teller.die() }
    do { try teller.tell(Self.story(program)) } catch let fault as StoryFault { throw Finding(fault.description) }
    disk.faults = []
    let verdict = Verdict(oracle: teller.oracle)
    try PowerFailures(disk: disk, program: program).forEachImage {
      verdict.recover($0)
    } fault: {
      verdict.fault($0, after: $1)
    }
  }

  /// The steps of a story.
  private static func story(_ program: Program) -> [Step] {
    program.steps.compactMap { step -> Step? in
      switch step.code {
      case 0: .commit
      case 1: .relaxedCommit
      case 2: .flush
      case 3: .checkpoint(step[1] % 3, step[1] / 3 % 2, step[1] / 6 % 2)
      case 4: .reopen
      case 5: .rest(1 + step[1] % 3)
      case 6: .killAndReopen
      default: nil
      }
    }
  }
}

/// Power failures at some events of a disk, each with some fates of what was pending.
struct PowerFailures {
  let disk: SimulatedDisk
  let program: CrashTarget.Program

  /// The files of a disk. Their sizes are hashed alone, as hashing their bytes takes as long as recovering them.
  private struct Files: Hashable {
    let bytes: [String: [UInt8]]

    func hash(into hasher: inout Hasher) {
      hasher.combine(bytes.count)
      hasher.combine(bytes.values.reduce(0) { $0 &+ $1.count &* $1.count })
    }
  }

  /// Recovers the disk after each power failure. Equal disks are recovered once, and judged for each moment.
  ///
  /// - Parameters:
  ///   - recover: opens the store of a disk.
  ///   - fault: the fault of what was found after a failure at a moment; nil for a sound store.
  func forEachImage<Recovered>(
    _ recover: (SimulatedDisk) -> Recovered, fault: (Recovered, CrashPoint) -> String?
  ) throws {
    var random = SeededRandom(seed: program.seed &* 31 &+ UInt64(program.moments))
    let events = disk.lock.withLock { disk.events }
    let share = max(1, events.count / CrashTarget.moments)
    var known: [Files: Recovered] = [:]
    var (point, images) = (CrashPoint(), 0)
    for (index, event) in events.enumerated() {
      point.advance(event)
      guard index == events.count - 1 || (index + program.moments) % share == 0 else { continue }
      try point.forEachFates(limit: 2, extra: 2, using: &random) { fates in
        guard images < CrashTarget.images else { return }
        images += 1
        let image = point.image(fates, chance: program.seed)
        let files = Files(bytes: image.files)
        let recovered = known[files] ?? recover(image)
        known[files] = recovered
        if let fault = fault(recovered, point) {
          throw Finding("Power fails after event \(index) of \(events.count), \(fates): \(fault)")
        }
      }
    }
  }
}
