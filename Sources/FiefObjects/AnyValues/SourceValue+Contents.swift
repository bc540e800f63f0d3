import FiefCopying

// What the types of properties give, as a planner reads it.

extension SourceValue {
  init(_ content: _PropertyContent) {
    switch content {
    case .value(let value): self = .stored(value)
    case .object(let object): self = .object(object.represented)
    case .collection(let collection): self = .collection(collection)
    case .nested(let contents): self = .nested(SourceElements(contents.elements))
    }
  }

  /// A list or a dictionary stays the collection that it is, by which it is recognised when it is met again.
  init(_ value: AnyRealmValue) {
    switch value {
    case .object(let object): self = .object(object.represented)
    case .list(let list): self = .collection(list)
    case .dictionary(let map): self = .collection(map)
    default: self.init(AnyRealmValue._encode(value))
    }
  }
}

extension SourceElements {
  init(_ elements: NestedContents.Elements) {
    switch elements {
    case .list(let values): self.init(isList: true, values.map { (nil, SourceValue($0)) })
    case .dictionary(let entries): self.init(isList: false, entries.map { ($0.0, SourceValue($0.1)) })
    }
  }
}
