/// Which subclasses override some methods of a base class, without calling them.
///
/// A class holds the addresses of its methods, each at the offset at which its superclass has it:
///
///     Base   … │ init │ className │ … │ isEqual │ hash │ …
///     Dog    … │ init │ className │ … │ isEqual │ hash │ …        equal words: the method is inherited
///
/// The offsets are found by three classes: the base, one that overrides other methods only, and one that overrides
/// those in question too. Where the expected number of words is not found, every class counts as one that overrides
/// them, which is slower and right all the same.
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
      ClassMetadata(MetadataProbe.self), ClassMetadata(PlainProbe.self), ClassMetadata(OverridingProbe.self)
    )
    func address(_ type: AnyClass) -> UInt { unsafe unsafeBitCast(type, to: UInt.self) }
    guard plain.superclass == address(MetadataProbe.self), overriding.superclass == address(MetadataProbe.self),
      base.instanceSize == StoredFields.end(of: MetadataProbe.self),
      plain.instanceSize == StoredFields.end(of: PlainProbe.self),
      overriding.instanceSize == StoredFields.end(of: OverridingProbe.self),
      base.end <= plain.end, base.end <= overriding.end
    else { return false }
    return differences(MetadataProbe.self, PlainProbe.self, OverridingProbe.self).count == 2
  }()
}

/// A class of known size for `MethodOverrides.isAvailable`. Other modules see it, so the optimizer keeps its methods.
package class MetadataProbe {
  var first = 1
  package func m0() -> Int { 0 }
  package func m1() -> Int { 1 }
  package func m2() -> Int { 2 }
  package func m3() -> Int { 3 }
  package func m4() -> Int { 4 }
  package func m5() -> Int { 5 }
  package func m6() -> Int { 6 }
  package func m7() -> Int { 7 }
  package func m8() -> Int { 8 }
  package func m9() -> Int { 9 }
  package func m10() -> Int { 10 }
  package func m11() -> Int { 11 }
  package func m12() -> Int { 12 }
  package func m13() -> Int { 13 }
  package func m14() -> Int { 14 }
  package func m15() -> Int { 15 }
}

/// Overrides one method.
package class PlainProbe: MetadataProbe {
  var second = 2
  package override func m3() -> Int { 103 }
}

/// Overrides that method and two others.
package class OverridingProbe: MetadataProbe {
  var second = (2, 3)
  package override func m3() -> Int { 203 }
  package override func m5() -> Int { 205 }
  package override func m9() -> Int { 209 }
}
