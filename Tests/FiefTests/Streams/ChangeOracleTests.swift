import FiefTestSupport
import RealmSwift
import Testing

private class Part: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var rank = 0
  @Persisted var next: Part?
  @Persisted var parts: List<Part>
  @Persisted var marks: MutableSet<Int>
  @Persisted var sizes: Map<String, Int>
  @Persisted var numbers: List<Int>
  @Persisted var label: Label?
  @Persisted var labels: List<Label>
  @Persisted var note: AnyRealmValue
  @Persisted var notes: List<AnyRealmValue>
  @Persisted var group: MutableSet<Part>
  @Persisted var named: Map<String, Part?>
  @Persisted(originProperty: "next") var sources: LinkingObjects<Part>
}

private class Label: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var about: Part?
}

private class PartView: Projection<Part> {
  @Projected(\Part.name) var title
  @Projected(\Part.rank) var rank
  @Projected(\Part.label?.text) var text
}

@Suite("Every change set leads from what was shown before to what is shown now")
@MainActor
struct ChangeOracleTests {
  @Test(arguments: Seeds.first(12)) func `in random histories, by callback and by sequence`(seed: Seed) async throws {
    var random = seed.random
    let (realm, owner) = try Self.begin()
    let watches = Self.watches(realm, owner)
    for watch in watches { watch.begin() }
    var next = 1
    for _ in 0..<30 {
      try realm.write {
        for _ in 0..<random.below(6) { Self.change(realm, owner, &next, &random) }
      }
      switch random.below(4) {
      case 0: Self.deliver(realm)
      case 1: for _ in 0..<random.below(8) { await Task.yield() }
      case 2: for watch in watches { try #require(await eventually { watch.isLevel }, "\(watch.name)") }
      default: break
      }
    }
    Self.deliver(realm)
    for watch in watches {
      try #require(await eventually { watch.isLevel }, "\(watch.name)")
      #expect(watch.errors.isEmpty, "\(watch.name): \(watch.errors)")
      watch.end()
    }
  }

  private static func begin() throws -> (Realm, Part) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Part.self, Label.self]))
    return (realm, try realm.write { realm.create(Part.self, value: ["id": 0, "name": "a"]) })
  }

  private static func deliver(_ realm: Realm) { realm.refresh() }

  private static func change(_ realm: Realm, _ owner: Part, _ next: inout Int, _ random: inout SeededRandom) {
    let all = realm.objects(Part.self)
    let some = all[random.below(all.count)]
    switch random.below(20) {
    case 0, 1, 2:
      let made = realm.create(Part.self, value: ["id": next, "name": "\(random.below(5))", "rank": random.below(9)])
      next += 1
      if random.below(2) == 0 { owner.parts.append(made) }
    case 3: if some.id != 0 { realm.delete(some) }
    case 4: some.name = "\(random.below(5))"
    case 5, 6: some.rank = random.below(9)
    case 7: some.next = random.below(3) == 0 ? nil : all[random.below(all.count)]
    case 8: owner.numbers.insert(random.below(9), at: random.below(owner.numbers.count + 1))
    case 9: if owner.numbers.count > 0 { owner.numbers.remove(at: random.below(owner.numbers.count)) }
    case 10:
      if owner.parts.count > 1 {
        owner.parts.move(from: random.below(owner.parts.count), to: random.below(owner.parts.count))
      }
    case 11: owner.parts.insert(some, at: random.below(owner.parts.count + 1))
    case 12:
      let mark = random.below(9)
      if owner.marks.contains(mark) { owner.marks.remove(mark) } else { owner.marks.insert(mark) }
    case 13: owner.sizes["k\(random.below(4))"] = random.below(3) == 0 ? nil : random.below(5)
    case 14: if owner.group.contains(some) { owner.group.remove(some) } else { owner.group.insert(some) }
    case 15:
      let key = "k\(random.below(4))"
      if random.below(3) == 0 { owner.named.removeObject(for: key) } else { owner.named[key] = .some(some) }
    case 16:
      if let label = some.label, random.below(3) > 0 { label.text = "\(random.below(5))" } else { some.label = Label() }
    case 17:
      if owner.labels.isEmpty || random.below(3) == 0 { owner.labels.insert(Label(), at: 0) }
      let label = owner.labels[random.below(owner.labels.count)]
      switch random.below(4) {
      case 0: owner.labels.remove(at: random.below(owner.labels.count))
      case 1: label.about = some
      default: label.text = "\(random.below(5))"
      }
    case 18: if let note = Self.changed(some.note, some, &random) { some.note = note }
    default:
      if owner.notes.isEmpty || random.below(3) == 0 { owner.notes.append(.none) }
      let position = random.below(owner.notes.count)
      if let note = Self.changed(owner.notes[position], some, &random) { owner.notes[position] = note }
    }
  }

  /// Returns another any-value; nil when a list in this one was changed instead.
  private static func changed(_ note: AnyRealmValue, _ part: Part, _ random: inout SeededRandom) -> AnyRealmValue? {
    if case .list(let list) = note, random.below(3) > 0 {
      list.append(.int(random.below(5)))
      return nil
    }
    return [.int(random.below(5)), .object(part), .fromArray([.object(part)])][random.below(3)]
  }

  /// Every kind of observed thing, each twice: by a block and by a sequence.
  private static func watches(_ realm: Realm, _ owner: Part) -> [Watch] {
    // What the default observation reports: all properties of an element, and those of the objects that it reaches.
    func deep(_ part: Part) -> String { shallow(part) + (part.next.map { " > \(shallow($0))" } ?? "") }
    func shallow(_ part: Part) -> String {
      let labels = part.labels.map(text).joined(separator: ", ")
      return "\(part.id) \(part.name) \(part.rank) \(text(part.label)) \(labels) \(text(part.note))"
    }
    func text(_ label: Label?) -> String { label.map { "\($0.text) \($0.about?.id ?? -1)" } ?? "-" }
    func text(_ note: AnyRealmValue) -> String {
      switch note {
      case .object(let part as Part): "\(part.id) \(part.rank)"
      case .list(let list): list.map { text($0) }.joined(separator: ", ")
      default: "\(note)"
      }
    }
    let all = realm.objects(Part.self)
    var watches: [Watch] = []
    watches += collection("all", all, nil, deep)
    watches += collection("ranks", all, ["rank"]) { "\($0.id) \($0.rank)" }
    watches += collection("linked ranks", all, ["next.rank"]) { "\($0.id) \($0.next?.rank ?? -1) \($0.next?.id ?? -1)" }
    watches += collection("sorted", all.sorted(by: [SortDescriptor(keyPath: "rank"), "id"]), nil, deep)
    watches += collection("filtered", all.where { $0.rank < 5 }, nil, deep)
    watches += collection("filtered by texts", all.where { $0.name == "1" || $0.name.contains("3") }, ["name"]) {
      "\($0.id) \($0.name)"
    }
    watches += collection("filtered by links", all.where { $0.next.rank > 3 }, nil, deep)
    watches += collection("distinct", all.distinct(by: ["name"]), nil, deep)
    watches += collection("limited", all.sorted(by: [SortDescriptor(keyPath: "rank"), "id"]).limit(3), nil, deep)
    watches += collection("list", owner.parts, nil, deep)
    watches += collection("list of numbers", owner.numbers, nil) { "\($0)" }
    watches += collection("list, queried", owner.parts.where { $0.rank > 2 }, ["name"]) { "\($0.id) \($0.name)" }
    watches += collection("set", owner.marks, nil) { "\($0)" }
    watches += collection("set of objects", owner.group, nil, deep)
    watches += collection("embedded objects", owner.labels, nil) { text($0) }
    watches += collection("texts of embedded objects", owner.labels, ["text"]) { $0.text }
    watches += collection("texts in embedded objects", all, ["label.text", "labels.text"]) {
      "\($0.id) \($0.label?.text ?? "-") \($0.labels.map(\.text).joined(separator: " "))"
    }
    watches += collection("any-values", owner.notes, nil) { text($0) }
    watches += collection("backlinks", owner.sources, nil, shallow)
    watches += collection("views", realm.objects(PartView.self), ["rank"]) { "\($0.rootObject.id) \($0.rank)" }
    watches += map("map", owner.sizes) { "\($0)" }
    watches += map("map of objects", owner.named) { $0.map(deep) ?? "-" }
    watches += sections("sections", all.sectioned(by: \.name)) { "\($0.id) \($0.name) \($0.rank)" }
    watches += object("object", owner, ["name", "rank"])
    watches += view("view", PartView(projecting: owner))
    return watches
  }
}

