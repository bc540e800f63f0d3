import FiefGraph

/// Brings unmanaged objects, and all that they reach, into a store: the instances themselves become managed.
///
///     plan    walk the graph in the order of discovery, each unmanaged object once; refuse what cannot be added
///     make    a row for each ordinary object, with its scalars
///     join    links and collections, now that targets have rows; embedded objects are made here, in their owners
///     bind    the instances become accessors
///
/// What can be refused is refused in the first step; what the kernel refuses later (a unique index, a delete rule) undoes the
/// call. Nothing of a failed call remains. There is no recursion: depth is bounded by memory alone.
///
/// While a call runs, each object that it met is marked and keeps its place in `entries` where its key will be.
struct Adder {
  let session: Session
  let transaction: Transaction
  let policy: Realm.UpdatePolicy

  /// An object that is on its way.
  private struct Entry {
    let object: ObjectBase
    let binding: ClassBinding
    /// The row: known from the start when it is updated, from `make` on otherwise.
    var key = ObjectKey(-1)
    var isUpdate = false
    /// How it was reached.
    let step: PathStep
  }

  /// A property of an entry that holds more than a scalar.
  private struct Edge {
    let entry: Int
    let number: Int
    let content: _Content
  }

  private var entries: [Entry] = []
  private var edges: [Edge] = []
  /// Primary keys that entries of this call bring.
  private var newKeys: [PlannedKey: Int] = [:]

  private struct PlannedKey: Hashable {
    let table: TableKey
    let value: HashedValue
  }

  init(_ session: Session, _ transaction: Transaction, _ policy: Realm.UpdatePolicy) {
    self.session = session
    self.transaction = transaction
    self.policy = policy
  }

  // MARK: Entry points

  /// Brings an ordinary object in, and all that it reaches.
  ///
  /// - Returns: its row.
  mutating func add(_ object: ObjectBase) throws -> ObjectLink {
    if let link = try present(object, nil) { return link }
    defer { unmark() }
    try enter(object, PathStep(parent: -1, number: -1, element: nil), isOwned: false)
    try plan()
    try carryOut { _ in }
    return ObjectLink(entries[0].binding.table, entries[0].key)
  }

  /// Brings all unmanaged objects in that `contents` reach, and stores one content after another in a cell.
  ///
  /// - Parameters:
  ///   - contents: what is to be stored.
  ///   - cell: where.
  ///   - type: the form of that cell's column.
  ///   - spot: where in the cell embedded objects and nested collections are made, by the content's place in `contents`.
  ///   - store: stores a value whose row, if it is a link, is there.
  mutating func bring(
    _ contents: [_Content], to cell: Cell, spot: @escaping (Int) -> OwnedPlace?,
    _ store: @escaping (Transaction, StoredValue, Int) throws -> Void
  ) throws {
    defer { unmark() }
    for (index, content) in contents.enumerated() {
      try look(at: content, PathStep(parent: -1, number: -1, element: contents.count > 1 ? index : nil))
    }
    try plan()
    try carryOut { adder in
      for (index, content) in contents.enumerated() {
        try adder.put(content, cell, spot(index)) { try store($0, $1, index) }
      }
    }
  }

  // MARK: Planning

  /// The row of an object that needs none: one that is managed by this session.
  private func present(_ object: ObjectBase, _ step: PathStep?) throws -> ObjectLink? {
    guard object.isManaged else { return nil }
    guard let other = object.heldSession, let link = object.link else { return nil }
    if other !== session {
      throw Realm.Error(
        .objectManagedByAnotherRealm,
        "Object is already managed by another Realm. Use create instead to copy it into this Realm."
          + (step.map { " It stands at \(path($0))." } ?? ""))
    }
    guard object.hasRow else {
      throw Realm.Error(
        .invalidValue,
        "Object of class '\(type(of: object).className())' has been deleted or invalidated and cannot be added"
          + (step.map { ", at \(path($0))" } ?? "") + ".")
    }
    return link
  }

