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
    let realm = try FileOpening.forReading(arguments.operands[0], key: KeyFile.key(arguments))
    try run(StoreView(realm), arguments, terminal)
    return .done
  }

  /// Refuses options that exclude each other, before a file is read.
  private static func check(_ arguments: Arguments) throws(UsageError) {
    _ = try Format(arguments)
    _ = try arguments.choice("--group", "--count", "--explain", "--columns")
  }

  /// Prints objects of an open file.
  static func run(_ view: StoreView, _ arguments: Arguments, _ terminal: Terminal) throws {
    try check(arguments)
    let table = try view.table(named: arguments.operands[1])
    let format = try Format(arguments)
    try QueryCommand(view: view, table: table, arguments: arguments, terminal: terminal, format: format).run()
  }

  enum Format {
    case table, json, lines, csv

    init(_ arguments: Arguments) throws(UsageError) {
      switch try arguments.choice("--json", "--ndjson", "--csv") {
      case "--json"?: self = .json
      case "--ndjson"?: self = .lines
      case "--csv"?: self = .csv
      default: self = .table
      }
    }
  }

  private let view: StoreView
  private let table: Table
  private let arguments: Arguments
  private let terminal: Terminal
  private let format: Format
  private let limit: Int?
  private let keys: [SortKey]

  private init(
    view: StoreView, table: Table, arguments: Arguments, terminal: Terminal, format: Format
  ) throws {
    self.view = view
    self.table = table
    self.arguments = arguments
    self.terminal = terminal
    self.format = format
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
    if let key = arguments["--group"] { return try group(try compiled(query, text), by: key) }
    if !keys.isEmpty { query.modifiers.append(.sort(keys)) }
    if let limit { query.modifiers.append(.limit(limit)) }
    let compiled = try compiled(query, text)
    if arguments.has("--count") {
      let count = finding { compiled.count(in: view.graph) }
      terminal.say(format == .table || format == .csv ? "\(count)" : #"{"count":\#(count)}"#)
    } else if arguments.has("--explain") {
      explain(compiled)
    } else {
      try print(finding { compiled.rows(in: view.graph) }.lazy.map { ObjectLink(table.schema.key, $0) })
    }
  }

  private func compiled(_ query: ParsedQuery, _ text: String) throws -> CompiledQuery {
    do throws(QueryError) {
      return try CompiledQuery(query, of: table.schema.key, in: view.graph)
    } catch { throw error.quoting(text) }
  }

  private func finding<Result>(_ body: () -> Result) -> Result { Progress.show("Searching") { _ in body() } }

  private func explain(_ query: CompiledQuery) {
    let text = finding { query.explanations(in: view.graph).map(\.description).joined(separator: "\n") }
    if format == .table || format == .csv { return terminal.say(text.printable(keepingLines: true)) }
    var builder = DocumentBuilder()
    builder.beginObject()
    builder.name("explanation")
    builder.add(.string(text))
    _ = builder.endObject()
    terminal.say(JSONOutput.text(builder.finish()))
  }

  // MARK: Objects

  private func print(_ links: some Sequence<ObjectLink>) throws {
    let given = try columns()
    let columns = given ?? Self.allColumns(of: table.schema)
    switch format {
    case .json: try JSONOutput.array(links.lazy.map { document($0, given) }, terminal)
    case .lines: try JSONOutput.lines(links.lazy.map { document($0, given) }, terminal)
    case .csv:
      terminal.say(data: CSVOutput.line(columns.map(\.text)))
      for link in links {
        terminal.say(data: CSVOutput.line(columns.map { view.field($0.contents(of: link, in: view.graph)) }))
        try terminal.checkReader()
      }
    case .table:
      var page = TextTable(columns.map(\.text), alignsRight: columns.map(\.isNumeric), terminal)
      for link in links {
        try page.add(
          columns.map { column in
            let text = view.text(column.contents(of: link, in: view.graph))
            return column.text == "#" ? "#\(text)" : text
          })
      }
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
    guard let columns else { return view.documents.tree(of: link, showsNumber: true) }
    var builder = DocumentBuilder()
    builder.beginObject()
    var names: Set<[UInt8]> = []
    for column in columns where names.insert(Array(column.text.utf8)).inserted {
      builder.name(column.text)
      view.add(column.contents(of: link, in: view.graph), to: &builder)
    }
    _ = builder.endObject()
    return builder.finish()
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
    switch format {
    case .json: try JSONOutput.array(shown.lazy.map { document($0, key) }, terminal)
    case .lines: try JSONOutput.lines(shown.lazy.map { document($0, key) }, terminal)
    case .csv:
      terminal.say(data: CSVOutput.line([key, "count"]))
      for group in shown {
        terminal.say(data: CSVOutput.line([view.field(.value(group.key[0], ColumnType(.any))), "\(group.rows.count)"]))
        try terminal.checkReader()
      }
    case .table:
      var page = TextTable([key, "count"], alignsRight: [false, true], terminal)
      for group in shown { try page.add([view.text(group.key[0]), "\(group.rows.count)"]) }
      try page.finish()
    }
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

  private func document(_ group: RowGroup<ObjectKey>, _ key: String) -> DocumentTree {
    var builder = DocumentBuilder()
    builder.beginObject()
    builder.name(key == "count" ? "key" : key)
    view.add(.value(group.key[0], ColumnType(.any)), to: &builder)
    builder.name("count")
    builder.add(.int(Int64(group.rows.count)))
    _ = builder.endObject()
    return builder.finish()
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
