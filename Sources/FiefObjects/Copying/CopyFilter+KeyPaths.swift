public import FiefCopying

// Rules by the key paths of a class.

extension CopyFilter {
  /// Every property except the named ones.
  ///
  ///     let copy = person.detached(properties: .except(\Person.diary))
  ///
  /// Traps for key paths that pass several properties, or none.
  public static func except<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> CopyFilter {
    all.adding(Root.self, properties, isOnly: false)
  }

  /// Only the named properties of the key paths' class, and everything of other classes, what subclasses add included.
  ///
  ///     let copy = dog.detached(properties: .only(\Dog.name, \Dog.age))
  ///
  /// Traps for key paths that pass several properties, or none.
  public static func only<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> CopyFilter {
    all.adding(Root.self, properties, isOnly: true)
  }

  /// A copy of this filter that also leaves out the named properties.
  ///
  ///     let copy = person.detached(properties: .except(\Person.diary).except(\Dog.photo))
  ///
  /// Traps for key paths that pass several properties, or none.
  public func except<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> CopyFilter {
    adding(Root.self, properties, isOnly: false)
  }

  /// A copy of this filter that includes only the named properties of this class.
  ///
  ///     let card = person.detached(properties: .only(\Person.name, \Person.dogs).only(\Dog.name))
  ///
  /// Traps for key paths that pass several properties, or none.
  public func only<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> CopyFilter {
    adding(Root.self, properties, isOnly: true)
  }

  private func adding<Root: ObjectBase>(
    _ type: Root.Type, _ keyPaths: [PartialKeyPath<Root>], isOnly: Bool
  ) -> CopyFilter {
    let names = Set(keyPaths.map { _name(for: $0) })
    for name in names where name.contains(".") {
      fatalError("A copy is told of properties one by one: '\(name)' leads through several.")
    }
    return self.adding(ModelClass.of(type), names, isOnly: isOnly)
  }
}
