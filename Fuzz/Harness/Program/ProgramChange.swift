import Fief

/// Carries out the steps that change something, on a realm and on its model.
struct ProgramChange {
  let realm: Realm

  func carryOut(_ step: ProgramStep, _ model: inout ProgramModel) throws {
    switch step {
    case .create(let id, let word):
      let text = ProgramStep.word(word)
      realm.create(FuzzNode.self, value: ["id": id, "text": text], update: .modified)
      model.create(id)
      model.nodes[id]?.text = text
    case .createNested(let id, let other, let size):
      // An object that names itself is a cycle, which creating refuses.
      guard id != other else { return }
      realm.create(
        FuzzNode.self, value: ["id": id, "link": ["id": other], "part": ["size": size]] as [String: Any],
        update: .modified)
      model.create(id)
      model.create(other)
      model.nodes[id]?.link = other
      // A part that is there is updated, so that it keeps what is not named.
      let birth = model.newBirth()
      if model.nodes[id]?.part == nil { model.nodes[id]?.part = .init(birth: birth) }
      model.nodes[id]?.part?.size = size
    case .delete(let id):
      if let node = node(id) { realm.delete(node) }
      model.delete(id)
    case .deleteWhere(let number):
      realm.delete(realm.objects(FuzzNode.self).where { $0.small > Int8(number) })
      for id in model.keys where model.nodes[id].map({ $0.small > number }) ?? false { model.delete(id) }
    case .deleteAll:
      realm.deleteAll()
      model.nodes = [:]
    default:
      guard let id = step.changed, let node = node(id), var twin = model.nodes[id] else { return }
      scalars(step, node, &twin, newBirth: model.newBirth())
      links(step, node, &twin)
      collections(step, node, &twin)
      model.nodes[id] = twin
    }
  }

  private func node(_ id: Int) -> FuzzNode? { realm.object(ofType: FuzzNode.self, forPrimaryKey: id) }

  private func scalars(_ step: ProgramStep, _ node: FuzzNode, _ twin: inout ProgramModel.Node, newBirth: Int) {
    switch step {
    case .text(_, let word):
      node.text = ProgramStep.word(word)
      twin.text = ProgramStep.word(word)
    case .small(_, let number):
      node.small = Int8(number)
      twin.small = number
    case .link(_, let other):
      let target = other.flatMap { self.node($0) }
      node.link = target
      twin.link = target?.id
    case .part(_, let size, let other):
      guard let size else {
        node.part = nil
        twin.part = nil
        return
      }
      let target = other.flatMap { self.node($0) }
      let part = FuzzPart(value: ["size": size])
      node.part = part
      node.part?.node = target
      twin.part = .init(birth: newBirth, size: size, node: target?.id)
    case .partSize(_, let size):
      node.part?.size = size
      node.part?.label = "label \(size)"
      twin.part?.size = size
      twin.part?.label = "label \(size)"
    case .any(_, let kind, let number):
      switch kind % 5 {
      case 0:
        node.any = .none
        twin.any = .none
      case 1:
        node.any = .int(number)
        twin.any = .int(number)
      case 2:
        node.any = .string(ProgramStep.word(number))
        twin.any = .text(ProgramStep.word(number))
      case 3:
        guard let other = self.node(number % ProgramStep.keys) else { return }
        node.any = .object(other)
        twin.any = .node(other.id)
      default:
        let list = List<AnyRealmValue>()
        list.append(objectsIn: (0..<number % 4).map { .int($0) })
        node.any = .list(list)
        twin.any = .list((0..<number % 4).map { .int($0) })
      }
    case .nested(_, let kind, let a, let b):
      let nesting = ProgramNesting { self.node($0) }
      if !nesting.change(node.any, &twin.any, kind, a, b) { nesting.set(kind, b, { node.any = $0 }, { twin.any = $0 }) }
    case .anys(_, let kind, let a, let b):
      ProgramNesting { self.node($0) }.change(node.anys, &twin.anys, kind, a, b)
    default: break
    }
  }

  private func links(_ step: ProgramStep, _ node: FuzzNode, _ twin: inout ProgramModel.Node) {
    let count = twin.links.count
    switch step {
    case .appendLink(_, let other):
      guard let target = self.node(other) else { return }
      node.links.append(target)
      twin.links.append(other)
    case .insertLink(_, let other, let at):
      guard let target = self.node(other) else { return }
      node.links.insert(target, at: at % (count + 1))
      twin.links.insert(other, at: at % (count + 1))
    case .removeLink(_, let at):
      guard count > 0 else { return }
      node.links.remove(at: at % count)
      twin.links.remove(at: at % count)
    case .moveLink(_, let from, let to):
      guard count > 0 else { return }
      node.links.move(from: from % count, to: to % count)
      twin.links.insert(twin.links.remove(at: from % count), at: to % count)
    case .replaceLink(_, let other, let at):
      guard count > 0, let target = self.node(other) else { return }
      node.links[at % count] = target
      twin.links[at % count] = other
    case .friend(_, let other, let isKept):
      guard let target = self.node(other) else { return }
      if isKept { node.friends.insert(target) } else { node.friends.remove(target) }
      if isKept { twin.friends.insert(other) } else { twin.friends.remove(other) }
    case .named(_, let key, let other, let isKept):
      let target = other.flatMap { self.node($0) }
      if isKept { node.named["k\(key)"] = .some(target) } else { node.named["k\(key)"] = nil }
      twin.named["k\(key)"] = isKept ? .some(target?.id) : nil
    default: break
    }
  }

  private func collections(_ step: ProgramStep, _ node: FuzzNode, _ twin: inout ProgramModel.Node) {
    switch step {
    case .parts(_, let kind, let number):
      let count = twin.parts.count
      switch kind % 3 {
      case 0:
        node.parts.insert(FuzzPart(value: ["size": number]), at: number % (count + 1))
        twin.parts.insert(number, at: number % (count + 1))
      case 1 where count > 0:
        node.parts.remove(at: number % count)
        twin.parts.remove(at: number % count)
      case 2 where count > 0:
        node.parts[number % count].size = number
        twin.parts[number % count] = number
      default: break
      }
    case .numbers(_, let kind, let a, let b):
      let count = twin.numbers.count
      switch kind % 6 {
      case 0:
        node.numbers.append(a)
        twin.numbers.append(a)
      case 1:
        node.numbers.insert(a, at: b % (count + 1))
        twin.numbers.insert(a, at: b % (count + 1))
      case 2 where count > 0:
        node.numbers.remove(at: a % count)
        twin.numbers.remove(at: a % count)
      case 3:
        node.numbers.append(objectsIn: 0..<a)
        twin.numbers.append(contentsOf: 0..<a)
      case 4:
        let low = min(a, count)
        node.numbers.removeSubrange(low..<min(count, low + b))
        twin.numbers.removeSubrange(low..<min(count, low + b))
      case 5 where a == 0:
        node.numbers.removeAll()
        twin.numbers.removeAll()
      default: break
      }
    case .word(_, let word, let isKept):
      let text = ProgramStep.word(word)
      if isKept { node.words.insert(text) } else { node.words.remove(text) }
      if isKept { twin.words.insert(text) } else { twin.words.remove(text) }
    case .map(_, let key, let value):
      node.map["k\(key)"] = value
      twin.map["k\(key)"] = value
    default: break
    }
  }
}
