import FiefFuzzing

#if FUZZING
  /// The entry point that libFuzzer calls with each input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    JournalHarness.run(UnsafeRawBufferPointer(start: data, count: count))
    return 0
  }
#else
  /// Runs the files that are named on the command line.
  @main
  enum FuzzJournals {
    static func main() { Replay.run { JournalHarness.run($0) } }
  }
#endif
