import FiefValues
import Foundation

// What can be compared, added up and sorted. They ask for nothing; which types they stand for is fixed.

/// A type of which there is a least and a greatest: numbers and dates. Applications do not conform to it.
public protocol MinMaxType {}
/// A type of which there are sums and averages: numbers. Applications do not conform to it.
public protocol AddableType {}
/// A type whose values have an order: numbers, dates, texts and bytes. Applications do not conform to it.
public protocol SortableType {}

extension Int: MinMaxType, AddableType, SortableType {}
extension Int8: MinMaxType, AddableType, SortableType {}
extension Int16: MinMaxType, AddableType, SortableType {}
extension Int32: MinMaxType, AddableType, SortableType {}
extension Int64: MinMaxType, AddableType, SortableType {}
extension Float: MinMaxType, AddableType, SortableType {}
extension Double: MinMaxType, AddableType, SortableType {}
extension Decimal128: MinMaxType, AddableType, SortableType {}
extension AnyRealmValue: MinMaxType, AddableType, SortableType {}
extension Date: MinMaxType, SortableType {}
extension String: SortableType {}
extension Data: SortableType {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
