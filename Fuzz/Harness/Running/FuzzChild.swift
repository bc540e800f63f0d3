import FiefRuntime
import Foundation

/// Runs inputs in a process of its own, which may die.
///
/// It ends with status 0 when all is well, with 3 after a finding, with 4 after a limit. A trap ends it by a signal.
struct FuzzChild {
  static let foundStatus: Int32 = 3

  /// The nodes of graphs by which a campaign may grow; debug builds count them. An input has some hundred.
  static let leakedNodes = 50_000

  let target: any FuzzTarget
  let note: FuzzNote
  let limits = FuzzLimits()

  /// Runs random inputs for some seconds.
  func campaign(seconds: Double, seed: UInt64) {
    let corpus = CorpusFolder.inputs(at: CorpusFolder.url(of: target))
    var maker = InputMaker(target, corpus: corpus, seed: seed)
    let end = Date().addingTimeInterval(seconds)
    var count = 0
    func run(_ input: [UInt8]) {
      note.write(input, number: count)
      self.run(input)
      count += 1
    }
    for input in corpus {
      if Date() >= end { break }
      run(input)
    }
    // What is made once, such as the rows that queries are asked of, is there by now.
    for _ in 0..<30 where Date() < end { run(maker.next()) }
    let nodes = LiveNodes.count
    while Date() < end {
      run(maker.next())
      if LiveNodes.count - nodes > Self.leakedNodes {
        stop("\(LiveNodes.count - nodes) nodes of graphs were left behind by \(count) inputs.")
      }
    }
    print("\(count)")
  }

  /// Runs a list of inputs, and notes the index of each.
  func list(_ path: String) throws {
    for (index, input) in try InputList.read(path).enumerated() {
      note.write([], number: index)
      run(input)
    }
  }

  private func run(_ input: [UInt8]) {
    limits.begin()
    do { try target.check(input) } catch { stop("\(error)") }
    limits.end()
  }

  private func stop(_ reason: String) -> Never {
    FuzzOutput.error("Finding: \(reason)")
    exit(Self.foundStatus)
  }
}
