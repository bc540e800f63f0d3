// The names are those of Apple's modules, which document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch

/// Runs closures at some place, now or later.
public protocol Scheduler<SchedulerTimeType> {
  associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  associatedtype SchedulerOptions

  var now: SchedulerTimeType { get }
  var minimumTolerance: SchedulerTimeType.Stride { get }
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)
}

extension Scheduler {
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
}

public protocol SchedulerTimeIntervalConvertible {
  static func seconds(_ s: Double) -> Self
}

extension DispatchQueue: Scheduler {
  public struct SchedulerTimeType: Strideable {
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
      public var seconds: Double
      public var magnitude: Double { abs(seconds) }

      public init(_ seconds: Double) { self.seconds = seconds }
      public init(integerLiteral value: Int) { seconds = Double(value) }
      public init?<T: BinaryInteger>(exactly source: T) { seconds = Double(source) }

      public static func seconds(_ s: Double) -> Stride { Stride(s) }
      public static func < (a: Stride, b: Stride) -> Bool { a.seconds < b.seconds }
      public static func + (a: Stride, b: Stride) -> Stride { Stride(a.seconds + b.seconds) }
      public static func - (a: Stride, b: Stride) -> Stride { Stride(a.seconds - b.seconds) }
      public static func * (a: Stride, b: Stride) -> Stride { Stride(a.seconds * b.seconds) }
      public static func *= (a: inout Stride, b: Stride) { a = a * b }
    }

    public var nanoseconds: UInt64

    public func distance(to other: SchedulerTimeType) -> Stride {
      Stride((Double(other.nanoseconds) - Double(nanoseconds)) / 1e9)
    }
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(nanoseconds: UInt64(Double(nanoseconds) + n.seconds * 1e9))
    }
  }

  public struct SchedulerOptions {}

  public var now: SchedulerTimeType { SchedulerTimeType(nanoseconds: DispatchTime.now().uptimeNanoseconds) }
  public var minimumTolerance: SchedulerTimeType.Stride { .seconds(0) }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    nonisolated(unsafe) let action = action
    async { action() }
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    nonisolated(unsafe) let action = action
    asyncAfter(deadline: DispatchTime(uptimeNanoseconds: date.nanoseconds)) { action() }
  }
}

/// Runs closures at once.
public struct ImmediateScheduler: Scheduler, Sendable {
  public static let shared = ImmediateScheduler()

  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  public typealias SchedulerOptions = Never

  public var now: SchedulerTimeType { DispatchQueue.main.now }
  public var minimumTolerance: SchedulerTimeType.Stride { .seconds(0) }

  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { action() }
}
