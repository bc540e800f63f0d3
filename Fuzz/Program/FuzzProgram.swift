import FiefFuzzing
import Foundation

#if FUZZING
  /// The entry point that libFuzzer calls with each input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    LibFuzzer.run(UnsafeRawBufferPointer(start: data, count: count))
    return 0
  }

  /// The mutations that libFuzzer has of its own: of bytes, and by what was compared.
  @_silgen_name("LLVMFuzzerMutate")
  func mutateBytes(_ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ limit: Int) -> Int

  /// Mutates by steps in half of the cases, and by bytes in the others.
  @_cdecl("LLVMFuzzerCustomMutator")
  public func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ limit: Int, _ seed: UInt32) -> Int {
    if seed & 1 == 0 { return mutateBytes(data, count, limit) }
    return LibFuzzer.mutate(UnsafeMutableRawBufferPointer(start: data, count: limit), count: count, seed: seed)
  }
#else
  /// The command `fief-fuzz`; `Fuzz/README.md` says how to use it.
  @main
  enum FuzzProgram {
    static func main() { exit(FuzzCommand.run(Array(CommandLine.arguments.dropFirst()))) }
  }
#endif
