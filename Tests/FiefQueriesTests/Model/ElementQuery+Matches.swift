import FiefGraph
import FiefQueries

extension ElementQuery {
  /// Whether a value satisfies the condition.
  func matches(_ value: Value, in graph: Graph) -> Bool { !elements([value], in: graph).isEmpty }
}
