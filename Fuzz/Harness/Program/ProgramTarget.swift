import Dispatch
import Fief
import FiefTestSupport

/// Programs on a store through the public interface, against a model.
///
///     byte 0    even: in memory; odd: on a simulated disk, where programs may close and open; & 2: encrypted there
///     byte 1    odd: the durability is relaxed; & 2: versions are kept, so that commits can be undone
///     steps     code and five operands
///
/// A step that changes something begins a write if there is none. After each step the invariants of the graph hold, and
/// the node that it named is that of the model; after commits, savepoints and openings all nodes are. Frozen versions
/// stay as they were. Change sets lead from what observers were shown to what is there. Undoing and redoing lead to the
/// models of before and after the commits, or to those with what others have changed since then. The changes since a
/// version are the difference of both models.
struct ProgramTarget: FuzzTarget {
  struct Program {
    var isOnDisk: Bool
    var isEncrypted: Bool
    var isRelaxed: Bool
    var keepsVersions: Bool
    var steps: [ProgramStep]
  }

  let name = "programs"
  let purpose = "programs on a store through the public interface, against a model"

  func layout(of input: [UInt8]) -> InputLayout {
    InputLayout(header: 2, step: 6, kinds: ProgramStep.kinds, limit: 60)
  }

  /// A random program. Most begin with nodes, links to some of them, and observers, so that later steps meet something.
  func sample(_ random: inout SeededRandom) -> [UInt8] {
    let layout = layout(of: [])
    let rest = layout.sample(&random)
    if random.below(4) == 0 { return rest }
    var steps = Array(rest.prefix(layout.header))
    func add(_ code: UInt8, _ operands: [Int]) {
      steps += [code] + (0..<layout.step - 1).map { UInt8($0 < operands.count ? operands[$0] : random.below(8)) }
    }
    let count = 1 + random.below(ProgramStep.keys)
    for id in 0..<count {
      add(0, [id, random.below(9)])
      if random.bool() { add(3, [id, random.below(8)]) }
    }
    for _ in 0..<random.below(6) {
      add(random.element(of: [4, 5, 7, 8, 8, 16, 18, 35, 36]), [random.below(count), random.below(count)])
    }
    add(23, [])
    for _ in 0..<random.below(4) { add(27, [random.below(4)]) }
    for _ in 0..<random.below(4) { add(37, [random.below(count)]) }
    let others = rest.dropFirst(layout.header)
    if random.bool() { return steps + others }
    // Undoing is worth little but after commits, and redoing but after undoing.
    steps[1] |= 2
    for start in stride(from: others.startIndex, to: others.endIndex, by: layout.step) {
      steps += others[start..<min(start + layout.step, others.endIndex)]
      if random.below(6) > 0 { continue }
      if random.below(3) == 0 {
        // Others commit one change, or two.
        let isTwo = random.below(2)
        add(23, [])
        add(38, [isTwo])
        for _ in 0...isTwo { add(random.element(of: [0, 2, 3, 4, 7, 8, 14, 16, 19, 36]), [random.below(count)]) }
      }
      for _ in 0...random.below(3) { add(31, []) }
      for _ in 0..<random.below(3) { add(32, []) }
      add(34, [random.below(16)])
    }
    return steps
  }

  func decode(_ input: [UInt8]) -> Program {
    let (head, second) = (input.first ?? 0, input.dropFirst().first ?? 0)
    return Program(
      isOnDisk: head & 1 == 1, isEncrypted: head & 3 == 3, isRelaxed: second & 1 == 1, keepsVersions: second & 2 == 2,
      steps: layout(of: input).steps(input).prefix(400).compactMap(ProgramStep.init))
  }

  func steps(_ program: Program) -> [String] {
    let place = program.isOnDisk ? program.isEncrypted ? "on a disk, encrypted" : "on a disk" : "in memory"
    return ["// \(place)\(program.isRelaxed ? ", relaxed" : "")\(program.keepsVersions ? ", with versions" : "")"]
      + program.steps.map(\.description)
  }

  func run(_ program: Program) throws {
    // Observers need a queue, as the thread that runs an input may have no run loop.
    let queue = DispatchQueue(label: "program")
    try queue.sync {
      let run = try ProgramRun(queue, program)
      try run.carryOut(program.steps[...], depth: 0)
      try run.finish()
    }
  }
}
