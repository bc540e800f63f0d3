/// Tells which classes override `isEqual(_:)` or `hash`, without calling them.
///
/// A class holds the addresses of its methods, each at the place where its superclass has it:
///
///     ObjectBase   … │ init │ className │ … │ isEqual │ hash │ …
///     Dog          … │ init │ className │ … │ isEqual │ hash │ …        equal words: the method is inherited
///
/// The two places are not computed. They are found by three classes of which one overrides just these two methods. If
/// that does not give two places, as another compiler may lay classes out otherwise, every class counts as one that
/// overrides them, which is slower and right all the same.
///
/// Why reading the words is right: they lie within the extent that `ObjectBase` itself tells of its metadata, which all
/// its heirs begin with, and metadata of a class does not change.
package enum EqualityOverrides {
  /// Whether a class has another `isEqual(_:)` or `hash` than `ObjectBase`.
  package static func exist(in type: ObjectBase.Type) -> Bool {
    guard let places else { return true }
    return places.contains { word(type, $0) != word(ObjectBase.self, $0) }
  }

  /// Where the addresses of the two methods stand; nil when they were not found.
  package static let places: [Int]? = find()

  private static func find() -> [Int]? {
    let base = unsafeBitCast(ObjectBase.self as AnyClass, to: UnsafeRawPointer.self)
    let behindRecord = ClassDescriptor.offset + MemoryLayout<UInt>.size
    // The size of the metadata, and how much of it lies before the address that a class goes by.
    let size = Int(base.load(fromByteOffset: ClassDescriptor.offset - 8, as: UInt32.self))
    let before = Int(base.load(fromByteOffset: ClassDescriptor.offset - 4, as: UInt32.self))
    let end = size - before
    guard end > behindRecord, end < 1 << 16 else { return nil }
    let found = stride(from: behindRecord, to: end, by: MemoryLayout<UInt>.size).filter { place in
      word(PlainHeir.self, place) == word(ObjectBase.self, place)
        && word(EqualHeir.self, place) != word(ObjectBase.self, place)
    }
    return found.count == 2 ? found : nil
  }

  private static func word(_ type: ObjectBase.Type, _ place: Int) -> UInt {
    unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self).load(fromByteOffset: place, as: UInt.self)
  }

  /// Overrides what it must.
  private class PlainHeir: ObjectBase {
    override class func _realmIgnoreClass() -> Bool { true }
  }

  /// Overrides the two methods too.
  private final class EqualHeir: ObjectBase {
    override class func _realmIgnoreClass() -> Bool { true }
    override func isEqual(_ object: Any?) -> Bool { false }
    override var hash: Int { 0 }
  }
}
