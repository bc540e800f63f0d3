import FiefGraph
import Foundation

extension FileBytes {
  /// The strings of a leaf in any of its forms.
  ///
  /// - Parameters:
  ///   - enumeration: the strings that the numbers of an enumerated leaf stand for.
  ///   - isNullable: whether the column may hold null. In a required column, null is the empty string.
  func texts(_ node: Node, enumeration: Enumeration, isNullable: Bool) throws(RealmFileError) -> ReadTexts {
    if !node.hasRefs && node.scheme == .bits {
      return try enumerated(node, enumeration, isNullable: isNullable)
    }
    if !node.hasRefs && node.width == 0 && node.scheme == .multiple {
      try chargeValues(node.count, of: MemoryLayout<String>.size)
      return ReadTexts(
        values: ContiguousArray(repeating: "", count: node.count), nulls: isNullable ? Array(0..<node.count) : [])
    }
    let spans = try stringSpans(node)
    try chargeValues(spans.count, of: MemoryLayout<String>.size)
    var texts = ReadTexts()
    texts.values.reserveCapacity(spans.count)
    for (index, span) in spans.enumerated() {
      if span.isNull {
        if isNullable { texts.nulls.append(index) }
        texts.values.append("")
        continue
      }
      texts.values.append(try chargedText(span))
    }
    return texts
  }

  /// The string of some bytes of the file. It is charged, and counted if it had to be repaired. While the file is
  /// checked, a short string stands for a long one.
  func chargedText(_ span: Span) throws(RealmFileError) -> String {
    let (count, isRepaired) = measured(span)
    if count > Self.shortText { try charge(1, of: count + MemoryBudget.storage) }
    if isRepaired { noteRepair() }
    if keepsValues || count <= Self.shortText { return text(span) }
    let digest = digest(of: span, isRepaired: isRepaired)
    if let keptNumber, Self.number(of: digest) == keptNumber { return text(span) }
    return digest
  }

  /// The data of some bytes of the file, which are charged. While the file is checked, it is empty.
  func chargedData(_ span: Span) throws(RealmFileError) -> Data {
    if span.count > 14 { try charge(1, of: span.count + MemoryBudget.storage) }
    return keepsValues ? data(span) : Data()
  }

  /// The strings that an enumerated column numbers.
  func enumeration(_ ref: Int64) throws(RealmFileError) -> Enumeration {
    if ref == 0 { return Enumeration() }
    return try withLongLeaves { () throws(RealmFileError) -> Enumeration in
      Enumeration(try self.texts(try node(ref), enumeration: Enumeration(), isNullable: true))
    }
  }

