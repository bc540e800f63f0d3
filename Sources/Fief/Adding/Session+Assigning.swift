import FiefCopying
import FiefGraph
import Foundation

extension Session {
  /// Gives one property of a row the objects that something untyped stands for, as `create` reads it: dictionaries and
  /// arrays become objects. What is wrong with it fails the write.
  ///
  /// - Parameters:
  ///   - name: the name of the property, which is a link or a collection of links.
  ///   - key: the row, which is there.
  ///   - binding: the class by which it is read.
  ///   - policy: what becomes of a collection that is there: `.modified` keeps the entries of a map whose keys are not
  ///     given.
  func assign(_ value: Any?, _ name: String, _ key: ObjectKey, _ binding: ClassBinding, _ policy: PlanPolicy) {
    let value = value.flatMap(flattened) ?? NSNull()
    perform { transaction in
      try planning(transaction, .add, .error) { planner in
        planner.enter(name, value, of: key, binding)
        try planner.walk()
        try planner.plan.apply(to: transaction, policy)
        planner.bindObjects()
      }
    }
  }
}

extension Planner {
  /// Plans a change of one property of a row that is there.
  fileprivate func enter(_ name: String, _ value: Any, of key: ObjectKey, _ binding: ClassBinding) {
    var row = PlannedRow(binding.table, .root)
    row.key = key
    row.traits.insert(.update)
    // What the collection holds goes before the new elements come.
    plan.canBeRefused = true
    items.append(Item(source: .dictionary([name: value]), binding: binding))
    noteDepth(.root, isOwned: false)
    _ = plan.add(row)
  }
}
