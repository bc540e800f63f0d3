import FiefObjects
import FiefSessions

/// A test of the program for elements of a view.
struct ElementTest {
  /// The elements of a view that pass.
  let passing: (ResultsStorage) -> ResultsContents

  init<Element: RealmCollectionValue>(_ test: @escaping (Element) -> Bool) {
    passing = { core in
      var elements = RLMIterator<Element>(walk: core.walkUnnoted(), context: core.context)
      func passes() -> Bool { elements.next().map(test) ?? false }
      if core.givesRows {
        return .keys(ContiguousArray(core.contents().keys.filter { _ in passes() }))
      }
      return .values(core.storedValuesUnnoted.filter { _ in passes() })
    }
  }
}
