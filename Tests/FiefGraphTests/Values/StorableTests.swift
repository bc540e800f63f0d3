import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// `Storable`: the ten stored types of cells, and how leaves store and load them.
struct StorableTests {
  /// The initial leaf of integers: one byte each.
  static func integers(_ count: Int) -> LeafValues { .int8(ContiguousArray(repeating: 0, count: count)) }

  static func width(of values: LeafValues) -> Int {
    switch values {
    case .int8: 8
    case .int16: 16
    case .int32: 32
    case .int64: 64
    default: 0
    }
  }

  @Test func aLeafOfIntegersIsAsWideAsItsWidestValueAndKeepsTheOthers() {
    let steps: [(value: Int64, width: Int)] = [
      (127, 8), (-128, 8), (128, 16), (-129, 16), (32_767, 16), (-32_768, 16), (32_768, 32), (-32_769, 32),
      (Int64(Int32.max), 32), (Int64(Int32.min), 32), (Int64(Int32.max) + 1, 64), (Int64(Int32.min) - 1, 64),
      (.max, 64), (.min, 64),
    ]
    var values = Self.integers(steps.count)
    for (slot, step) in steps.enumerated() {
      Int64.store(step.value, into: &values, at: slot)
      #expect(Self.width(of: values) == step.width, "after \(step.value)")
      for earlier in 0...slot { #expect(Int64.load(from: values, at: earlier) == steps[earlier].value) }
      for later in slot + 1..<max(slot + 1, steps.count) { #expect(Int64.load(from: values, at: later) == 0) }
    }
  }

  @Test func aLeafWidensFromEveryWidthToEveryWider() {
    let reach: [(width: Int, value: Int64)] = [(8, -1), (16, 300), (32, -70_000), (64, 1 << 40)]
    for from in reach {
      for to in reach {
        var values = Self.integers(4)
        Int64.store(from.value, into: &values, at: 0)
        Int64.store(to.value, into: &values, at: 3)
        #expect(Self.width(of: values) == max(from.width, to.width))
        #expect((0..<4).map { Int64.load(from: values, at: $0) } == [from.value, 0, 0, to.value])
        #expect(values.count == 4)
      }
    }
  }

  @Test func anyIntegersComeOutAsTheyWentIn() {
    Seeds.run { _, random in
      var oracle = [Int64](repeating: 0, count: 40)
      var values = Self.integers(40)
      for _ in 0..<200 {
        let (slot, value) = (random.below(40), random.int64())
        oracle[slot] = value
        Int64.store(value, into: &values, at: slot)
      }
      #expect((0..<40).map { Int64.load(from: values, at: $0) } == oracle)
      #expect(Array(Int64.buffer(of: values)) == oracle)
    }
  }

  @Test func aCopyOfALeafIsNotChangedByAStore() {
    expectCopiesStay(Int64.self, .int)
    expectCopiesStay(Float.self, .float)
    expectCopiesStay(Double.self, .double)
    expectCopiesStay(String.self, .string)
    expectCopiesStay(Data.self, .data)
    expectCopiesStay(Timestamp.self, .date)
    expectCopiesStay(ObjectId.self, .objectId)
    expectCopiesStay(UUID.self, .uuid)
    expectCopiesStay(Decimal128.self, .decimal)
    expectCopiesStay(Value.self, .any)
  }

  private func expectCopiesStay<Element: Storable>(_ type: Element.Type, _ kind: ValueKind) {
    let samples = SampleValues.of(kind)
    var values = Element.leaf(ContiguousArray(repeating: Element.zero, count: samples.count))
    let copy = values
    #expect(values.isSameStorage(as: copy))
    for (slot, sample) in samples.enumerated() {
      guard let element = Element(sample) else {
        Issue.record("\(sample) is not stored as \(type)")
        continue
      }
      Element.store(element, into: &values, at: slot)
    }
    let columnType = ColumnType(kind)
    for (slot, sample) in samples.enumerated() {
      #expect(Element.load(from: values, at: slot).value(as: columnType) == sample)
      #expect(values.value(at: slot, as: columnType) == sample)
      #expect(Element.isIdentical(Element.load(from: copy, at: slot), Element.zero))
    }
    #expect(!values.isSameStorage(as: copy))
    #expect(values.count == samples.count)
    if kind != .int { #expect(LeafValues(for: columnType).isSameStorage(as: Element.leaf([]))) }
  }

  @Test func aStoredTypeIsMadeOfNoOtherKindThanItsOwn() {
    for (_, value) in SampleValues.all {
      #expect((Float(value) != nil) == (value.kind == .float), "\(value)")
      #expect((Double(value) != nil) == [.double, .float].contains(value.kind), "\(value)")
      #expect((String(value) != nil) == (value.kind == .string), "\(value)")
      #expect((Data(value) != nil) == (value.kind == .data), "\(value)")
      #expect((Timestamp(value) != nil) == (value.kind == .date), "\(value)")
      #expect((ObjectId(value) != nil) == (value.kind == .objectId), "\(value)")
      #expect((UUID(value) != nil) == (value.kind == .uuid), "\(value)")
      #expect((Decimal128(value) as Decimal128? != nil) == (value.kind == .decimal), "\(value)")
      #expect(Value(value) == value)
      let isInteger = [.bool, .int, .link].contains(value.kind)
      #expect((Int64(value) != nil) == isInteger, "\(value)")
    }
  }

  @Test func floatsAreStoredAsDoublesBitForBit() {
    let patterns: [UInt32] = [
      0, 1, 0x8000_0000, 0x007F_FFFF, 0x0080_0000, 0x3F80_0000, 0x7F7F_FFFF, 0x7F80_0000, 0x7F80_0001, 0xFF80_0001,
      0x7FBF_FFFF, 0x7FC0_0000, 0xFFC0_1234, 0x7FFF_FFFF, 0xFFFF_FFFF,
    ]
    Seeds.run { _, random in
      for pattern in patterns + [UInt32(truncatingIfNeeded: random.int64())] {
        let float = Value.float(Float(bitPattern: pattern))
        #expect(Double(float)?.value(as: ColumnType(.float)) == float, "\(pattern)")
        #expect(Double(float)?.isNaN == Float(bitPattern: pattern).isNaN)
      }
    }
  }

  @Test func elementsOfEveryKindAreStoredUnderTheKindOfTheirColumn() throws {
    for kind in ValueKind.allCases where kind != .link {
      for (shape, isOptional) in [(ColumnShape.list, false), (.set, false), (.list, true), (.set, true)]
      where kind != .any || !isOptional {
        let type = ColumnType(kind, shape: shape, isOptional: isOptional)
        let transaction = Transaction(.empty)
        let table = try transaction.addTable("T")
        let column = try transaction.addColumn(to: table, "values", type)
        let cell = Cell(table, try transaction.create(in: table), column)
        let samples = SampleValues.of(kind)
        for value in samples {
          if shape == .list {
            try transaction.append(value, toList: cell)
          } else {
            try transaction.insert(value, inSet: cell)
          }
        }
        let graph = transaction.graph
        let contents = try #require(graph.collection(cell) as? AnyStoredElements)
        #expect(contents.kind == type.elementKind)
        #expect(graph.checkInvariants() == [])
        if shape == .list {
          #expect((0..<contents.count).map { contents.value(at: $0, as: type) } == samples)
          continue
        }
        for value in samples { #expect(contents.find(value, as: type).isPresent) }
        let others = SampleValues.all.map(\.value).filter { kind != .any && !$0.isNull && $0.kind != kind }
        for value in others { #expect(!contents.find(value, as: type).isPresent) }
      }
    }
  }

  @Test func integersAreSeenAsTheColumnSays() {
    let target = TableKey(rawValue: 5)
    #expect(Int64(1).value(as: ColumnType(.bool)) == .bool(true))
    #expect(Int64(0).value(as: ColumnType(.bool)) == .bool(false))
    #expect(Int64(2).value(as: ColumnType(.bool)) == .int(2), "not a boolean, and shown for what it is")
    #expect(Int64(7).value(as: ColumnType(.int)) == .int(7))
    #expect(Int64(7).value(as: .link(to: target)) == .link(ObjectLink(target, ObjectKey(7))))
  }

  @Test func singleCellsOfTheirOwnKindAloneTakeTheFastPath() {
    for kind in ValueKind.allCases {
      for shape in ColumnShape.allCases {
        for isOptional in [false, true] {
          let type = ColumnType(kind, shape: shape, isOptional: isOptional)
          let isSingle = shape == .single
          func expect<Element: Storable>(_ value: Element, _ own: Set<ValueKind>) {
            #expect(Element.isStored(as: type, value) == (isSingle && own.contains(kind)), "\(Element.self) \(type)")
            #expect(
              Element.isStored(as: type, nil) == (isSingle && own.contains(kind) && isOptional),
              "\(Element.self) null \(type)")
          }
          expect(Int64(1), [.int, .bool])
          expect(Float(1), [.float])
          expect(Double(1), [.double])
          expect("1", [.string])
          expect(Data([1]), [.data])
          expect(Timestamp(seconds: 1), [.date])
          expect(ObjectId(), [.objectId])
          expect(UUID(), [.uuid])
          expect(Decimal128(1), [.decimal])
          expect(Value.int(1), [])
        }
      }
    }
  }

  @Test func integersOutsideTheDeclaredWidthAreNotStored() {
    for width in IntegerWidth.allCases {
      let type = ColumnType(.int, width: width)
      #expect(Int64.isStored(as: type, width.range.lowerBound) && Int64.isStored(as: type, width.range.upperBound))
      if width != .bits64 {
        #expect(!Int64.isStored(as: type, width.range.lowerBound - 1))
        #expect(!Int64.isStored(as: type, width.range.upperBound + 1))
      }
    }
    #expect(!Int64.isStored(as: ColumnType(.bool), 2))
    #expect(!Int64.isStored(as: ColumnType(.bool), -1))
  }

  @Test func readingALeafAsAnotherTypeTraps() async {
    let string = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = String.load(from: .int8([1]), at: 0)
    }
    expectSentence("A leaf was read as another type than its column's", of: string)
    let integer = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Int64.load(from: .double([1]), at: 0)
    }
    expectSentence("A leaf was read as another type than its column's", of: integer)
    let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = LeafValues.collection([nil]).value(at: 0, as: ColumnType(.int))
    }
    expectSentence("A leaf was read as another type than its column's", of: value)
    let collection = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = LeafValues.int8([1]).collection(at: 0)
    }
    expectSentence("A leaf was read as another type than its column's", of: collection)
  }
}