/// A mirror of something that is kept up to date by change sets alone.
@MainActor
private final class Watch {
  let name: String
  let begin: () -> Void
  let end: () -> Void
  private let level: () -> Bool
  private let mirror: Mirror

  init(
    _ name: String, _ mirror: Mirror, _ level: @escaping () -> Bool, begin: @escaping () -> Void,
    end: @escaping () -> Void
  ) {
    self.name = name
    self.mirror = mirror
    self.level = level
    self.begin = begin
    self.end = end
  }

  var isLevel: Bool { level() }
  var errors: [String] { mirror.errors }
}

@MainActor
private final class Mirror {
  var rows: [String] = []
  var entries: [String: String] = [:]
  var sections: [[String]] = []
  var errors: [String] = []
  var token: NotificationToken?
  var task: Task<Void, Never>?

  func apply(_ after: [String], _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
    var now = rows
    if !Set(deletions).isDisjoint(with: modifications) { errors.append("\(modifications) and deleted \(deletions)") }
    if deletions != deletions.sorted() || insertions != insertions.sorted() || modifications != modifications.sorted() {
      errors.append("not in order")
    }
    for position in modifications { now[position] = "?" }
    for position in deletions.reversed() { now.remove(at: position) }
    for position in insertions { now.insert("?", at: position) }
    if now.count != after.count || zip(now, after).contains(where: { $0 != "?" && $0 != $1 }) {
      errors.append("\(rows) -\(deletions) +\(insertions) ~\(modifications) is not \(after)")
    }
    rows = after
  }
}

