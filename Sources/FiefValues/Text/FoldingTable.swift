import Foundation
import Synchronization

/// What the scalars of a page become: their canonical decompositions, and the bytes of their folded forms.
///
/// A page has 256 scalars, and is made when one of them is first asked for. Foundation decomposes, which takes
/// microseconds for a scalar; reading a page takes nanoseconds.
final class FoldingPage: Sendable {
  /// The folded form of a scalar among the bytes of its page, and the combining classes of the first and the last
  /// scalar of its decomposition.
  struct Entry {
    let start: UInt16
    let end: UInt16
    let firstClass: UInt8
    let lastClass: UInt8
  }

  /// The decompositions of all scalars, and where each ends.
  private let units: [FoldingUnit]
  private let ends: [UInt16]
  /// For each form, the entries of all scalars.
  private let entries: [Entry]
  private let bytes: [UInt8]

  private static let count = 256
  private static let pages = Mutex<[FoldingPage?]>(Array(repeating: nil, count: 0x110000 / count))

  /// The number of the page of a scalar.
  @inline(__always)
  static func number(of value: UInt32) -> UInt32 { value >> 8 }

  /// The page with a number.
  static func numbered(_ number: UInt32) -> FoldingPage {
    assert(number < 0x1100, "A page is one of the code space.")
    if let page = pages.withLock({ $0[Int(number)] }) { return page }
    let page = FoldingPage(number)
    pages.withLock { $0[Int(number)] = page }
    return page
  }

  private init(_ number: UInt32) {
    var units: [FoldingUnit] = []
    var ends: [UInt16] = [0]
    for offset in 0..<UInt32(Self.count) {
      if let scalar = Unicode.Scalar(number << 8 | offset) { units += FoldingUnit.decomposition(of: scalar) }
      ends.append(UInt16(units.count))
    }
    var entries: [Entry] = []
    var bytes: [UInt8] = []
    let folded = units.map(\.foldedBytes)
    for form in FoldedForm.allCases {
      for index in 0..<Self.count {
        let range = Int(ends[index])..<Int(ends[index + 1])
        let decomposed = units[range]
        let start = bytes.count
        for position in range where !form.leavesOut(units[position]) {
          bytes += form.foldsCase ? folded[position] : Array(units[position].scalar.utf8)
        }
        entries.append(
          Entry(
            start: UInt16(start), end: UInt16(bytes.count), firstClass: decomposed.first?.combiningClass ?? 0,
            lastClass: decomposed.last?.combiningClass ?? 0))
      }
    }
    assert(ends.count == Self.count + 1 && entries.count == Self.count * 3, "A page has an entry for each character.")
    (self.units, self.ends, self.entries, self.bytes) = (units, ends, entries, bytes)
  }

  /// The decomposition of a scalar of the page.
  func decomposition(of value: UInt32) -> ArraySlice<FoldingUnit> {
    let index = Int(value & 0xFF)
    return units[Int(ends[index])..<Int(ends[index + 1])]
  }

  /// Appends the folded form of a scalar of the page.
  ///
  /// - Parameter lastClass: the combining class of the last scalar before it; receives that of its own last scalar.
  /// - Returns: false if the scalar must be moved before those marks. Nothing is appended then.
  @inline(__always)
  func append(_ value: UInt32, as form: FoldedForm, to folded: inout [UInt8], after lastClass: inout UInt8) -> Bool {
    let entry = entries[form.rawValue &* Self.count &+ Int(value & 0xFF)]
    if entry.firstClass != 0, entry.firstClass < lastClass { return false }
    lastClass = entry.lastClass
    for index in Int(entry.start)..<Int(entry.end) { folded.append(bytes[index]) }
    return true
  }
}

/// A scalar of a canonical decomposition and its combining class.
struct FoldingUnit {
  let scalar: Unicode.Scalar
  let combiningClass: UInt8

  private init(_ scalar: Unicode.Scalar) {
    self.scalar = scalar
    combiningClass = scalar.properties.canonicalCombiningClass.rawValue
  }

  /// The canonical decomposition of a scalar.
  static func decomposition(of scalar: Unicode.Scalar) -> [FoldingUnit] {
    String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars.map { FoldingUnit($0) }
  }

  /// The scalar with its case folded, in UTF-8. The result of folding may decompose further.
  fileprivate var foldedBytes: [UInt8] {
    let folded = CaseFolding.fold(scalar)
    let isSame = folded.unicodeScalars.elementsEqual([scalar])
    return Array((isSame ? folded : folded.decomposedStringWithCanonicalMapping).utf8)
  }
}
