/// Splits sound pieces into fields: an independent reader, written from FORMAT.md.
struct ForgedParser {
  private let bytes: [UInt8]
  private var position = 0
  private var fields: [ForgedField] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The pieces of a change, or of a snapshot.
  static func pieces(_ bytes: [UInt8]) -> [ForgedPiece] {
    var pieces: [ForgedPiece] = []
    var position = 0
    while position < bytes.count {
      let length = bytes[position + 1..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      var parser = ForgedParser(Array(bytes[position + 8..<position + 8 + length]))
      parser.piece(bytes[position])
      pieces.append(ForgedPiece(kind: bytes[position], fields: parser.fields))
      position += 8 + length
    }
    return pieces
  }

  private mutating func piece(_ kind: UInt8) {
    switch kind {
    case 1, 6: schema()
    case 2:
      varint(.table)
      signed(.nextKey)
    case 3:
      for _ in 0..<varint(.count) {
        signed(.chunk)
        bitmap()
      }
    case 4:
      varint(.table)
      signed(.chunk)
      let rows = bitmap()
      for _ in 0..<varint(.count) { leaf(rows) }
    default:
      varint(.column)
      for _ in 0..<varint(.count) {
        signed(.row)
        change()
      }
    }
    precondition(position == bytes.count, "A sound piece of kind \(kind) was not understood.")
  }

  // MARK: Fields

  @discardableResult
  private mutating func varint(_ role: ForgedField.Role) -> Int {
    let number = rawVarint()
    fields.append(ForgedField(form: .varint, role: role, number: number))
    return Int(truncatingIfNeeded: number)
  }

  private mutating func signed(_ role: ForgedField.Role) {
    let folded = rawVarint()
    fields.append(ForgedField(form: .signed, role: role, number: folded >> 1 ^ (folded & 1 == 1 ? .max : 0)))
  }

  private mutating func rawVarint() -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      number |= UInt64(bytes[position] & 0x7F) << shift
      shift += 7
      position += 1
      if bytes[position - 1] < 0x80 { return number }
    }
  }

  @discardableResult
  private mutating func fixed(_ width: Int, _ role: ForgedField.Role) -> Int {
    let number = bytes[position..<position + width].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    position += width
    fields.append(ForgedField(form: .fixed(width), role: role, number: number))
    return Int(truncatingIfNeeded: number)
  }

  private mutating func raw(_ count: Int, _ role: ForgedField.Role) {
    fields.append(ForgedField(form: .bytes, role: role, bytes: Array(bytes[position..<position + count])))
    position += count
  }

  private mutating func text(_ role: ForgedField.Role) {
    let count = Int(rawVarint())
    fields.append(ForgedField(form: .text, role: role, bytes: Array(bytes[position..<position + count])))
    position += count
  }

  // MARK: The grammar

  private mutating func schema() {
    varint(.table)
    for _ in 0..<varint(.count) {
      varint(.table)
      text(.name)
      fixed(1, .kind)
      varint(.column)
      varint(.column)
      for _ in 0..<varint(.count) {
        varint(.column)
        text(.name)
        fixed(1, .kind)
        fixed(1, .kind)
        fixed(1, .flag)
        fixed(1, .kind)
        varint(.table)
        fixed(1, .kind)
      }
      for _ in 0..<varint(.count) {
        fixed(1, .kind)
        for _ in 0..<varint(.count) { varint(.column) }
      }
    }
  }

  @discardableResult
  private mutating func bitmap() -> Int {
    let first = fixed(1, .bitmap)
    if first == 0 { return fixed(1, .bitmap) + 1 }
    if first < 32 {
      for _ in 0..<first { fixed(1, .bitmap) }
      return first
    }
    return (0..<4).reduce(0) { count, _ in count + UInt(bitPattern: fixed(8, .bits)).nonzeroBitCount }
  }

  private mutating func lengths(_ count: Int, _ role: ForgedField.Role) -> [Int] {
    let width = fixed(1, .form)
    return (0..<count).map { _ in fixed(width, role) }
  }

  private mutating func leaf(_ rows: Int) {
    let form = fixed(1, .form)
    if form & 0x80 != 0 { bitmap() }
    switch form & 0x7F {
    case 14: for _ in 0..<rows { fixed(1, .flag) }
    case 15, 16:
      let total = lengths(rows, .count).reduce(0, +)
      values(fixed(1, .form), total)
    case 17:
      let total = lengths(rows, .count).reduce(0, +)
      values(7, total)
      values(13, total)
    case let form: values(form, rows)
    }
  }

  private mutating func values(_ form: Int, _ count: Int) {
    switch form {
    case 1...4: for _ in 0..<count { fixed(1 << (form - 1), .number) }
    case 7, 8: for length in lengths(count, .length) { raw(length, .text) }
    default: for _ in 0..<count { scalar(form) }
    }
  }

  private mutating func scalar(_ form: Int) {
    switch form {
    case 5: fixed(4, .number)
    case 6: fixed(8, .number)
    case 9:
      fixed(8, .number)
      fixed(4, .number)
    case 10: raw(12, .bits)
    case 11: raw(16, .bits)
    case 12:
      fixed(8, .bits)
      fixed(8, .bits)
    default: value()
    }
  }

  private mutating func value() {
    switch fixed(1, .kind) {
    case 0...2: break
    case 3: signed(.number)
    case 4: scalar(5)
    case 5: scalar(6)
    case 6, 7: text(.text)
    case 8: scalar(9)
    case 9: scalar(10)
    case 10: scalar(11)
    case 11: scalar(12)
    default:
      varint(.table)
      signed(.row)
    }
  }

  private mutating func change() {
    switch fixed(1, .kind) {
    case 0: value()
    case 1:
      for _ in 0..<varint(.count) {
        varint(.count)
        varint(.count)
        for _ in 0..<varint(.count) { value() }
      }
    case 2: for _ in 0..<2 { for _ in 0..<varint(.count) { value() } }
    default:
      for _ in 0..<varint(.count) { text(.text) }
      for _ in 0..<varint(.count) {
        text(.text)
        value()
      }
    }
  }
}
