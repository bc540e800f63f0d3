public import Foundation

// Off Apple's platforms Foundation declares these and marks them unavailable; those that can be called go before them.
#if !canImport(Darwin)
  extension NSPredicate {
    /// The condition of a text.
    ///
    ///     realm.objects(Dog.self).filter(NSPredicate(format: "age > %d AND name BEGINSWITH[c] %@", 2, "r"))
    ///
    /// What is made is a `FormatPredicate`, so that `filter` and compounds of predicates find by indexes what it asks
    /// for. Traps for a text that is no condition, and says where; `FormatPredicate(parsing:)` throws.
    ///
    /// - Parameters:
    ///   - format: the condition; `%@` stands for an argument, `%K` for one that names a property, `$NAME` for a
    ///     variable.
    ///   - args: the arguments: values, objects, collections of them, shapes, nil for null.
    public convenience init(format: String, _ args: Any?...) { self.init(made: Self.parsing(format, args)) }

    /// The condition of a text, with its arguments in an array; otherwise as `init(format:_:)`.
    public convenience init(format: String, argumentArray: [Any]?) {
      self.init(made: Self.parsing(format, argumentArray ?? []))
    }

    /// The condition with values for its variables; of a compound, all of its parts. A predicate that is no text's
    /// stays as it is.
    ///
    /// Traps for a variable without a value, and for a class of the application's own.
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

  /// Gives classes an initialiser that gives an instance made elsewhere. A class's own initialiser can give nothing but
  /// a new instance of that very class; one of a protocol assigns `self`, whatever the type, and an instance of a
  /// subclass is what that may be.
  private protocol MadeElsewhere {}

  extension MadeElsewhere {
    fileprivate init(made: Self) { self = made }
  }

  extension NSPredicate: MadeElsewhere {}
#endif
