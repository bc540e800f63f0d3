/// The payloads of records in an input: behind a header of one byte, a length of two bytes before each.
enum RecordPayloads {
  /// Decodes an input. A payload that is shorter than its length is the last one.
  static func of(_ input: [UInt8]) -> [ArraySlice<UInt8>] {
    var payloads: [ArraySlice<UInt8>] = []
    var rest = input.dropFirst()
    while rest.count >= 2 {
      let length = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
      rest = rest.dropFirst(2)
      payloads.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return payloads
  }
}
