import FiefGraph
import FiefValues
import Foundation
import Testing

/// Properties of every kind, shape and optionality of column.
struct ColumnTypeTests {
  static let target = TableKey(rawValue: 2)

  /// Every type that can be constructed, sound or not.
  static let all: [ColumnType] = ValueKind.allCases.flatMap { kind in
    ColumnShape.allCases.flatMap { shape in
      [false, true].map { isOptional in
        ColumnType(kind, shape: shape, isOptional: isOptional, target: kind == .link ? target : nil)
      }
    }
  }

  @Test func nullIsAllowedWhereDeclaredAndAlwaysForAnyValuesAndLinksThatHaveAPlaceForIt() {
    for type in Self.all {
      let expected =
        switch (type.kind, type.shape) {
        case (.any, _), (.link, .single), (.link, .dictionary): true
        case (.link, _): false
        default: type.isOptional
        }
      #expect(type.allowsNull == expected, "\(type.declaration)")
    }
  }

  @Test func aSingleCellHoldsValuesOfItsKindAlone() {
    let values = SampleValues.all.map(\.value).filter { $0.linked == nil }
    for type in Self.all where type.shape == .single {
      for value in values {
        let expected = value.isNull ? type.allowsNull : type.kind == .any || type.kind == value.kind
        #expect(type.holds(value) == expected, "\(type.declaration) \(value)")
      }
    }
  }

  @Test func aCellOfACollectionHoldsNoSingleValue() {
    for type in Self.all where type.isCollection {
      for (_, value) in SampleValues.all { #expect(!type.holds(value), "\(type.declaration) \(value)") }
    }
  }

  @Test func aLinkHoldsLinksToItsTargetAloneAndAnAnyValueAnyLink() {
    let own = SampleValues.link(2, 1)
    let other = SampleValues.link(3, 1)
    for type in Self.all where type.shape == .single {
      #expect(type.holds(own) == (type.kind == .link || type.kind == .any), "\(type.declaration)")
      #expect(type.holds(other) == (type.kind == .any), "\(type.declaration)")
    }
  }

  @Test func integersAreHeldWithinTheDeclaredWidth() {
    let limits: [(IntegerWidth, Int64, Int64)] = [
      (.bits8, -128, 127), (.bits16, -32_768, 32_767), (.bits32, -2_147_483_648, 2_147_483_647),
      (.bits64, .min, .max),
    ]
    for (width, low, high) in limits {
      let type = ColumnType(.int, width: width)
      #expect(width.range == low...high)
      #expect(type.holds(.int(low)) && type.holds(.int(high)))
      if width != .bits64 { #expect(!type.holds(.int(low - 1)) && !type.holds(.int(high + 1))) }
    }
  }

  @Test func theElementOfACollectionIsASingleValueThatMayBeNullWhereElementsMay() {
    for type in Self.all {
      let element = type.element
      #expect(element.shape == .single && element.kind == type.kind && element.target == type.target)
      #expect(element.isOptional == type.allowsNull)
    }
  }

  @Test func singleValuesOtherThanLinksCanBeIndexed() {
    for type in Self.all {
      #expect(type.canBeIndexed == (type.shape == .single && type.kind != .link), "\(type.declaration)")
    }
  }

  @Test func integersStringsObjectIdsAndUUIDsCanBePrimaryKeys() {
    for type in Self.all {
      let isNaming = [ValueKind.int, .string, .objectId, .uuid].contains(type.kind)
      #expect(type.canBePrimaryKey == (type.shape == .single && isNaming), "\(type.declaration)")
    }
  }

  @Test func linksAndAnyValuesCanLink() {
    for type in Self.all { #expect(type.canLink == (type.kind == .link || type.kind == .any)) }
  }

  @Test func aTypeIsNamedAsItIsDeclared() {
    #expect(ColumnType(.int).declaration == "int")
    #expect(ColumnType(.int, isOptional: true, width: .bits8).declaration == "int8?")
    #expect(ColumnType(.string, shape: .list).declaration == "list of string")
    #expect(ColumnType(.date, shape: .set, isOptional: true).declaration == "set of date?")
    #expect(ColumnType.link(to: Self.target, shape: .dictionary).declaration == "dictionary of link")
  }
}
