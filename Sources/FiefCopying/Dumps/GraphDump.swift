package import FiefGraph

/// The numbers of the rows without a primary key in a dump of one graph.
struct RowNumbering {
  let classes: DumpClasses
  let order: [ObjectLink]
  private let numbers: [ObjectLink: Int]

  init(_ classes: DumpClasses) {
    self.classes = classes
    let rows = DumpRows([classes])
    if rows.isSettled {
      order = rows.rows.map(\.link)
    } else {
      var partition = RowPartition(count: rows.rows.count, starts: rows.starts, links: rows.links())
      partition.separate()
      order = partition.order.map { rows.rows[Int($0)].link }
    }
    assert(order.count == rows.rows.count, "A dump has each row once.")
    var numbers: [ObjectLink: Int] = [:]
    var (table, number) = (TableKey?.none, 0)
    for link in order where classes[link.table]?.keyLeaf == nil {
      number = table == link.table ? number + 1 : 1
      table = link.table
      numbers[link] = number
    }
    self.numbers = numbers
  }

  func number(_ link: ObjectLink) -> Int? { numbers[link] }
}

extension Graph {
  /// The contents as text. FiefOpening describes the form at `Realm.dump()`.
  package func dump() -> String {
    let classes = DumpClasses(self)
    let numbering = RowNumbering(classes)
    var labels = RowLabels(classes)
    labels.number = numbering.number
    var text = ""
    var reader = RowLines(classes)
    for link in numbering.order {
      guard let rowClass = classes[link.table] else { continue }
      text += text.isEmpty ? labels[link] + "\n" : "\n\(labels[link])\n"
      for line in labels.texts(of: reader.lines(of: link, rowClass, columns: 0..<rowClass.columns.count)) {
        text += line
        text += "\n"
      }
    }
    return text
  }
}
