import Dispatch
import Fief
import FiefTestSupport
import Foundation

/// A realm that carries out a program, beside its model.
final class ProgramRun {
  private let configuration: Realm.Configuration
  private let queue: DispatchQueue
  private let isOnDisk: Bool
  private let process: SimulatedProcess?
  private(set) var realm: Realm
  private(set) var model = ProgramModel()
  /// The model as it was committed last.
  private var committed = ProgramModel()
  private var frozen: [(realm: Realm, model: ProgramModel)] = []
  private var observers: [ProgramObserver] = []
  private var held: [ProgramHeld] = []
  private var undoing = ProgramUndoing()
  private var isGrouping = false
  /// Whether the commits count as those of other realms, which are not undone.
  private var isOther = false
  /// Whether the program has ended early, because its model does not know what the realm shows.
  private var hasEnded = false
  /// Some versions that were committed, with their models. They remain known when the store is opened again.
  private var versions: [(number: UInt64, model: ProgramModel)] = []

  private struct Cancelled: Error {}

  init(_ queue: DispatchQueue, _ program: ProgramTarget.Program) throws {
    self.queue = queue
    isOnDisk = program.isOnDisk
    var configuration = Realm.Configuration.inMemory(objectTypes: FuzzRealm.classes)
    process = isOnDisk ? SimulatedProcess(SimulatedDisk(isRecording: false)) : nil
    if let process {
      // The registry of open stores knows them by their paths, so that each program has its own.
      configuration.fileURL = URL(fileURLWithPath: "\(SimulatedDisk.folder)/\(UUID().uuidString).realm")
      configuration.fileSystem = process
      if program.isEncrypted { configuration.cipher = InsecureStandInCipher() }
    }
    configuration.durability = program.isRelaxed ? .relaxed : .full
    if program.keepsVersions { configuration.history = .versions(10_000) }
    self.configuration = configuration
    realm = try Realm(configuration: configuration, queue: queue)
    versions = program.keepsVersions ? [(realm.version, model)] : []
  }

  /// Carries out steps.
  ///
  /// - Parameter depth: the number of savepoints around them.
  func carryOut(_ steps: ArraySlice<ProgramStep>, depth: Int) throws {
    var steps = steps
    while let step = steps.popFirst(), !hasEnded {
      if case .savepoint(let count, let fails) = step {
        let inner = steps.prefix(count)
        steps = steps.dropFirst(count)
        if depth < 4 { try savepoint(inner, fails, depth) }
      } else if case .undoGroup(let count) = step {
        let inner = steps.prefix(count)
        steps = steps.dropFirst(count)
        if depth == 0 { try undoGroup(inner) }
      } else if case .others(let count) = step {
        let inner = steps.prefix(count)
        steps = steps.dropFirst(count)
        if depth == 0, !isGrouping, !isOther { try withoutUndo(inner) }
      } else {
        try carryOut(step, isInSavepoint: depth > 0)
      }
      try FuzzRealm.checkInvariants(realm, "After \(step)")
      if hasEnded { return }
      for held in held { try held.check(model, "After \(step)") }
    }
  }

  /// Ends the program: a write is committed, and all that was kept is checked.
  func finish() throws {
    if realm.isInWriteTransaction, !hasEnded { try commit() }
    for (realm, model) in frozen { try compare(ProgramText.all(realm), model.text, "A frozen version at the end") }
  }

  private func savepoint(_ steps: ArraySlice<ProgramStep>, _ fails: Bool, _ depth: Int) throws {
    beginIfNeeded()
    let saved = model
    do {
      try realm.savepoint {
        try carryOut(steps, depth: depth + 1)
        if fails { throw Cancelled() }
      }
    } catch is Cancelled {
      model.restore(saved)
    }
    try compareAll("After a savepoint")
  }

  private func carryOut(_ step: ProgramStep, isInSavepoint: Bool) throws {
    switch step {
    case .commit: if !isInSavepoint, realm.isInWriteTransaction { try commit() }
    case .hold(let id, let kind):
      if let node = realm.object(ofType: FuzzNode.self, forPrimaryKey: id), let twin = model.nodes[id] {
        held = held.suffix(5) + [ProgramHeld(kind, node, twin, realm)]
      }
    case .undo:
      guard !isInSavepoint, !isGrouping else { return }
      if realm.isInWriteTransaction { try commit() }
      try undo()
    case .redo: if !realm.isInWriteTransaction, !isGrouping { try redo() }
    case .changes(let number):
      if !realm.isInWriteTransaction, !versions.isEmpty { try checkChanges(since: versions[number % versions.count]) }
    case .cancel:
      guard !isInSavepoint, realm.isInWriteTransaction else { return }
      realm.cancelWrite()
      model.restore(committed)
      try compareAll("After cancelWrite")
    case .freeze:
      if !realm.isInWriteTransaction { frozen = frozen.suffix(3) + [(realm.freeze(), model)] }
    case .checkFrozen(let number): if !frozen.isEmpty { try checkFrozen(frozen[number % frozen.count]) }
    case .observe(let kind):
      if !realm.isInWriteTransaction, observers.count < 4 {
        observers.append(ProgramObserver(kind, realm))
        realm.refresh()
      }
    case .query(let kind, let number): try query(kind, number)
    case .reopen: if !isInSavepoint, !isGrouping, !isOther { try reopen() }
    case .compact:
      if !realm.isInWriteTransaction, isOnDisk {
        try realm.compact()
        try compareAll("After compact()")
      }
    default:
      beginIfNeeded()
      try ProgramChange(realm: realm).carryOut(step, &model)
      if let id = step.changed { try compare(id, step) } else { try compareAll("After \(step)") }
    }
  }