@MainActor
private func collection<C: RealmCollection>(
  _ name: String, _ collection: C, _ keyPaths: [String]?, _ text: @escaping (C.Element) -> String
) -> [Watch] {
  func take(_ change: RealmCollectionChange<C>, _ mirror: Mirror) {
    switch change {
    case .initial(let all): mirror.rows = all.map(text)
    case .update(let all, let deletions, let insertions, let modifications):
      mirror.apply(all.map(text), deletions, insertions, modifications)
    case .error: mirror.errors.append("error")
    }
  }
  return pair(
    name, { mirror in mirror.rows == collection.map(text) },
    { mirror in collection.observe(keyPaths: keyPaths) { take($0, mirror) } },
    { mirror in for await change in collection.changes(keyPaths: keyPaths) { take(change, mirror) } })
}

@MainActor
private func map<Value>(
  _ name: String, _ map: Map<String, Value>, _ text: @escaping (Value) -> String
) -> [Watch] {
  func texts(_ map: Map<String, Value>) -> [String: String] {
    Dictionary(uniqueKeysWithValues: map.map { ($0.key, text($0.value)) })
  }
  func take(_ change: RealmMapChange<Map<String, Value>>, _ mirror: Mirror) {
    switch change {
    case .initial(let map): mirror.entries = texts(map)
    case .update(let map, let deletions, let insertions, let modifications):
      var now = mirror.entries
      let after = texts(map)
      for key in deletions { now[key] = nil }
      for key in insertions + modifications { now[key] = after[key] }
      if now != after {
        mirror.errors.append("\(mirror.entries) -\(deletions) +\(insertions) ~\(modifications): \(after)")
      }
      mirror.entries = after
    case .error: mirror.errors.append("error")
    }
  }
  return pair(
    name, { mirror in mirror.entries == texts(map) }, { mirror in map.observe { take($0, mirror) } },
    { mirror in for await change in map.changes { take(change, mirror) } })
}

