import Fief
import FiefCopying
import FiefValues
import Foundation

/// Gives dates in documents of others the form that realms read: `2024-02-29T12:00:00Z`. A day is its beginning in UTC,
/// and a number is in seconds since 1970, or in milliseconds when it is beyond the year 5000.
enum DocumentDates {
  /// The document with all dates of a schema in that form. Other values stay as they are, and are refused later.
  ///
  /// - Parameter progress: counts the objects that stand at the top.
  static func normalized(_ tree: DocumentTree, _ schema: DynamicSchema, _ progress: Progress) -> DocumentTree {
    if case .object(let span) = tree.root {
      let count = tree.members(span).reduce(0) { sum, member in
        if case .array(let objects) = member.value { sum + objects.count } else { sum }
      }
      progress.begin("reading dates", of: count)
    }
    // A document may have thousands of columns, each of which is looked for in each row.
    let classes = Dictionary(
      schema.classes.map { described in
        (described.name, Dictionary(described.properties.map { ($0.name, $0) }) { first, _ in first })
      }
    ) { first, _ in first }
    var builder = DocumentBuilder()
    /// The rest of each open container, with the class of an object, and whether the values are dates.
    var frames: [(span: DocumentTree.Span, isObject: Bool, className: String?, isDate: Bool, next: Int)] = []
    func put(_ value: DocumentTree.Value, className: String?, isDate: Bool) {
      switch value {
      case .array(let span):
        builder.beginArray()
        frames.append((span, false, className, isDate, 0))
      case .object(let span):
        builder.beginObject()
        frames.append((span, true, className, isDate, 0))
      default: builder.add(isDate ? date(value) ?? value : value)
      }
    }
    put(tree.root, className: nil, isDate: false)
    while let (span, isObject, className, isDate, next) = frames.last {
      guard next < span.count else {
        frames.removeLast()
        if isObject { _ = builder.endObject() } else { builder.endArray() }
        continue
      }
      frames[frames.count - 1].next += 1
      guard isObject else {
        if frames.count == 2 { progress.advance() }
        put(tree.elements(span)[span.first + next], className: className, isDate: isDate)
        continue
      }
      let name = tree.name(next, of: span)
      builder.name(name)
      // The members of the root are the objects of a class.
      let property = className.flatMap { classes[$0] }?[name]
      put(
        tree.value(next, of: span), className: frames.count == 1 ? name : property?.objectClassName,
        isDate: property?.type == .date || className == nil && isDate)
    }
    return builder.finish()
  }

  private static func date(_ value: DocumentTree.Value) -> DocumentTree.Value? {
    switch value {
    case .int(let number): return timestamp(Decimal128(number)).map { .string($0.description) }
    case .double(let number): return timestamp(Decimal128(number)).map { .string($0.description) }
    case .decimal(let number): return timestamp(number).map { .string($0.description) }
    case .string(let text):
      if Timestamp(text) != nil { return nil }
      let day = text.prefix(10)
      let time = text.dropFirst(10)
      let zone = time.hasSuffix("Z") || time.contains("+") || time.contains("-") ? "" : "Z"
      let written = time.isEmpty ? "\(day)T00:00:00Z" : "\(day)T\(time.drop { $0 == " " || $0 == "T" })\(zone)"
      return Timestamp(written).map { .string($0.description) }
    default: return nil
    }
  }

  /// The point in time of a number, to the nanosecond; nil for one that is too far away to be a date.
  private static func timestamp(_ number: Decimal128) -> Timestamp? {
    let seconds = number.magnitude > 100_000_000_000 ? number / 1000 : number
    guard seconds.magnitude <= 1_000_000_000_000_000, let whole = Int64(truncating: seconds),
      let nanoseconds = Int64(truncating: (seconds - Decimal128(whole)) * 1_000_000_000)
    else { return nil }
    return Timestamp(seconds: whole, nanoseconds: nanoseconds)
  }
}
