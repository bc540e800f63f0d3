import FiefValues
import Foundation

// Constraints for types that can be compared, summed and sorted. They have no requirements, and the set of conforming
// types is fixed.

/// A type with minimum and maximum: numbers and dates. Applications do not conform to it.
public protocol MinMaxType {}
/// A type with sums and averages: numbers. Applications do not conform to it.
public protocol AddableType {}
/// A type whose values can be the elements of sections: those that can be sorted, booleans and identifiers.
/// Applications do not conform to it.
public protocol _SectionableType {}
/// A type whose values can be sorted: numbers, dates, strings and data. Applications do not conform to it.
public protocol SortableType: _SectionableType {}

extension Int: MinMaxType, AddableType, SortableType {}
extension Int8: MinMaxType, AddableType, SortableType {}
extension Int16: MinMaxType, AddableType, SortableType {}
extension Int32: MinMaxType, AddableType, SortableType {}
extension Int64: MinMaxType, AddableType, SortableType {}
extension Float: MinMaxType, AddableType, SortableType {}
extension Double: MinMaxType, AddableType, SortableType {}
extension Decimal128: MinMaxType, AddableType, SortableType {}
extension Date: MinMaxType, SortableType {}
extension String: SortableType {}
extension Data: SortableType {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
extension Bool: _SectionableType {}
extension ObjectId: _SectionableType {}
extension UUID: _SectionableType {}
extension Optional: _SectionableType where Wrapped: _SectionableType {}
