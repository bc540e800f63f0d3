extension ByteWriter {
  /// Appends the bytes of a range of a file, or as many of them as it has.
  func append(_ range: Range<Int>, of file: any OpenFile) throws(FileFailure) {
    var next = range.lowerBound
    while next < range.upperBound {
      let got = try unsafe file.read(into: reserve(range.upperBound - next), at: next)
      if got == 0 { return }
      commit(got)
      next += got
    }
  }
}