  /// Takes an unmanaged object up, once.
  private mutating func enter(_ object: ObjectBase, _ step: PathStep, isOwned: Bool) throws {
    if object.flags.contains(.visited) {
      guard isOwned else { return }
      throw Realm.Error(
        .invalidValue,
        "The embedded object at \(path(step)) already has an owner, at \(path(entries[Int(object.key.rawValue)].step)): "
          + "give each owner an object of its own.")
    }
    guard let binding = session.binding(of: type(of: object)) else {
      throw Realm.Error(.invalidValue, session.store.missing(type(of: object)) + at(step))
    }
    if object.flags.contains(.faulty), let error = FaultyObjects.error(of: object) { throw error }
    if binding.model.kind == .asymmetric {
      throw Realm.Error(
        .invalidValue, "Asymmetric object of class '\(binding.model.name)' cannot be added: hand it over with create.")
    }
    if binding.model.kind == .embedded && !isOwned {
      throw Realm.Error(
        .invalidValue,
        "Embedded object of class '\(binding.model.name)' cannot be added by itself: assign it to a property of its owner."
      )
    }
    var entry = Entry(object: object, binding: binding, step: step)
    if let primaryKey = binding.primaryKey { try takeKey(primaryKey, &entry) }
    object.flags.insert(.visited)
    object.key = ObjectKey(Int64(entries.count))
    entries.append(entry)
  }

  private mutating func takeKey(_ number: Int, _ entry: inout Entry) throws {
    let value = Self.value(of: number, entry.object, entry.binding)
    let table = entry.binding.table
    let existing = transaction.read { $0[table]?.find(primaryKey: value) }
    let planned = PlannedKey(table: table, value: HashedValue(value))
    if existing == nil && newKeys[planned] == nil {
      // A single object of a call cannot meet itself: the table of new keys is kept for larger ones alone.
      if !entries.isEmpty || !entry.binding.linkNumbers.isEmpty { newKeys[planned] = entries.count }
      return
    }
    guard policy != .error else {
      throw Realm.Error(
        .duplicatePrimaryKey,
        "Attempting to create an object of type '\(entry.binding.model.name)' with an existing primary key value "
          + "'\(value)'\(at(entry.step)): use an update policy to change the object that is there.")
    }
    entry.isUpdate = true
    entry.key = existing ?? ObjectKey(-1)
  }

  /// Walks everything that was entered, in the order in which it was.
  private mutating func plan() throws {
    var next = 0
    while next < entries.count {
      let entry = entries[next]
      for number in entry.binding.linkNumbers {
        let content = Self.content(of: number, entry.object, entry.binding)
        if case .value(.null) = content, !entry.isUpdate { continue }
        if !entry.isUpdate, case .collection(let collection) = content,
          (collection as? CollectionBase)?.contents().isEmpty ?? true
        {
          continue
        }
        try look(at: content, PathStep(parent: next, number: number, element: nil))
        edges.append(Edge(entry: next, number: number, content: content))
      }
      next += 1
    }
  }

  /// Enters what a content reaches.
  private mutating func look(at content: _Content, _ step: PathStep) throws {
    switch content {
    case .value: return
    case .object(let target):
      let isOwned = target is EmbeddedObject
      if try present(target, step) != nil {
        guard isOwned else { return }
        throw Realm.Error(
          .invalidValue,
          "The embedded object at \(path(step)) is managed already, by its owner: copy it with "
            + "'\(type(of: target).className())(value:)'.")
      }
      try enter(target, step, isOwned: isOwned)
    case .collection(let collection):
      guard let collection = collection as? CollectionBase else { return }
      for (index, element) in collection.contents().enumerated() {
        if let key = element.key { try MapKeys.check(key, path(step)) }
        try look(at: element.content, PathStep(parent: step.parent, number: step.number, element: index))
      }
    case .nestedList, .nestedDictionary:
      // Any-values nest as deep as they like: a work list.
      var waiting = [content]
      while let content = waiting.popLast() {
        switch content {
        case .nestedList(let values): waiting += values.map(AnyRealmValue._content)
        case .nestedDictionary(let values):
          for (key, value) in values {
            try MapKeys.check(key, path(step))
            waiting.append(AnyRealmValue._content(value))
          }
        case .object: try look(at: content, step)
        case .value, .collection: break
        }
      }
    }
  }

  // MARK: Carrying out

