import FiefTestSupport

/// A program that runs on bytes, and knows what must hold for all of them.
///
///     bytes ──decode──▶ program ──run──▶ nothing, or a finding
///                          └──steps──▶ lines of Swift
///
/// The bytes are the input: they are kept as files, mutated, and minimized. `layout(of:)` says which of them form a
/// step, so that a small change of an input stays a small change of a program.
public protocol FuzzTarget: Sendable {
  /// The meaning of the bytes.
  associatedtype Program

  /// The name on the command line, and of the folders below `Fuzz/Corpus` and `Fuzz/Faults`.
  var name: String { get }
  /// Its work, in a few words.
  var purpose: String { get }
  /// Words of the language that the inputs are written in; mutations insert them.
  var words: [String] { get }
  /// The parts of an input.
  func layout(of input: [UInt8]) -> InputLayout
  /// The program of an input. Any bytes have one.
  func decode(_ input: [UInt8]) -> Program
  /// Runs a program.
  ///
  /// - Throws: a `Finding` if the product did something that it must not do.
  func run(_ program: Program) throws
  /// The program as lines of Swift.
  func steps(_ program: Program) -> [String]
  /// A random input.
  func sample(_ random: inout SeededRandom) -> [UInt8]
  /// Whether an input takes as long as a hundred others. Few of them are used (`InputMaker.shareOfSlow`).
  func isSlow(_ input: [UInt8]) -> Bool
}

extension FuzzTarget {
  /// No words.
  public var words: [String] { [] }

  /// No input is slow.
  public func isSlow(_ input: [UInt8]) -> Bool { false }

  /// A random input by its layout.
  public func sample(_ random: inout SeededRandom) -> [UInt8] { layout(of: []).sample(&random) }

  /// Runs an input.
  ///
  /// - Throws: a `Finding`, or any other error that escaped the product.
  public func check(_ input: [UInt8]) throws { try run(decode(input)) }

  /// The program of an input as lines of Swift.
  public func lines(_ input: [UInt8]) -> [String] { steps(decode(input)) }
}

/// Something that the product must not do.
public struct Finding: Error, CustomStringConvertible {
  /// One sentence, which begins with what was compared.
  public let description: String

  /// A finding with a sentence.
  public init(_ description: String) { self.description = description }
}

/// Throws a finding unless `condition` holds.
func expect(_ condition: Bool, _ description: @autoclosure () throws -> String) throws {
  if !condition { throw Finding(try description()) }
}
