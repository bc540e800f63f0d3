import FiefObjects
public import Foundation

// Off Apple's platforms Foundation declares these and marks them unavailable; the compiler prefers available ones.
#if !canImport(Darwin)
  extension NSPredicate {
    /// The condition of a format string.
    ///
    ///     realm.objects(Dog.self).filter(NSPredicate(format: "age > %d AND name BEGINSWITH[c] %@", 2, "r"))
    ///
    /// The instance is a `FormatPredicate`, so `filter` and compounds of predicates use indexes for it. Traps for a
    /// format that is not a condition, with its position; `FormatPredicate(parsing:)` throws instead.
    ///
    /// - Parameters:
    ///   - format: the condition; `%@` stands for an argument, `%K` for one that names a property, `$NAME` for a
    ///     variable.
    ///   - args: the arguments: values, objects, collections of them, shapes, nil for null.
    public convenience init(format: String, _ args: Any?...) { self.init(made: Self.parsing(format, args)) }

    /// The condition of a format string, with its arguments in an array; otherwise as `init(format:_:)`.
    ///
    ///     realm.objects(Dog.self).filter(NSPredicate(format: "age > %@ AND name == %@", argumentArray: [2, "Rex"]))
    public convenience init(format: String, argumentArray: [Any]?) {
      self.init(made: Self.parsing(format, argumentArray ?? []))
    }

    /// The condition with values for its variables; for a compound, in all of its parts. A predicate without a format
    /// is returned unchanged.
    ///
    ///     let older = NSPredicate(format: "age > $LIMIT")
    ///     let dogs = realm.objects(Dog.self).filter(older.withSubstitutionVariables(["LIMIT": 9]))
    ///
    /// Traps for a variable without a value, and for a class of the application's own.
    ///
    /// - Parameter variables: the values, by the names of the variables without `$`.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
      guard let made = PredicateParts(self).substituting(variables) as? Self else {
        fatalError("Variables cannot be substituted in a '\(type(of: self))': it is a predicate of a class of its own.")
      }
      return made
    }

    private static func parsing(_ format: String, _ arguments: [Any?]) -> Self {
      guard let made = FormatPredicate(format, arguments) as? Self else {
        fatalError("A '\(self)' cannot be made of a format: make an 'NSPredicate', and hold it.")
      }
      return made
    }
  }

  /// Gives classes an initialiser that returns an existing instance. A class's own initialiser can only return a new
  /// instance of that very class. An initialiser of a protocol assigns `self`, and may assign an instance of a
  /// subclass.
  private protocol MadeElsewhere {}

  extension MadeElsewhere {
    fileprivate init(made: Self) { self = made }
  }

  extension NSPredicate: MadeElsewhere {}
#endif