  private mutating func carryOut(_ finish: (inout Adder) throws -> Void) throws {
    // The kernel can refuse what a plan does not see: unique values, delete rules. Only then is a savepoint worth its price.
    let saved = needsSavepoint ? transaction.savepoint() : nil
    do {
      for index in entries.indices { try make(index) }
      for edge in edges { try join(edge) }
      try finish(&self)
    } catch {
      if let saved {
        let marks = transaction.keyMarks
        transaction.restore(saved)
        transaction.reserveKeys(marks)
      }
      throw error
    }
    for entry in entries { bind(entry) }
  }

  private var needsSavepoint: Bool {
    entries.contains { $0.isUpdate || $0.binding.hasUniqueIndex }
  }

  /// Makes the row of an ordinary object, or updates the one that it stands for.
  private mutating func make(_ index: Int) throws {
    let entry = entries[index]
    if entry.isUpdate {
      if entry.key.rawValue < 0 {
        let value = Self.value(of: entry.binding.primaryKey ?? 0, entry.object, entry.binding)
        entries[index].key = transaction.read { $0[entry.binding.table]?.find(primaryKey: value) } ?? ObjectKey(-1)
      }
      return try update(entries[index])
    }
    guard entry.binding.model.kind != .embedded else { return }
    entries[index].key = try Self.makeRow(of: entry.object, entry.binding, transaction)
  }

  /// Makes the row of an object with its scalars.
  static func makeRow(of object: ObjectBase, _ binding: ClassBinding, _ transaction: Transaction) throws -> ObjectKey {
    let primaryKey = binding.primaryKey.map { value(of: $0, object, binding) }
    return try transaction.create(in: binding.table, primaryKey: primaryKey) { row in
      try fill(row, object, binding)
    }
  }

  static func fill(_ row: NewRow, _ object: ObjectBase, _ binding: ClassBinding) throws {
    let base = object.address
    for filler in binding.fillers { try filler.fill(base + filler.offset, row, filler.column) }
  }

  private func update(_ entry: Entry) throws {
    for number in entry.binding.scalarNumbers where number != entry.binding.primaryKey {
      let value = Self.value(of: number, entry.object, entry.binding)
      try transaction.set(value, entry.binding.cell(entry.key, number))
    }
  }

  /// Stores one link or collection.
  private mutating func join(_ edge: Edge) throws {
    let entry = entries[edge.entry]
    let cell = entry.binding.cell(entry.key, edge.number)
    try put(edge.content, cell, entry.binding.columnTypes[edge.number], isUpdate: entry.isUpdate)
  }

  /// Puts a content whose objects are all planned into a cell.
  private mutating func put(_ content: _Content, _ cell: Cell, _ type: ColumnType, isUpdate: Bool) throws {
    switch content {
    case .collection(let collection):
      guard let collection = collection as? CollectionBase else { return }
      if isUpdate { try transaction.removeAll(from: cell) }
      for (index, element) in collection.contents().enumerated() {
        switch type.shape {
        case .list: try put(element.content, cell, .inserted(at: index)) { try $0.append($1, toList: cell) }
        case .set: try put(element.content, cell, nil) { _ = try $0.insert($1, inSet: cell) }
        case .dictionary:
          let key = element.key ?? ""
          try put(element.content, cell, .entry(key)) { try $0.set($1, forKey: key, inDictionary: cell) }
        case .single: return
        }
      }
    default:
      try put(content, cell, .value) { try $0.set($1, cell) }
    }
  }

  /// Puts one value into its place: makes the row that it owns there, or stores it.
  mutating func put(
    _ content: _Content, _ cell: Cell, _ place: OwnedPlace?, _ store: (Transaction, StoredValue) throws -> Void
  ) throws {
    switch content {
    case .value(let value): try store(transaction, value)
    case .object(let target):
      if target.flags.contains(.visited), !target.isManaged {
        let index = Int(target.key.rawValue)
        let entry = entries[index]
        if entry.binding.model.kind == .embedded, let place {
          entries[index].key = try transaction.createOwned(in: entry.binding.table, by: cell, place) { row in
            try Self.fill(row, target, entry.binding)
          }
        } else {
          try store(transaction, .link(ObjectLink(entry.binding.table, entry.key)))
        }
      } else if let link = target.link {
        try store(transaction, .link(link))
      }
    case .nestedList, .nestedDictionary:
      guard let place else {
        throw Realm.Error(.invalidValue, "A set cannot hold lists or dictionaries.")
      }
      try putNested(content, cell, place)
    case .collection: return
    }
  }

