import FiefCopying
import FiefGraph
import FiefSessions
import FiefValues
import Foundation

/// Descriptions of objects, collections and values in Realm's format: class and properties, one a line, with nested
/// objects and collections indented.
///
///     Dog {
///     	name = Rex;
///     	isGood = 1;
///     	toy = Toy {
///     		name = ball;
///     	};
///     	friends = List<Dog> <0x600000c0> (
///     		[0] Dog { … }
///     	);
///     	scores = Map<string, int> <0x600000d0> (
///     	[chess]: 7
///     	);
///     }
///
/// Values appear in their stored form. Output is cut at `deepest` levels, `longest` elements and `widest` bytes, so
/// that a description ends also for objects that reach themselves.
package enum ObjectDescription {
  package static let deepest = 5
  package static let longest = 100
  static let widest = 24

  static func of(_ object: ObjectBase) -> String {
    if let shown = (object as? DynamicObject)?.shown { return of(shown) }
    return text(object, deepest)
  }

  /// Describes a value, an object or a collection that is nested so deep that `levels` levels remain; nil is null.
  package static func text(_ value: Any?, _ levels: Int = deepest, null: String = "(null)") -> String {
    switch value.flatMap(plain) {
    case nil: null
    case let object as ObjectBase: text(object, levels)
    case let collection as any DescribedElements: collection.text(levels)
    case let value as Bool: value ? "1" : "0"
    case let value as Double: number("\(value)")
    case let value as Float: number("\(value)")
    case let value as Data: text(value)
    case let value as String: value
    // Off Apple's platforms, Foundation cannot describe a date that is not a number.
    case let value as Date: Timestamp(value).map { _ in "\(value)" } ?? "\(Timestamp.notAMoment)"
    case let value?: "\(value)"
    }
  }

  /// Drops the fraction that Swift prints for a whole number.
  private static func number(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }

  private static func text(_ data: Data) -> String {
    let bytes = data.prefix(widest).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "<\(bytes) — \(data.count) total bytes>"
  }

  // The recursion ends when `levels` reaches 0.

  private static func text(_ object: ObjectBase, _ levels: Int) -> String {
    if object.isManaged {
      unsafe object.retainedSession.unsafelyUnwrapped.checkConfinement()
      if !object.hasRow { return "[invalid object]" }
    }
    if levels == 0 { return "<Maximum depth exceeded>" }
    let model = object.model
    var lines = "\(model.shownName) {\n"
    for property in model.properties where property.isStored {
      let value = text(property.shown(in: object), levels - 1)
      lines += "\t\(property.name) = \(indented(value));\n"
    }
    return lines + "}"
  }

  /// Indents all lines of a string but the first by one level.
  package static func indented(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: "\n\t") }
}

extension ModelProperty {
  /// The value as a description shows it: the stored one where the type of the property has no value for it, as an enum
  /// without a case for a raw value.
  fileprivate func shown(in object: ObjectBase) -> Any? {
    guard let session = object.retainedSession, let stored = storedWithoutMeaning(in: object) else {
      return plainValue(in: object)
    }
    return stored.shown(in: session)
  }

  /// The stored value of a managed object for which the type of the property has none; nil if it has one, or for null.
  func storedWithoutMeaning(in object: ObjectBase) -> StoredValue? {
    guard isForeign, let session = object.retainedSession, let field = access as? any AnyPersistedField.Type,
      let stored = object.storedValue(of: number, session), !stored.isNull
    else { return nil }
    return field.hasValue(for: stored, _StoreContext(session)) ? nil : stored
  }
}

extension AnyPersistedField {
  fileprivate static func hasValue(for stored: StoredValue, _ context: _StoreContext) -> Bool {
    Content._decode(stored, context) != nil
  }
}

extension ObjectBase {
  /// The stored value of a property; nil for a deleted object.
  fileprivate final func storedValue(of number: Int, _ session: Session) -> StoredValue? {
    guard let cell = binding?.with({ Cell($0.table, key, $0.columns[number]) }) else { return nil }
    return session.read { $0.value(cell) }
  }
}

extension StoredValue {
  /// The value as a description shows it, whatever a property or an element makes of it: a link as its target, and a
  /// list or a dictionary inside an any-value as such. Nil for null.
  func shown(in session: Session) -> Any? {
    guard let linked else { return plain }
    return linked.table.isNested
      ? session.store.classes.dynamicClasses.access.plain(self, session) : session.accessor(linked)
  }
}

/// A collection that describes itself with its first elements.
protocol DescribedElements: AnyObject {
  /// Describes it when it is nested so deep that `levels` levels remain.
  func text(_ levels: Int) -> String
}

extension ObjectBase: MessageDescribing {
  package var messageDescription: String { "an object of class '\(type(of: self).className())'" }
}
