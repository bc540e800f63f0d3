import FiefTestSupport
import Foundation

/// What libFuzzer calls. The target is named by the environment: `FIEF_FUZZ_TARGET`.
public enum LibFuzzer {
  private static let target: any FuzzTarget = {
    let environment = ProcessInfo.processInfo.environment
    let name = environment["FIEF_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTargets.named(name) else { fatalError("FIEF_FUZZ_TARGET names no target: \(name)") }
    if let folder = environment["FIEF_FUZZ_SAMPLES"] { writeSamples(of: target, to: folder) }
    return target
  }()

  /// Writes random inputs to a folder, from which libFuzzer begins.
  private static func writeSamples(of target: any FuzzTarget, to folder: String) {
    var maker = InputMaker(target, corpus: [], seed: 1)
    for number in 0..<400 {
      try? Data(maker.next()).write(to: URL(fileURLWithPath: "\(folder)/sample-\(number)"))
    }
  }

  /// Runs an input; a finding traps, as libFuzzer expects.
  ///
  /// - Parameter input: the bytes.
  public static func run(_ input: UnsafeRawBufferPointer) {
    do { try target.check([UInt8](input)) } catch { fatalError("Finding: \(error)") }
  }

  /// Changes an input by whole steps, words and values, as the plain command does.
  ///
  /// - Parameters:
  ///   - input: the bytes, which receive the result.
  ///   - count: the number of bytes that are used.
  ///   - seed: the seed of the change.
  /// - Returns: the number of bytes that are used then.
  public static func mutate(_ input: UnsafeMutableRawBufferPointer, count: Int, seed: UInt32) -> Int {
    var maker = InputMaker(target, corpus: [Array(input.prefix(count))], seed: UInt64(seed))
    let result = maker.mutated().prefix(input.count)
    input.copyBytes(from: result)
    return result.count
  }
}