  /// Makes the rows of nested lists and dictionaries, outermost first, by a work list.
  private mutating func putNested(_ content: _Content, _ cell: Cell, _ place: OwnedPlace) throws {
    var waiting: [(content: _Content, cell: Cell, place: OwnedPlace)] = [(content, cell, place)]
    while let item = waiting.popLast() {
      switch item.content {
      case .nestedList(let values):
        let key = try transaction.createOwned(in: .nestedLists, by: item.cell, item.place)
        let inner = Cell(.nestedLists, key, .nestedElements)
        // Elements that own rows are made where a null holds their place, so that positions stay what they are.
        for (index, value) in values.enumerated() {
          let content = AnyRealmValue._content(value)
          if content.isNested {
            try transaction.append(.null, toList: inner)
            waiting.append((content, inner, .element(at: index)))
          } else {
            try put(content, inner, nil) { try $0.append($1, toList: inner) }
          }
        }
      case .nestedDictionary(let values):
        let key = try transaction.createOwned(in: .nestedDictionaries, by: item.cell, item.place)
        let inner = Cell(.nestedDictionaries, key, .nestedElements)
        for (name, value) in values {
          let content = AnyRealmValue._content(value)
          if content.isNested {
            waiting.append((content, inner, .entry(name)))
          } else {
            try put(content, inner, nil) { try $0.set($1, forKey: name, inDictionary: inner) }
          }
        }
      default: break
      }
    }
  }

  private func bind(_ entry: Entry) {
    entry.object.flags.remove(.visited)
    entry.object.becomeManaged(session, entry.binding, entry.key)
  }

  /// Takes the marks off objects that did not become managed.
  private func unmark() {
    for entry in entries where !entry.object.isManaged {
      entry.object.flags.remove(.visited)
      entry.object.key = ObjectKey(-1)
    }
  }

  // MARK: Reading unmanaged objects

  static func content(of number: Int, _ object: ObjectBase, _ binding: ClassBinding) -> _Content {
    let property = binding.model.properties[number]
    return property.access.content(object.address + property.offset, object, number)
  }

  static func value(of number: Int, _ object: ObjectBase, _ binding: ClassBinding) -> StoredValue {
    if case .value(let value) = content(of: number, object, binding) { return value }
    return .null
  }

  // MARK: Paths

  /// How an object was reached: a property of an earlier entry, and an element's position there.
  struct PathStep {
    let parent: Int
    let number: Int
    let element: Int?
  }

  private func at(_ step: PathStep) -> String { step.parent < 0 ? "" : ", at \(path(step))" }

  /// The path by names, from the object that was given.
  private func path(_ step: PathStep) -> String {
    var parts: [String] = []
    var step = step
    while step.parent >= 0 {
      let parent = entries[step.parent]
      let name = parent.binding.model.properties[step.number].name
      parts.append(step.element.map { "\(name)[\($0)]" } ?? name)
      step = parent.step
    }
    let root = entries.first?.binding.model.name ?? "the value"
    return PathText.join([root] + parts.reversed())
  }
}

extension _Content {
  /// Whether it is a list or dictionary inside an any-value.
  var isNested: Bool {
    switch self {
    case .nestedList, .nestedDictionary: true
    default: false
    }
  }
}

/// Paths of property names in error messages.
enum PathText {
  /// The parts with dots between them; a path of many is cut in the middle.
  static func join(_ parts: [String]) -> String {
    guard parts.count > 24 else { return parts.joined(separator: ".") }
    return parts.prefix(12).joined(separator: ".") + ". … (\(parts.count - 20) more) … ."
      + parts.suffix(8).joined(separator: ".")
  }
}

/// Which keys a map can have.
enum MapKeys {
  static func check(_ key: String, _ path: @autoclosure () -> String) throws {
    if key.utf8.first == UInt8(ascii: "$") || key.utf8.contains(UInt8(ascii: ".")) {
      throw Realm.Error(
        .invalidValue,
        "Map key '\(key)' at \(path()) begins with '$' or contains '.': percent-encode these characters.")
    }
  }
}
