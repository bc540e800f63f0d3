import FiefGraph
import FiefValues
import Foundation

/// The byte before an any-value or a single value.
enum ValueTag: UInt8 {
  case null, no, yes, int, float, double, string, data, date, objectId, uuid, decimal, link
}

extension ByteWriter {
  /// Appends a value with its kind.
  func value(_ value: Value) {
    switch value {
    case .null: append(ValueTag.null.rawValue)
    case .bool(let value): append((value ? ValueTag.yes : .no).rawValue)
    case .int(let value):
      append(ValueTag.int.rawValue)
      signedVarint(value)
    case .float(let value):
      append(ValueTag.float.rawValue)
      fixed(value.bitPattern)
    case .double(let value):
      append(ValueTag.double.rawValue)
      fixed(value.bitPattern)
    case .string(let value):
      append(ValueTag.string.rawValue)
      string(value)
    case .data(let value):
      append(ValueTag.data.rawValue)
      varint(value.count)
      data(value)
    case .date(let value):
      append(ValueTag.date.rawValue)
      date(value)
    case .objectId(let value):
      append(ValueTag.objectId.rawValue)
      objectId(value)
    case .uuid(let value):
      append(ValueTag.uuid.rawValue)
      uuid(value)
    case .decimal(let value):
      append(ValueTag.decimal.rawValue)
      decimal(value)
    case .link(let value):
      append(ValueTag.link.rawValue)
      varint(UInt64(value.table.rawValue))
      signedVarint(value.key.rawValue)
    }
  }

  func data(_ value: Data) { unsafe value.withUnsafeBytes { unsafe append($0) } }

  func date(_ value: Timestamp) {
    fixed(value.seconds)
    fixed(value.nanoseconds)
  }

  func objectId(_ value: ObjectId) {
    fixed(value.words.0.byteSwapped)
    fixed(value.words.1.byteSwapped)
    fixed(value.words.2.byteSwapped)
  }

  func uuid(_ value: UUID) { unsafe withUnsafeBytes(of: value.uuid) { unsafe append($0) } }

  func decimal(_ value: Decimal128) {
    fixed(value.low)
    fixed(value.high)
  }
}

extension ByteReader {
  /// Reads a value with its kind.
  mutating func value() throws(CodecError) -> Value {
    let start = self
    guard let tag = ValueTag(rawValue: try byte()) else {
      throw start.wrong(.malformed, "there is no such kind of value")
    }
    switch tag {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .int: return .int(try signedVarint())
    case .float: return .float(Float(bitPattern: try fixed(UInt32.self)))
    case .double: return .double(Double(bitPattern: try fixed(UInt64.self)))
    case .string: return .string(try string())
    case .data: return unsafe .data(Data(try countedBytes()))
    case .date: return .date(try date())
    case .objectId: return .objectId(try objectId())
    case .uuid: return .uuid(try uuid())
    case .decimal: return .decimal(try decimal())
    case .link:
      let table = TableKey(rawValue: try number32("a table"))
      return .link(ObjectLink(table, ObjectKey(try signedVarint())))
    }
  }

  mutating func date() throws(CodecError) -> Timestamp {
    let start = self
    let seconds = try fixed(Int64.self)
    let nanoseconds = try fixed(Int32.self)
    guard 0..<1_000_000_000 ~= nanoseconds else {
      throw start.wrong(.notCanonical, "a date has nanoseconds of more than a second")
    }
    return Timestamp(seconds: seconds, nanoseconds: Int64(nanoseconds))
  }

  mutating func objectId() throws(CodecError) -> ObjectId {
    ObjectId(
      words: try fixed(UInt32.self).byteSwapped, try fixed(UInt32.self).byteSwapped, try fixed(UInt32.self).byteSwapped)
  }

  mutating func uuid() throws(CodecError) -> UUID {
    unsafe UUID(uuid: try read(16).loadUnaligned(as: uuid_t.self))
  }

  mutating func decimal() throws(CodecError) -> Decimal128 {
    let low = try fixed(UInt64.self)
    return Decimal128(bitPatternHigh: try fixed(UInt64.self), low: low)
  }
}
