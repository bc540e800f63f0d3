import Fief
import FiefCopying
import FiefGraph
import FiefQueries

/// `fief query`: prints the objects of a class that meet a condition.
///
///     id  name  friend    dogs
///      7  Ann   Person 8  [2]
struct QueryCommand {
  static let command = Command(
    "query", "FILE CLASS [PREDICATE]", "the objects of a class that meet a condition",
    options: [
      .value("--sort", "KEY[:desc],…", "order the objects; paths over links are possible"),
      .value("--limit", "N", "print at most N objects"),
      .value(
        "--columns", "A,B.C,…", "print these properties; B.C is the property C of what B links to", isRepeatable: true),
      .value("--group", "KEY", "count the objects with each value of KEY"),
      .flag("--count", "print how many objects there are"),
      .flag("--explain", "print how the objects are found"),
      .flag("--json", "print an array of JSON objects"),
      .flag("--ndjson", "print a JSON object in each line"),
      .flag("--csv", "print comma-separated values"), KeyFile.option,
    ],
    details: """
      PREDICATE is a format string, as 'filter' takes it:
        fief query dogs.realm Dog "age > 2 AND name BEGINSWITH[c] 'r'" --sort age:desc,name
        fief query dogs.realm Person "ANY dogs.age > 2" --columns name,home.city,dogs.name,dogs.@count
        fief query dogs.realm Dog "born >= date('2026-01-31') AND toy == nil"

      A link is shown by class and key, and 'fief show' prints the object. An object without a primary
      key has a number: '#17'. A collection is shown by its size; 'dogs.name' prints the elements.
      JSON has the form of 'fief export'.
      """
  ) { arguments, terminal in
    try check(arguments)
    try run(StoreView(StoredFile(arguments).forReading()), arguments, terminal)
    return .done
  }

  /// Refuses options that exclude each other, before a file is read.
  private static func check(_ arguments: Arguments) throws(UsageError) {
    _ = try DocumentFormat(arguments)
    _ = try arguments.choice("--group", "--count", "--explain", "--columns")
  }

  /// Prints objects of an open file.
  static func run(_ view: StoreView, _ arguments: Arguments, _ terminal: Terminal) throws {
    try check(arguments)
    try QueryCommand(view, arguments, terminal).run()
  }

  private let view: StoreView
  private let table: Table
  private let arguments: Arguments
  private let terminal: Terminal
  /// Nil for a table.
  private let format: DocumentFormat?
  private let limit: Int?
  private let keys: [SortKey]

  private init(_ view: StoreView, _ arguments: Arguments, _ terminal: Terminal) throws {
    (self.view, self.arguments, self.terminal) = (view, arguments, terminal)
    table = try view.table(named: arguments.operands[1])
    format = try DocumentFormat(arguments)
    limit = try arguments.number("--limit")
    keys = arguments["--sort"].map { Self.sortKeys($0) } ?? []
  }

  private static func sortKeys(_ text: String) -> [SortKey] {
    text.split(separator: ",").map { part in
      let isDescending = part.hasSuffix(":desc")
      let name = isDescending ? part.dropLast(5) : part.hasSuffix(":asc") ? part.dropLast(4) : part
      return SortKey(PropertyPath(keyText: String(name)), ascending: !isDescending)
    }
  }

  private func run() throws {
    let text = arguments.operand(2) ?? "TRUEPREDICATE"
    var query = try ParsedQuery(text)
    if let key = arguments["--group"] { return try group(view.query(query, of: table, quoting: text), by: key) }
    if !keys.isEmpty { query.modifiers.append(.sort(keys)) }
    if let limit { query.modifiers.append(.limit(limit)) }
    let compiled = try view.query(query, of: table, quoting: text)
    if arguments.has("--count") {
      let count = finding { compiled.count(in: view.graph) }
      say("\(count)", or: ["count": .number(count)])
    } else if arguments.has("--explain") {
      let text = finding { compiled.explanations(in: view.graph).map(\.description).joined(separator: "\n") }
      say(text, or: ["explanation": .text(text)])
    } else {
      try print(finding { compiled.rows(in: view.graph) }.lazy.map { ObjectLink(table.schema.key, $0) })
    }
  }

  private func finding<Result>(_ body: () -> Result) -> Result { Progress.show("Searching") { _ in body() } }

  private func say(_ text: String, or json: JSON) {
    terminal.say(format == nil || format == .csv ? text : json.line)
  }

  // MARK: Objects

  private func print(_ links: some Sequence<ObjectLink>) throws {
    let given = try columns()
    let columns = given ?? Self.allColumns(of: table.schema)
    try print(
      links, columns.map { ($0.text, $0.isNumeric) }, document: { document($0, given) },
      fields: { link in columns.map { view.field($0.contents(of: link, in: view.graph)) } },
      cells: { link in
        columns.map { column in
          let text = view.text(column.contents(of: link, in: view.graph))
          return column.text == "#" ? "#\(text)" : text
        }
      })
  }