  private func beginIfNeeded() { if !realm.isInWriteTransaction { realm.beginWrite() } }

  private func commit() throws {
    let version = realm.version
    try realm.commitWrite()
    // A write without changes makes no version, and cannot be undone.
    if keepsVersions, realm.version != version, !isOther { undoing.record(committed, model, isGrouping: isGrouping) }
    committed = model
    try checkCommitted("After commitWrite")
  }

  private var keepsVersions: Bool { !versions.isEmpty }

  /// Checks what a commit has led to.
  private func checkCommitted(_ when: String) throws {
    realm.refresh()
    try compareAll(when)
    for observer in observers { try observer.check() }
    if keepsVersions, versions.last?.number != realm.version {
      versions = (versions.count < 16 ? versions : [versions[0]] + versions.suffix(14)) + [(realm.version, model)]
    }
    try expect(realm.canUndo == undoing.canUndo, "\(when): canUndo is \(realm.canUndo)")
    try expect(realm.canRedo == undoing.canRedo, "\(when): canRedo is \(realm.canRedo)")
  }

  /// Carries out steps in an undo group, and commits. A group in a group is part of it.
  private func undoGroup(_ steps: ArraySlice<ProgramStep>) throws {
    if realm.isInWriteTransaction { try commit() }
    let isInner = isGrouping
    isGrouping = true
    try realm.undoGroup {
      try carryOut(steps, depth: 0)
      if realm.isInWriteTransaction { try commit() }
    }
    if isInner { return }
    isGrouping = false
    undoing.endGroup()
    try checkCommitted("After undoGroup")
  }

  /// Carries out steps and commits, like another realm of the store.
  private func withoutUndo(_ steps: ArraySlice<ProgramStep>) throws {
    if realm.isInWriteTransaction { try commit() }
    isOther = true
    defer { isOther = false }
    try realm.withoutUndo {
      try carryOut(steps, depth: 0)
      if realm.isInWriteTransaction { try commit() }
    }
  }

  private func undo() throws { try take("undo()", \.done, \.undone, realm.undo) }

  private func redo() throws { try take("redo()", \.undone, \.done, realm.redo) }

  /// Takes back the last step of some, and keeps what takes this back among others.
  private func take(
    _ name: String, _ steps: WritableKeyPath<ProgramUndoing, [ProgramUndoing.Step]>,
    _ opposites: WritableKeyPath<ProgramUndoing, [ProgramUndoing.Step]>, _ body: () throws -> Void
  ) throws {
    guard let last = undoing[keyPath: steps].last else { return try expectNothing(body) }
    guard let opposite = try turn(name, last, body) else { return }
    undoing[keyPath: steps].removeLast()
    if realm.version != versions.last?.number { undoing[keyPath: opposites].append(opposite) }
    try checkCommitted("After \(name)")
  }

  /// Takes back a step.
  ///
  /// - Returns: what takes this back; nil if it was refused, or if the model does not know what it led to.
  private func turn(
    _ name: String, _ step: ProgramUndoing.Step, _ body: () throws -> Void
  ) throws -> ProgramUndoing.Step? {
    do { try body() } catch let error as Realm.Error where error.code == .undoConflict {
      try expect(step.mayConflict(with: model), "\(name) is refused, and nobody stands in the way: \(error)")
      try compareAll("After \(name) was refused")
      return nil
    }
    try FuzzRealm.checkInvariants(realm, "After \(name)")
    guard let result = step.takenBack(from: model) else {
      hasEnded = true
      return nil
    }
    let before = model
    model.restore(result)
    committed = model
    return ProgramUndoing.Step(before: before, after: model)
  }

  private func expectNothing(_ body: () throws -> Void) throws {
    do { try body() } catch let error as Realm.Error where error.code == .nothingToUndo { return }
    throw Finding("There was something to undo or redo.")
  }

  private func reopen() throws {
    guard isOnDisk, !realm.isInWriteTransaction else { return }
    for observer in observers { observer.token?.invalidate() }
    observers = []
    frozen = []
    held = []
    undoing = ProgramUndoing()
    // The realm is released before the next one is opened, so that the store is closed.
    realm = try FuzzRealm.inMemory()
    realm = try Realm(configuration: configuration, queue: queue)
    try compareAll("After opening again")
    let text = model.text
    try expect(process?.disk.files.isEmpty == false || text.isEmpty, "The store has left no file.")
  }

  // MARK: Checks

