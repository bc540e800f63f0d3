#if !(canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS))

  /// A value that a view shows and changes, wherever the value is kept.
  ///
  ///     struct NameField {
  ///       @Binding var name: String
  ///       func clear() { name = "" }
  ///     }
  ///     NameField(name: $dog.name).clear()          // writes to the realm
  ///
  /// This type exists where SwiftUI does not, with the members of SwiftUI's type that code without views uses.
  @propertyWrapper
  @dynamicMemberLookup
  public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    /// A binding that reads and writes through closures.
    ///
    ///     var text = ""
    ///     let field = Binding(get: { text }, set: { text = $0 })
    ///
    /// - Parameters:
    ///   - get: returns the value. It is called for each read.
    ///   - set: receives each value that is assigned.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
      read = get
      write = set
    }

    /// A copy of a binding, for properties that are declared with the wrapper.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// A binding to an optional that holds the value of another binding. Assigning nil changes nothing.
    ///
    ///     let name: Binding<String?> = Binding($dog.name)
    public init<Wrapped>(_ base: Binding<Wrapped>) where Value == Wrapped? {
      self.init(get: { base.wrappedValue }, set: { if let value = $0 { base.wrappedValue = value } })
    }

    /// A binding to the value in an optional; nil when the optional is nil now. It keeps returning the last value after
    /// the optional has become nil; an object as it was then.
    ///
    ///     if let city = Binding($dog.city) { print(city.wrappedValue) }          // of 'city: String?'
    public init?(_ base: Binding<Value?>) {
      guard let first = base.wrappedValue else { return nil }
      var last = FrozenCopy.kept(first)
      self.init(
        get: {
          guard let value = base.wrappedValue else { return last }
          last = FrozenCopy.kept(value)
          return value
        }, set: { base.wrappedValue = $0 })
    }

    /// A binding that always returns a value and ignores assignments.
    ///
    ///     NameField(name: .constant("Rex"))
    ///
    /// - Parameter value: the value that every read returns.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

    /// The value. Reading and writing call the closures of the binding.
    ///
    ///     $dog.name.wrappedValue = "Rex"
    public var wrappedValue: Value {
      get { read() }
      nonmutating set { write(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// A binding to a property of the value.
    ///
    ///     let street = $place.street          // of '@Binding var place: Place', a structure
    ///
    /// - Parameter keyPath: the property.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
      Binding<Subject>(get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
    }
  }

  extension Binding: Identifiable where Value: Identifiable {
    /// The identity of the value.
    public var id: Value.ID { wrappedValue.id }
  }

#endif
