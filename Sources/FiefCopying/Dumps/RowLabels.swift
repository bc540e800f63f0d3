internal import FiefGraph

/// The names of rows in the text of one graph: `Person[1]` by the primary key, `Dog#3` by a number.
struct RowLabels {
  let classes: DumpClasses
  /// Returns the number of a row without a primary key; nil leaves numbers out of the text.
  var number: (ObjectLink) -> Int? = { _ in nil }
  /// Returns what stands behind the name of a row.
  var suffix: (ObjectLink) -> String = { _ in "" }

  init(_ classes: DumpClasses) { self.classes = classes }

  subscript(link: ObjectLink) -> String {
    guard let rowClass = classes[link.table] else { return "?" }
    if let key = rowClass.key(link.key) { return "\(rowClass.name)[\(DumpText.key(key))]\(suffix(link))" }
    return "\(rowClass.name)#\(number(link).map { "\($0)" } ?? "")\(suffix(link))"
  }

  /// Whether a row stands before another one: by class, then by key or number.
  func areInOrder(_ a: ObjectLink, _ b: ObjectLink) -> Bool {
    guard let first = classes[a.table], let second = classes[b.table] else { return a < b }
    if first !== second { return StoredOrder.compare(first.storedName, second.storedName) < 0 }
    if let key = first.key(a.key), let other = first.key(b.key) { return StoredOrder.compare(key, other) < 0 }
    return (number(a) ?? 0, suffix(a)) < (number(b) ?? 0, suffix(b))
  }

  func texts(of lines: [RowLines.Line]) -> [String] {
    var texts: [String] = []
    texts.reserveCapacity(lines.count)
    var next = 0
    while next < lines.count {
      guard lines[next].isUnordered else {
        texts.append(text(of: lines[next]))
        next += 1
        continue
      }
      let end = lines[next...].firstIndex { !$0.isUnordered } ?? lines.count
      let links = lines[next..<end].sorted {
        guard let a = $0.link, let b = $1.link else { return false }
        return areInOrder(a, b)
      }
      texts += links.map(text)
      next = end
    }
    assert(texts.count == lines.count, "Each line has a text.")
    return texts
  }

  private func text(of line: RowLines.Line) -> String {
    let indent = String(repeating: " ", count: 2 * line.depth)
    return line.link.map { "\(indent)\(line.text)\(self[$0])" } ?? indent + line.text
  }
}
