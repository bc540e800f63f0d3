extension ProgramStep: CustomStringConvertible {
  /// The step as a line of Swift, where `n[5]` is the node with the key 5.
  var description: String {
    func node(_ id: Int?) -> String { id.map { "n[\($0)]" } ?? "nil" }
    func text(_ number: Int) -> String { Self.word(number).debugDescription }
    switch self {
    case .create(let id, let word):
      return "realm.create(FuzzNode.self, value: [\"id\": \(id), \"text\": \(text(word))], update: .modified)"
    case .createNested(let id, let other, let size):
      return "realm.create(FuzzNode.self, value: [\"id\": \(id), \"link\": [\"id\": \(other)], "
        + "\"part\": [\"size\": \(size)]], update: .modified)"
    case .text(let id, let word): return "n[\(id)].text = \(text(word))"
    case .small(let id, let number): return "n[\(id)].small = \(number)"
    case .link(let id, let other): return "n[\(id)].link = \(node(other))"
    case .part(let id, let size, let other):
      return size.map { "n[\(id)].part = FuzzPart(value: [\"size\": \($0), \"node\": \(node(other))])" }
        ?? "n[\(id)].part = nil"
    case .partSize(let id, let size): return "n[\(id)].part?.size = \(size)"
    case .any(let id, let kind, let number): return "n[\(id)].any = value(\(kind), \(number))"
    case .appendLink(let id, let other): return "n[\(id)].links.append(n[\(other)])"
    case .insertLink(let id, let other, let at): return "n[\(id)].links.insert(n[\(other)], at: \(at) % (count + 1))"
    case .removeLink(let id, let at): return "n[\(id)].links.remove(at: \(at) % count)"
    case .moveLink(let id, let from, let to): return "n[\(id)].links.move(from: \(from) % count, to: \(to) % count)"
    case .replaceLink(let id, let other, let at): return "n[\(id)].links[\(at) % count] = n[\(other)]"
    case .parts(let id, let kind, let number): return "n[\(id)].parts change(\(kind % 3), \(number))"
    case .numbers(let id, let kind, let a, let b): return "n[\(id)].numbers change(\(kind % 6), \(a), \(b))"
    case .word(let id, let word, let isKept): return "n[\(id)].words.\(isKept ? "insert" : "remove")(\(text(word)))"
    case .friend(let id, let other, let isKept): return "n[\(id)].friends.\(isKept ? "insert" : "remove")(n[\(other)])"
    case .map(let id, let key, let value): return "n[\(id)].map[\"k\(key)\"] = \(value.map(String.init) ?? "nil")"
    case .named(let id, let key, let other, let isKept):
      return isKept ? "n[\(id)].named[\"k\(key)\"] = .some(\(node(other)))" : "n[\(id)].named[\"k\(key)\"] = nil"
    case .delete(let id): return "realm.delete(n[\(id)])"
    case .deleteWhere(let number): return "realm.delete(realm.objects(FuzzNode.self).where { $0.small > \(number) })"
    case .deleteAll: return "realm.deleteAll()"
    case .savepoint(let count, let fails):
      return "try realm.savepoint { /* the next \(count) steps */\(fails ? "; throw Cancelled()" : "") }"
    case .commit: return "try realm.commitWrite(); realm.refresh()"
    case .cancel: return "realm.cancelWrite()"
    case .freeze: return "frozen.append(realm.freeze())"
    case .checkFrozen(let number): return "check(frozen[\(number) % frozen.count])"
    case .observe(let kind): return "observe(\(kind))"
    case .query(let kind, let number): return "query(\(kind % 8), \(number))"
    case .reopen: return "close(); realm = try Realm(configuration: configuration)"
    case .compact: return "try realm.compact()"
    case .undo: return "try realm.undo()"
    case .redo: return "try realm.redo()"
    case .undoGroup(let count): return "try realm.undoGroup { /* the next \(count) steps; a commit */ }"
    case .changes(let number): return "check(realm.changes(since: versions[\(number) % versions.count]))"
    case .nested(let id, let kind, let a, let b): return "n[\(id)].any change(\(kind), \(a), \(b))"
    case .others(let count): return "try realm.withoutUndo { /* the next \(count) steps; a commit */ }"
    case .hold(let id, let kind): return "held.append(hold(n[\(id)], \(kind)))"
    case .anys(let id, let kind, let a, let b): return "n[\(id)].anys change(\(kind), \(a), \(b))"
    }
  }
}
