// STANDIN
@frozen public struct HashIndex: Sendable {
  public var d: [UInt64: [Int64]] = [:]
  public init() {}
  public var count: Int { d.values.reduce(0) { $0 + $1.count } }
  public func find(hash: UInt64, where m: (Int64) throws -> Bool) rethrows -> Int64? { try d[hash]?.first(where: m) }
  public mutating func insert(_ key: Int64, hash: UInt64) { d[hash, default: []].append(key) }
  public mutating func remove(_ key: Int64, hash: UInt64) -> Bool { d[hash]?.removeAll { $0 == key }; return true }
  public func checkInvariants() -> [String] { [] }
  public static func hash(_ v: Int64) -> UInt64 { UInt64(bitPattern: v) }
  public static func hash(_ v: String) -> UInt64 { UInt64(v.utf8.count) }
  public static func hash(_ a: UInt64, _ b: UInt64) -> UInt64 { a ^ b }
}
extension ObjectId { var hash: UInt64 { 0 } }
import Foundation
import FiefValues
extension UUID { var hash: UInt64 { 0 } }