  private func compare(_ found: String, _ expected: String, _ when: @autoclosure () -> String) throws {
    if found == expected { return }
    let (a, b) = (found.split(separator: "\n"), expected.split(separator: "\n"))
    let index = zip(a, b).enumerated().first { $1.0 != $1.1 }?.offset ?? min(a.count, b.count)
    let (one, other) = (index < a.count ? String(a[index]) : "none", index < b.count ? String(b[index]) : "none")
    throw Finding("\(when()): \(one); the model has \(other)")
  }

  private func compare(_ id: Int, _ step: ProgramStep) throws {
    let node = realm.object(ofType: FuzzNode.self, forPrimaryKey: id)
    try compare(node.map { ProgramText($0).description } ?? "none", model.text(id), "After \(step)")
  }

  private func compareAll(_ when: String) throws { try compare(ProgramText.all(realm), model.text, when) }

  private func checkFrozen(_ kept: (realm: Realm, model: ProgramModel)) throws {
    try compare(ProgramText.all(kept.realm), kept.model.text, "A frozen version")
    for node in kept.realm.objects(FuzzNode.self) {
      let isThere = model.nodes[node.id]?.birth == kept.model.nodes[node.id]?.birth && model.nodes[node.id] != nil
      let thawed = realm.thaw(node)
      try expect((thawed != nil) == isThere, "A thawed node \(node.id) is there: \(thawed != nil)")
      if let thawed { try compare(ProgramText(thawed).description, model.text(node.id), "A thawed node") }
    }
  }

  private func checkChanges(since kept: (number: UInt64, model: ProgramModel)) throws {
    let changes = realm.changes(since: kept.number)
    try expect(changes.isComplete, "The changes since version \(kept.number) are not known.")
    try ProgramChanges(old: kept.model, new: model).check(changes["FuzzNode"])
  }

  private func query(_ kind: Int, _ number: Int) throws {
    let all = realm.objects(FuzzNode.self)
    let (word, small, id) = (ProgramStep.word(number), Int8(number % 128), number % ProgramStep.keys)
    let found: [Int]
    let holds: (ProgramModel.Node) -> Bool
    switch kind % 8 {
    case 0:
      found = all.where { $0.text == word }.map(\.id)
      holds = { $0.text.utf8.elementsEqual(word.utf8) }
    case 1:
      found = all.where { $0.small > small }.map(\.id)
      holds = { $0.small > Int(small) }
    case 2:
      found = all.filter("link.id == %@", id).map(\.id)
      holds = { $0.link == id }
    case 3:
      found = all.filter("ANY links.small >= %@", Int(small)).map(\.id)
      holds = { [model] in $0.links.contains { model.nodes[$0].map { $0.small >= Int(small) } ?? false } }
    case 4:
      found = all.where { $0.numbers.count > number % 5 }.map(\.id)
      holds = { $0.numbers.count > number % 5 }
    case 5:
      found = all.where { $0.part == nil }.map(\.id)
      holds = { $0.part == nil }
    case 6:
      found = all.filter("%@ IN words", word).map(\.id)
      holds = { $0.words.contains { $0.utf8.elementsEqual(word.utf8) } }
    default:
      found = all.filter("origins.@count > %@", number % 3).map(\.id)
      holds = { [model] node in
        model.nodes.first { $0.value.birth == node.birth }.map { model.origins(of: $0.key).count > number % 3 } ?? false
      }
    }
    let expected = model.keys.filter { model.nodes[$0].map(holds) ?? false }
    try expect(
      found.sorted() == expected, "query(\(kind % 8), \(number)) finds \(found.sorted()), expected \(expected).")
    try checkOrder(all)
  }

  private func checkOrder(_ all: Results<FuzzNode>) throws {
    let sorted = all.sorted(by: [SortDescriptor(keyPath: "small"), SortDescriptor(keyPath: "id", ascending: false)])
    let expected = model.keys.sorted { a, b in
      let (x, y) = (model.nodes[a]?.small ?? 0, model.nodes[b]?.small ?? 0)
      return x == y ? a > b : x < y
    }
    try expect(sorted.map(\.id) == expected, "Sorted by small and id: \(sorted.map(\.id)), expected \(expected).")
    let sum: Int = all.sum(ofProperty: "small")
    try expect(sum == model.nodes.values.reduce(0) { $0 + $1.small }, "The sum of small is \(sum).")
  }
}

extension ProgramStep {
  /// The node that alone a step changes; nil when it may change others.
  var changed: Int? {
    switch self {
    case .create(let id, _), .text(let id, _), .small(let id, _), .link(let id, _), .part(let id, _, _),
      .partSize(let id, _), .any(let id, _, _), .appendLink(let id, _), .insertLink(let id, _, _),
      .removeLink(let id, _), .moveLink(let id, _, _), .replaceLink(let id, _, _), .parts(let id, _, _),
      .numbers(let id, _, _, _), .word(let id, _, _), .friend(let id, _, _), .map(let id, _, _),
      .named(let id, _, _, _), .nested(let id, _, _, _), .anys(let id, _, _, _):
      id
    default: nil
    }
  }
}
