import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries

extension NestedConstant {
  /// A list or a dictionary of any-values, read by a work list; nil for any other value.
  ///
  /// - Parameter link: returns the constant for an object.
  /// - Throws: `QueryError` for an unmanaged one that contains itself, or the same parts too often.
  init?(_ value: AnyRealmValue, _ link: (ObjectBase) -> StoredValue) throws(QueryError) {
    switch value {
    case .list, .dictionary: break
    default: return nil
    }
    var tokens: [Token] = []
    var paths = ContainerPaths()
    func entered(_ collection: CollectionBase, count: Int, below parent: Int32) throws(QueryError) -> Int32 {
      do throws(ContainerPaths.Refusal) {
        return try paths.enter(ContainerIdentity(collection, count: count), below: parent)
      } catch {
        throw QueryError(
          .argument,
          "A query cannot compare with lists or dictionaries that contain themselves, or the same ones very often.")
      }
    }
    var waiting: [(value: AnyRealmValue, node: Int32)] = [(value, -1)]
    while let (next, parent) = waiting.popLast() {
      switch next {
      case .list(let list):
        let node = try entered(list, count: list.count, below: parent)
        tokens.append(.list(list.count))
        waiting += list.reversed().map { ($0, node) }
      case .dictionary(let map):
        let node = try entered(map, count: map.count, below: parent)
        let keys = map.keys.sorted()
        tokens.append(.dictionary(keys))
        waiting += keys.reversed().map { (map[$0] ?? AnyRealmValue.none, node) }
      case .object(let object): tokens.append(.value(link(object)))
      default: if case .value(let value) = AnyRealmValue._encode(next) { tokens.append(.value(value)) }
      }
    }
    self.init(tokens)
  }
}
