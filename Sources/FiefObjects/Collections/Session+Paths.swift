import FiefCopying
import FiefGraph
import FiefSessions

extension Session {
  /// The class and the property of a cell, for messages. For a collection inside an any-value these are of the property
  /// that holds the outermost collection, and the positions that lead to this one follow: `Dog.note['toys'][1]`. Nil
  /// for a cell that is gone.
  ///
  /// - Complexity: linear in the collections around it.
  func path(of cell: Cell) -> String? {
    read { graph in
      var cell = cell
      var places: [String] = []
      while cell.table.isNested {
        guard let owner = graph.owner(of: cell.object) else { return nil }
        if let place = place(of: cell.object, in: owner, graph) { places.append(place) }
        cell = owner
      }
      let binding = store.binding(of: cell.table) ?? store.dynamicBinding(of: cell.table)
      guard let binding, let property = binding.all.first(where: { $0.column == cell.column }) else { return nil }
      return PlanPath.join(["\(binding.name).\(property.name)"] + places.reversed())
    }
  }

  /// The position of an owned row in the cell of its owner; nil where that holds nothing else.
  private func place(of row: ObjectLink, in owner: Cell, _ graph: Graph) -> String? {
    guard let collection = graph.collection(owner) else { return nil }
    var position = -1
    let type = ColumnType(.any, shape: collection.shape)
    collection.forEach(as: type) { value in
      position += 1
      return value != .link(row)
    }
    guard position >= 0 else { return nil }
    return PlanStep.Place(key: collection.key(ofEntryAt: position), index: position).text
  }
}
