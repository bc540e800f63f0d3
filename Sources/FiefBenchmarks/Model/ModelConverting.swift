import Fief

// Properties whose values are converted at each read and write.

struct Size: PersistableCodable, Equatable {
  var width = 1.0
  var height = 1.0
}

final class Sign: Object {
  @Persisted var size: Size
  @Persisted var link = URL(string: "https://example.org")!

  // The realms of other workloads do not have it.
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension Workload {
  static let modelConverting = [
    Workload("read_codable", "One managed object, its structure of two numbers read N times. One op is a read.") {
      run in
      let sign = try sign()
      try run.time {
        var sum = 0.0
        for _ in 0..<run.n { sum += sign.size.width }
        try expect(sum, Double(run.n), as: "sum of one width")
        return run.n
      }
    },
    Workload("write_codable", "One managed object, its structure set N/10 times in one write. One op is a write.") {
      run in
      let sign = try sign()
      try run.time {
        try sign.realm?.write { for value in 0..<run.tenth { sign.size = Size(width: Double(value), height: 2) } }
        try expect(sign.size, Size(width: Double(run.tenth - 1), height: 2), as: "size")
        return run.tenth
      }
    },
    Workload("read_url", "One managed object, its URL read N times. One op is a read.") { run in
      let sign = try sign()
      try run.time {
        var ports = 0
        for _ in 0..<run.n { ports += sign.link.port ?? 1 }
        try expect(ports, run.n, as: "URLs without a port")
        return run.n
      }
    },
    Workload("write_url", "One managed object, its URL set N/10 times in one write. One op is a write.") { run in
      let sign = try sign()
      let links = (0..<8).compactMap { URL(string: "https://example.org/signs/\($0)") }
      try run.time {
        try sign.realm?.write { for value in 0..<run.tenth { sign.link = links[value % 8] } }
        try expect(sign.link, links[(run.tenth - 1) % 8], as: "link")
        return run.tenth
      }
    },
  ]

  /// A managed object in a realm of its own, which it holds.
  private static func sign() throws -> Sign {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Sign.self]))
    let sign = Sign()
    sign.size = Size(width: 1, height: 2)
    try realm.write { realm.add(sign) }
    return sign
  }
}
