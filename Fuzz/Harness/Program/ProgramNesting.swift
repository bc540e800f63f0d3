import Fief

/// Changes any-values, and the lists and dictionaries that they nest, beside their models.
struct ProgramNesting {
  /// The node with a key.
  let node: (Int) -> FuzzNode?

  private static let keys = ["a", "b", "", "caf\u{E9}"]

  /// Sets a value, of a kind and with a number.
  func set(
    _ kind: Int, _ number: Int, _ real: (AnyRealmValue) -> Void, _ model: (ProgramModel.AnyValue) -> Void
  ) {
    let twin = twin(kind, number)
    real(value(twin))
    model(twin)
  }

  private func twin(_ kind: Int, _ number: Int) -> ProgramModel.AnyValue {
    let other = number % ProgramStep.keys
    return switch kind % 8 {
    case 0: .none
    case 1: .int(number)
    case 2: .text(ProgramStep.word(number))
    case 3: node(other) == nil ? .int(-1) : .node(other)
    case 4: .list((0..<number % 5).map { twin($0, number) })
    case 5: .dictionary(["a": twin(3, number), "b": .list([.int(number)])])
    case 6: .list([.list([twin(3, number)]), .dictionary(["": .int(number)])])
    default: .dictionary([:])
    }
  }

  private func value(_ twin: ProgramModel.AnyValue) -> AnyRealmValue {
    switch twin {
    case .none: .none
    case .int(let number): .int(number)
    case .text(let text): .string(text)
    case .node(let id): node(id).map(AnyRealmValue.object) ?? .none
    case .list(let elements): .fromArray(elements.map(value))
    case .dictionary(let entries): .fromDictionary(entries.mapValues(value))
    }
  }

  /// Changes the collection that a value is.
  ///
  /// - Returns: false when it is none.
  func change(_ value: AnyRealmValue, _ twin: inout ProgramModel.AnyValue, _ kind: Int, _ a: Int, _ b: Int) -> Bool {
    switch (value, twin) {
    case (.list(let list), .list(var elements)):
      change(list, &elements, kind, a, b)
      twin = .list(elements)
    case (.dictionary(let map), .dictionary(var entries)):
      change(map, &entries, kind, a, b)
      twin = .dictionary(entries)
    default: return false
    }
    return true
  }

  func change(
    _ list: List<AnyRealmValue>, _ twin: inout [ProgramModel.AnyValue], _ kind: Int, _ a: Int, _ b: Int
  ) {
    let count = twin.count
    switch kind % 8 {
    case 0: set(a, b, { list.append($0) }, { twin.append($0) })
    case 1: set(a, b, { list.insert($0, at: b % (count + 1)) }, { twin.insert($0, at: b % (count + 1)) })
    case 2 where count > 0:
      list.remove(at: b % count)
      twin.remove(at: b % count)
    case 3 where count > 0: set(a, b, { list[b % count] = $0 }, { twin[b % count] = $0 })
    case 4 where count > 0:
      list.move(from: a % count, to: b % count)
      twin.insert(twin.remove(at: a % count), at: b % count)
    case 5 where count > 0:
      list.swapAt(a % count, b % count)
      twin.swapAt(a % count, b % count)
    case 6 where count > 0: _ = change(list[b % count], &twin[b % count], kind / 8, a, b / 2)
    case 7 where a % 4 == 0:
      list.removeAll()
      twin.removeAll()
    default: break
    }
  }

  private func change(
    _ map: Map<String, AnyRealmValue>, _ twin: inout [String: ProgramModel.AnyValue], _ kind: Int, _ a: Int, _ b: Int
  ) {
    let key = Self.keys[b % Self.keys.count]
    switch kind % 4 {
    case 0, 1: set(a, b, { map[key] = $0 }, { twin[key] = $0 })
    case 2:
      map.removeObject(for: key)
      twin[key] = nil
    default:
      guard let value = map[key], var inner = twin[key] else { return }
      _ = change(value, &inner, kind / 4, a, b / 2)
      twin[key] = inner
    }
  }
}
