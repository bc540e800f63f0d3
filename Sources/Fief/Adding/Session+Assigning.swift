import FiefCopying
import FiefGraph
import FiefSessions
import Foundation

extension Session {
  /// Assigns an untyped value to one property of a row, with the conversions of `create`: dictionaries and arrays
  /// become objects. An invalid value fails the write.
  ///
  /// - Parameters:
  ///   - name: the name of the property, which is not the primary key.
  ///   - key: the row, which exists.
  ///   - binding: the class whose declarations apply.
  ///   - policy: the treatment of an existing collection: `.modified` keeps the entries of a map whose keys are not
  ///     given.
  ///   - copies: whether objects of other stores are copied rather than refused.
  func assign(
    _ value: Any?, _ name: String, _ key: ObjectKey, _ binding: ClassBinding, _ policy: PlanPolicy, copies: Bool = false
  ) {
    let value = value.flatMap(flattened) ?? NSNull()
    perform { transaction in
      try planning(transaction, PlanRequest(copies ? .copy : .add, .error)) { planner in
        planner.enter(name, value, of: key, binding.rows)
        try planner.walk()
        try planner.apply(policy)
        planner.bindObjects()
      }
    }
  }
}
