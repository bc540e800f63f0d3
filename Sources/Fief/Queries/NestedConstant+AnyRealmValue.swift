import FiefGraph
import FiefQueries

extension NestedConstant {
  /// A list or a dictionary of any-values, by a list of what is still to be looked at; nil for any other value.
  ///
  /// - Parameter link: what is compared with for an object.
  init?(_ value: AnyRealmValue, _ link: (ObjectBase) -> StoredValue) {
    switch value {
    case .list, .dictionary: break
    default: return nil
    }
    var tokens: [Token] = []
    var waiting = [value]
    while let next = waiting.popLast() {
      switch next {
      case .list(let list):
        tokens.append(.list(list.count))
        waiting += list.reversed()
      case .dictionary(let map):
        let keys = map.keys.sorted()
        tokens.append(.dictionary(keys))
        waiting += keys.reversed().map { map[$0] ?? AnyRealmValue.none }
      case .object(let object): tokens.append(.value(link(object)))
      default: if case .value(let value) = AnyRealmValue._content(next) { tokens.append(.value(value)) }
      }
    }
    self.init(tokens)
  }
}
