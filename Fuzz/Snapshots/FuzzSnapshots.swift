import FiefFuzzing

#if FUZZING
  /// The entry point that libFuzzer calls with each input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    SnapshotHarness.run(UnsafeRawBufferPointer(start: data, count: count))
    return 0
  }
#else
  /// Runs the files that are named on the command line.
  @main
  enum FuzzSnapshots {
    static func main() { Replay.run { SnapshotHarness.run($0) } }
  }
#endif