@MainActor
private func sections(
  _ name: String, _ sections: SectionedResults<String, Part>, _ text: @escaping (Part) -> String
) -> [Watch] {
  func all(_ sections: SectionedResults<String, Part>) -> [[String]] { sections.map { $0.map(text) } }
  func take(_ change: SectionedResultsChange<SectionedResults<String, Part>>, _ mirror: Mirror) {
    switch change {
    case .initial(let sections): mirror.sections = all(sections)
    case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
      var now = mirror.sections
      let after = all(sections)
      for path in modifications { now[path[0]][path[1]] = "?" }
      for path in deletions.sorted().reversed() { now[path[0]].remove(at: path[1]) }
      for section in deleted.reversed() { now.remove(at: section) }
      for section in inserted { now.insert([], at: section) }
      for path in insertions.sorted() { now[path[0]].insert("?", at: path[1]) }
      let fits =
        now.count == after.count
        && zip(now, after).allSatisfy { a, b in
          a.count == b.count && zip(a, b).allSatisfy { $0 == "?" || $0 == $1 }
        }
      if !fits { mirror.errors.append("\(mirror.sections) to \(after): \(now)") }
      mirror.sections = after
    }
  }
  return pair(
    name, { mirror in mirror.sections == all(sections) },
    { mirror in sections.observe(keyPaths: ["name", "rank"]) { take($0, mirror) } },
    { mirror in for await change in sections.changes(keyPaths: ["name", "rank"]) { take(change, mirror) } })
}

@MainActor
private func object(_ name: String, _ part: Part, _ keyPaths: [String]) -> [Watch] {
  func text(_ part: Part) -> [String: String] { ["name": part.name, "rank": "\(part.rank)"] }
  return pair(
    name, { mirror in mirror.entries == text(part) },
    { mirror in
      mirror.entries = text(part)
      return part.observe(keyPaths: keyPaths) { take($0, mirror) }
    },
    { mirror in
      mirror.entries = text(part)
      for await change in part.changes(keyPaths: keyPaths) { take(change, mirror) }
    })
}

@MainActor
private func view(_ name: String, _ view: PartView) -> [Watch] {
  func text(_ view: PartView) -> [String: String] {
    ["title": view.title, "rank": "\(view.rank)", "text": view.text ?? "nil"]
  }
  return pair(
    name, { mirror in mirror.entries == text(view) },
    { mirror in
      mirror.entries = text(view)
      return view.observe { take($0, mirror) }
    },
    { mirror in
      mirror.entries = text(view)
      for await change in view.changes { take(change, mirror) }
    })
}

@MainActor
private func take<T>(_ change: ObjectChange<T>, _ mirror: Mirror) {
  guard case .change(_, let properties) = change else { return mirror.errors.append("\(change)") }
  for property in properties {
    let old = property.oldValue.map { "\($0)" } ?? "nil"
    if mirror.entries[property.name] != old { mirror.errors.append("\(property) after \(mirror.entries)") }
    mirror.entries[property.name] = property.newValue.map { "\($0)" } ?? "nil"
  }
}

/// Watches by a block and by a sequence.
@MainActor
private func pair(
  _ name: String, _ level: @escaping @MainActor (Mirror) -> Bool,
  _ observe: @escaping @MainActor (Mirror) -> NotificationToken,
  _ follow: @escaping @MainActor (Mirror) async -> Void
) -> [Watch] {
  let (called, followed) = (Mirror(), Mirror())
  return [
    Watch("\(name), by a block", called, { level(called) }) {
      called.token = observe(called)
    } end: {
      called.token?.invalidate()
    },
    Watch("\(name), by a sequence", followed, { level(followed) }) {
      followed.task = Task { await follow(followed) }
    } end: {
      followed.task?.cancel()
    },
  ]
}
