import FiefFuzzing

#if FUZZING
  /// What libFuzzer calls with each input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    SnapshotHarness.run(UnsafeRawBufferPointer(start: data, count: count))
    return 0
  }
#else
  /// Tries the files that the command line names.
  @main
  enum FuzzSnapshots {
    static func main() { Replay.run { SnapshotHarness.run($0) } }
  }
#endif
