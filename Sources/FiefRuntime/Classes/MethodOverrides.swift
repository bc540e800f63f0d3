/// Which subclasses override some methods of a base class, without calling them.
///
/// A class holds the addresses of its methods, each at the offset at which its superclass has it:
///
///     Base   … │ init │ className │ … │ isEqual │ hash │ …
///     Dog    … │ init │ className │ … │ isEqual │ hash │ …        equal words: the method is inherited
///
/// The offsets are found by three classes: the base, one that overrides other methods only, and one that overrides those
/// in question too. Where the expected number of words is not found, every class counts as one that overrides them,
/// which is slower and right all the same.
///
/// Why reading the words is right: they lie within the extent of the base's own metadata, which the metadata of all its
/// subclasses begins with.
package struct MethodOverrides {
  private let base: AnyClass
  /// Offsets of the methods in the metadata; nil when they are not known.
  package let offsets: [Int]?

  /// The methods of `base` that `overriding` overrides and `plain` does not.
  ///
  /// - Parameters:
  ///   - base: a class.
  ///   - plain: a subclass that overrides none of the methods.
  ///   - overriding: a subclass that overrides the methods, and otherwise what `plain` does.
  ///   - count: the number of the methods.
  package init(base: AnyClass, plain: AnyClass, overriding: AnyClass, count: Int) {
    self.base = base
    let offsets = Self.isAvailable ? Self.differences(base, plain, overriding) : []
    self.offsets = offsets.count == count ? offsets : nil
  }

  /// Whether a subclass of the base overrides one of the methods; true where the methods are not known.
  package func exist(in type: AnyClass) -> Bool {
    guard let offsets else { return true }
    let (metadata, inherited) = (ClassMetadata(type), ClassMetadata(base))
    return offsets.contains { metadata.word(at: $0) != inherited.word(at: $0) }
  }

  /// Offsets of the words that `plain` shares with `base` and `overriding` does not.
  private static func differences(_ base: AnyClass, _ plain: AnyClass, _ overriding: AnyClass) -> [Int] {
    let (base, plain, overriding) = (ClassMetadata(base), ClassMetadata(plain), ClassMetadata(overriding))
    let first = ClassMetadata.descriptorOffset + MemoryLayout<UInt>.size
    guard base.end > first, base.end < 1 << 16 else { return [] }
    return stride(from: first, to: base.end, by: MemoryLayout<UInt>.size).filter {
      plain.word(at: $0) == base.word(at: $0) && overriding.word(at: $0) != base.word(at: $0)
    }
  }

  // MARK: The probe

  /// Whether metadata is laid out as `ClassMetadata` describes it.
  ///
  /// The reads of the probe itself stay within its classes' metadata in any layout: they are of the first eight words
  /// (ten with Objective-C), and the probe's sixteen methods alone take more.
  package static let isAvailable: Bool = {
    if RuntimeFeature.methodOverrides.isSwitchedOff { return false }
    let (base, plain, overriding) = (
      ClassMetadata(Probe.self), ClassMetadata(PlainProbe.self), ClassMetadata(OverridingProbe.self)
    )
    func address(_ type: AnyClass) -> UInt { unsafeBitCast(type, to: UInt.self) }
    guard plain.superclass == address(Probe.self), overriding.superclass == address(Probe.self),
      base.instanceSize == StoredFields.end(of: Probe.self),
      plain.instanceSize == StoredFields.end(of: PlainProbe.self),
      overriding.instanceSize == StoredFields.end(of: OverridingProbe.self),
      base.end <= plain.end, base.end <= overriding.end
    else { return false }
    return differences(Probe.self, PlainProbe.self, OverridingProbe.self).count == 2
  }()
}

private class Probe {
  var first = 1
  func m0() -> Int { 0 }
  func m1() -> Int { 1 }
  func m2() -> Int { 2 }
  func m3() -> Int { 3 }
  func m4() -> Int { 4 }
  func m5() -> Int { 5 }
  func m6() -> Int { 6 }
  func m7() -> Int { 7 }
  func m8() -> Int { 8 }
  func m9() -> Int { 9 }
  func m10() -> Int { 10 }
  func m11() -> Int { 11 }
  func m12() -> Int { 12 }
  func m13() -> Int { 13 }
  func m14() -> Int { 14 }
  func m15() -> Int { 15 }
}

private class PlainProbe: Probe {
  var second = 2
  override func m3() -> Int { 103 }
}

private class OverridingProbe: Probe {
  var second = (2, 3)
  override func m3() -> Int { 203 }
  override func m5() -> Int { 205 }
  override func m9() -> Int { 209 }
}