  /// Prints rows in the format.
  ///
  /// - Parameters:
  ///   - titles: the titles of the columns, and whether each holds numbers.
  ///   - document: makes the JSON of a row.
  ///   - fields: makes the comma-separated values of a row.
  ///   - cells: makes the words of a row.
  private func print<Row>(
    _ rows: some Sequence<Row>, _ titles: [(text: String, isNumeric: Bool)],
    document: @escaping (Row) -> DocumentTree,
    fields: (Row) -> [String?], cells: (Row) -> [String]
  ) throws {
    switch format {
    case .json: try JSONOutput.array(rows.lazy.map(document), terminal)
    case .lines: try JSONOutput.lines(rows.lazy.map(document), terminal)
    case .csv:
      terminal.say(data: CSVOutput.line(titles.map(\.text)))
      for row in rows {
        terminal.say(data: CSVOutput.line(fields(row)))
        try terminal.checkReader()
      }
    case nil:
      var page = TextTable(titles.map(\.text), alignsRight: titles.map(\.isNumeric), terminal)
      for row in rows { try page.add(cells(row)) }
      try page.finish()
    }
  }

  /// The columns that were asked for; nil for all.
  private func columns() throws(Failure) -> [ColumnPath]? {
    let texts = arguments.all("--columns")
    if texts.isEmpty { return nil }
    var columns: [ColumnPath] = []
    for text in texts {
      // A name may contain commas.
      let parts = table.schema.column(named: text) == nil ? text.split(separator: ",").map(String.init) : [text]
      for part in parts { columns.append(try ColumnPath(part, of: table.schema, in: view.graph)) }
    }
    return columns
  }

  /// The properties of a class, the primary key first; the number of the object in a class without one.
  private static func allColumns(of schema: TableSchema) -> [ColumnPath] {
    (schema.primaryKey == nil ? [.number] : []) + schema.keyFirst.map { ColumnPath($0, of: schema) }
  }

  private func document(_ link: ObjectLink, _ columns: [ColumnPath]?) -> DocumentTree {
    guard let columns else { return view.document(of: link) }
    var names: Set<[UInt8]> = []
    let own = columns.filter { names.insert(Array($0.text.utf8)).inserted }
    return JSON.object(own.map { ($0.text, view.json($0.contents(of: link, in: view.graph))) }).tree
  }

  // MARK: Groups

  private func group(_ query: CompiledQuery, by key: String) throws {
    let path = PropertyPath(keyText: key)
    let grouping = try GroupQuery(by: [path], of: [table.schema.key], in: view.graph)
    var groups = finding { grouping.groups(in: view.graph, among: query.rows(in: view.graph)) }
    for order in keys.reversed() {
      if order.path == PropertyPath(keyText: "count") {
        groups = Self.sorted(groups, order.ascending) { Value.int(Int64($0.rows.count)) }
      } else if order.path == path {
        groups = Self.sorted(groups, order.ascending) { $0.key[0] }
      } else {
        throw Failure("Groups are ordered by '\(key.printable)' or by 'count'.", .usage)
      }
    }
    let shown = groups.prefix(limit ?? groups.count)
    try print(
      shown, [(key, false), ("count", true)],
      document: { group in
        let value = view.json(group.key[0], of: ColumnType(.any))
        return JSON.object([(key == "count" ? "key" : key, value), ("count", .number(group.rows.count))]).tree
      },
      fields: { [view.field(.value($0.key[0], ColumnType(.any))), "\($0.rows.count)"] },
      cells: { [view.text($0.key[0]), "\($0.rows.count)"] })
  }

  private static func sorted(
    _ groups: [RowGroup<ObjectKey>], _ isAscending: Bool, by value: (RowGroup<ObjectKey>) -> Value
  ) -> [RowGroup<ObjectKey>] {
    // Stable, in either direction.
    groups.enumerated().sorted { a, b in
      let result = StoredOrder.compare(value(a.element), value(b.element))
      return result == 0 ? a.offset < b.offset : (result < 0) == isAscending
    }.map(\.element)
  }
}

extension PropertyPath {
  /// The path of a key on the command line: names with dots between them, and an operator such as `@count` at the end.
  init(keyText: String) {
    self.init(
      keyText.split(separator: ".", omittingEmptySubsequences: false).map { part in
        let operation = part.hasPrefix("@") ? Aggregate(rawValue: part.dropFirst().lowercased()) : nil
        return operation.map(Component.aggregate) ?? .property(String(part))
      })
  }
}
