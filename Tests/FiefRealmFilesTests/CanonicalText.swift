import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation

/// Values as text, in a form that both realm-core's JSON and a graph can be brought into.
///
///     null   true   i-5   f<bits>   d<bits>   s<text>   b<hex>   t<milliseconds>   m<digits>E<exponent>
///     o<hex>   u<hex>   @<primary key>   @<class>:<primary key>   [a,b]   {key=a,key=b}   (column=a,column=b)
enum CanonicalText {
  static func float(_ value: Float) -> String { "f\(String(value.bitPattern, radix: 16))" }
  static func double(_ value: Double) -> String { "d\(String(value.bitPattern, radix: 16))" }
  static func data(_ value: Data) -> String { "b\(value.map { String($0, radix: 16) }.joined(separator: "."))" }
  static func list(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }
  static func set(_ values: [String]) -> String {
    list(values.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
  }

  static func dictionary(_ entries: [(String, String)]) -> String {
    let sorted = entries.sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
    return "{\(sorted.map { "\($0)=\($1)" }.joined(separator: ","))}"
  }

  static func decimal(_ value: Decimal128) -> String {
    if !value.isFinite { return "m\(value)" }
    var coefficient = UInt128(value.high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(value.low)
    var exponent = Int(value.high >> 49 & 0x3FFF) - 6176
    if coefficient == 0 { exponent = 0 }
    while coefficient != 0 && coefficient.isMultiple(of: 10) {
      coefficient /= 10
      exponent += 1
    }
    return "m\(value.sign == .minus ? "-" : "")\(coefficient)E\(exponent)"
  }

  /// FNV-1a, 64 bits, of lines.
  static func digest(_ lines: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for line in lines {
      for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 10) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
  }
}

/// The contents of a graph as canonical text.
struct CanonicalGraph {
  let graph: Graph

  /// The classes that are not embedded, with a line for each object.
  var tables: [(name: String, lines: [String])] {
    graph.allTables.filter { $0.schema.kind != .embedded }.map { table in
      var lines: [String] = []
      table.rows.forEach { chunk, cluster in
        for slot in 0..<cluster.count {
          lines.append(object(ObjectLink(table.schema.key, ObjectKey(chunk: chunk, bit: cluster.bit(ofSlot: slot)))))
        }
        return true
      }
      return (table.schema.name, lines)
    }
  }

  private func object(_ link: ObjectLink) -> String {
    guard let schema = graph[link.table]?.schema else { return "missing" }
    let columns = schema.columns.map { column in
      let cell = Cell(link.table, link.key, column.key)
      if !column.type.isCollection {
        return "\(column.name)=\(graph.value(cell).map { text($0, column.type) } ?? "missing")"
      }
      return "\(column.name)=\(collection(graph.collection(cell), column.type))"
    }
    return "(\(columns.joined(separator: ",")))"
  }

  private func collection(_ collection: StoredCollection?, _ type: ColumnType) -> String {
    let count = collection?.count ?? 0
    let values = (0..<count).map { text(collection?.value(at: $0, as: type) ?? .null, type) }
    switch type.shape {
    case .set: return CanonicalText.set(values)
    case .dictionary:
      return CanonicalText.dictionary((0..<count).map { (collection?.key(ofEntryAt: $0) ?? "", values[$0]) })
    default: return CanonicalText.list(values)
    }
  }

  private func text(_ value: Value, _ type: ColumnType) -> String {
    switch value {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .int(let value): return "i\(value)"
    case .float(let value): return CanonicalText.float(value)
    case .double(let value): return CanonicalText.double(value)
    case .string(let value): return "s\(value)"
    case .data(let value): return CanonicalText.data(value)
    case .date(let value): return "t\(value.seconds * 1000 + Int64(value.nanoseconds) / 1_000_000)"
    case .decimal(let value): return CanonicalText.decimal(value)
    case .objectId(let value): return "o\(value.stringValue)"
    case .uuid(let value): return "u\(value.uuidString)"
    case .link(let link): return target(link, isAny: type.kind == .any)
    }
  }

  private func target(_ link: ObjectLink, isAny: Bool) -> String {
    guard let table = graph[link.table] else { return "missing" }
    if link.table.isNested {
      let shape: ColumnShape = link.table == .nestedLists ? .list : .dictionary
      return collection(
        graph.collection(Cell(link.table, link.key, .nestedElements)), ColumnType(.any, shape: shape))
    }
    guard let key = table.schema.primaryKey, let column = table.schema.column(key) else { return object(link) }
    let value = text(graph.value(Cell(link.table, link.key, key)) ?? .null, column.type)
    return isAny ? "@\(table.schema.name):\(value)" : "@\(value)"
  }
}

/// The contents of a file as canonical text, out of realm-core's JSON. The types of columns come from the schema of the
/// graph that is tested; a wrong type shows as a value of another form.
struct CanonicalJSON {
  let schema: Schema
  let tables: [String: [[String: Any]]]

  init(_ data: Data, _ schema: Schema) throws {
    self.schema = schema
    tables = (try JSONSerialization.jsonObject(with: data) as? [String: [[String: Any]]]) ?? [:]
  }

  func lines(of name: String) -> [String] {
    guard let schema = schema.table(named: name) else { return [] }
    return (tables[name] ?? []).map { object($0, schema) }
  }

  private func object(_ json: [String: Any], _ table: TableSchema) -> String {
    let columns = table.columns.map { column in
      "\(column.name)=\(json[column.name].map { cell($0, column.type) } ?? "absent")"
    }
    return "(\(columns.joined(separator: ",")))"
  }

  private func cell(_ json: Any, _ type: ColumnType) -> String {
    switch type.shape {
    case .single: return value(json, type)
    case .list: return CanonicalText.list(((json as? [Any]) ?? []).map { value($0, type) })
    case .set: return CanonicalText.set(((json as? [Any]) ?? []).map { value($0, type) })
    case .dictionary:
      return CanonicalText.dictionary(((json as? [String: Any]) ?? [:]).map { ($0, value($1, type)) })
    }
  }

  private func value(_ json: Any, _ type: ColumnType) -> String {
    if json is NSNull { return "null" }
    if type.kind == .link, let target = type.target.flatMap(schema.table(_:)) {
      if target.kind == .embedded { return (json as? [String: Any]).map { object($0, target) } ?? "missing" }
      guard let column = target.primaryKey.flatMap(target.column(_:)) else { return "missing" }
      return "@\(value(json, column.type))"
    }
    if let text = json as? String { return "s\(text)" }
    if let list = json as? [Any] { return CanonicalText.list(list.map { value($0, type) }) }
    guard let fields = json as? [String: Any] else { return (json as? Bool).map { "\($0)" } ?? "missing" }
    if let text = fields["$numberLong"] as? String { return "i\(text)" }
    if let text = fields["$numberDouble"] as? String { return number(text, type) }
    if let text = fields["$numberDecimal"] as? String {
      return (try? Decimal128(string: text)).map(CanonicalText.decimal) ?? "missing"
    }
    if let text = fields["$oid"] as? String { return "o\(text)" }
    if let date = fields["$date"] as? [String: Any] { return "t\(date["$numberLong"] ?? "missing")" }
    if let binary = fields["$binary"] as? [String: Any] {
      let data = (binary["base64"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
      if binary["subType"] as? String != "04" { return CanonicalText.data(data) }
      return data.withUnsafeBytes { "u\(UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString)" }
    }
    if let link = fields["$link"] as? [String: Any] {
      return "@\(link["table"] ?? "missing"):\(value(link["key"] ?? NSNull(), ColumnType(.any)))"
    }
    return CanonicalText.dictionary(fields.map { ($0, value($1, type)) })
  }

  /// Any-values that are floats have fewer digits than doubles.
  private func number(_ text: String, _ type: ColumnType) -> String {
    let mantissa = text.prefix { $0 != "e" }
    let isFloat = type.kind == .float || type.kind == .any && mantissa.drop { $0 != "." }.count == 8
    return isFloat
      ? Float(text).map(CanonicalText.float) ?? "missing" : Double(text).map(CanonicalText.double) ?? "missing"
  }
}