  private func enumerated(
    _ node: Node, _ enumeration: Enumeration, isNullable: Bool
  ) throws(RealmFileError) -> ReadTexts {
    var texts = ReadTexts()
    let numbers = try integers(node)
    try chargeValues(numbers.count, of: MemoryLayout<String>.size)
    texts.values.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
      guard 0..<Int64(enumeration.count) ~= number else {
        throw damage("string \(number) of \(enumeration.count) enumerated ones is used", at: node.offset)
      }
      let text = enumeration[Int(number)]
      if text == nil && isNullable { texts.nulls.append(index) }
      texts.values.append(text ?? "")
    }
    return texts
  }

  /// The places of the strings of a leaf, without their final zeros.
  func stringSpans(_ node: Node) throws(RealmFileError) -> ContiguousArray<Span> {
    if !node.hasRefs { return try shortSpans(node) }
    var spans = try node.isFlagged ? bigSpans(node) : mediumSpans(node)
    for index in spans.indices where !spans[index].isNull {
      guard spans[index].count > 0 else { throw damage("a string has no end", at: node.offset) }
      spans[index] = Span(start: spans[index].start, count: spans[index].count - 1)
    }
    return spans
  }

  private func shortSpans(_ node: Node) throws(RealmFileError) -> ContiguousArray<Span> {
    guard node.scheme == .multiple else { throw damage("the node should hold strings", at: node.offset) }
    try chargeValues(node.count, of: 0)
    let width = node.width
    if width == 0 { return ContiguousArray(repeating: .null, count: node.count) }
    var spans: ContiguousArray<Span> = []
    spans.reserveCapacity(node.count)
    for index in 0..<node.count {
      let start = node.start + index * width
      let unused = Int(bytes[start + width - 1])
      if unused == width {
        spans.append(.null)
      } else {
        guard unused < width else { throw damage("a string is longer than its cell", at: start) }
        spans.append(Span(start: start, count: width - 1 - unused))
      }
    }
    return spans
  }

  /// The places of the values of a leaf in the medium form.
  private func mediumSpans(_ node: Node) throws(RealmFileError) -> ContiguousArray<Span> {
    let parts = try refs(node, atLeast: 2)
    let ends = try integers(try self.node(parts[0]))
    let blob = try self.node(parts[1])
    guard !blob.hasRefs, blob.byteCount == blob.count else {
      throw damage("the node should hold bytes", at: blob.offset)
    }
    let nulls = try parts.count > 2 ? integers(try self.node(parts[2])) : nil
    if let nulls, nulls.count != ends.count {
      throw damage("there are \(ends.count) values, and \(nulls.count) say whether they are null", at: node.offset)
    }
    try chargeValues(ends.count, of: 0)
    var spans: ContiguousArray<Span> = []
    spans.reserveCapacity(ends.count)
    var start: Int64 = 0
    for (index, end) in ends.enumerated() {
      guard start <= end, end <= Int64(blob.count) else {
        throw damage("a value ends at \(end) of \(blob.count) bytes", at: node.offset)
      }
      let isNull = nulls.map { $0[index] != 0 } ?? false
      spans.append(isNull ? .null : Span(start: blob.start + Int(start), count: Int(end - start)))
      start = end
    }
    return spans
  }

  /// The places of the values of a leaf in the big form. All are in one node each.
  private func bigSpans(_ node: Node) throws(RealmFileError) -> ContiguousArray<Span> {
    try chargeValues(node.count, of: 0)
    var spans: ContiguousArray<Span> = []
    for ref in try refs(node, atLeast: 0) {
      spans.append(ref == 0 ? .null : try span(of: try self.node(ref)))
    }
    return spans
  }

  private func span(of blob: Node) throws(RealmFileError) -> Span {
    guard !blob.hasRefs, blob.byteCount == blob.count else {
      throw damage("the node should hold bytes", at: blob.offset)
    }
    return Span(start: blob.start, count: blob.count)
  }

  // MARK: Binary data

  /// The binary data of a leaf.
  func binaries(_ node: Node) throws(RealmFileError) -> (values: ContiguousArray<Data>, nulls: [Int]) {
    guard node.hasRefs else { throw damage("the node should hold binary data", at: node.offset) }
    var values: ContiguousArray<Data> = []
    var nulls: [Int] = []
    func append(_ span: Span) throws(RealmFileError) {
      if span.isNull { nulls.append(values.count) }
      values.append(span.isNull ? Data() : try chargedData(span))
    }
    guard node.isFlagged else {
      let spans = try mediumSpans(node)
      try chargeValues(spans.count, of: MemoryLayout<Data>.size)
      values.reserveCapacity(spans.count)
      for span in spans { try append(span) }
      return (values, nulls)
    }
    try chargeValues(node.count, of: MemoryLayout<Data>.size)
    values.reserveCapacity(node.count)
    for ref in try refs(node, atLeast: 0) {
      if ref == 0 {
        try append(.null)
        continue
      }
      let blob = try self.node(ref)
      guard blob.hasRefs else {
        try append(try span(of: blob))
        continue
      }
      // Above 16 MB a value is in several nodes.
      var spans: [Span] = []
      for part in try refs(blob, atLeast: 1) { spans.append(try span(of: try self.node(part))) }
      let count = spans.reduce(0) { $0 + $1.count }
      try charge(1, of: count + MemoryBudget.storage)
      var whole = Data(capacity: keepsValues ? count : 0)
      for span in spans where keepsValues { whole.append(contentsOf: bytes[span.range]) }
      values.append(whole)
    }
    return (values, nulls)
  }
}
