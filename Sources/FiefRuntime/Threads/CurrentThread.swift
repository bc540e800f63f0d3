#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Android)
  public import Android
#elseif canImport(Darwin)
  public import Darwin
#elseif canImport(WinSDK)
  public import WinSDK
#endif

/// A number that names the thread that runs: never 0, and no other living thread's. About one nanosecond.
@inlinable
@inline(__always)
package func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #elseif os(Windows)
    UInt(GetCurrentThreadId())
  #elseif os(WASI)
    1
  #elseif os(Android)
    UInt(bitPattern: Int(pthread_self()))
  #else
    UInt(pthread_self())
  #endif
}

/// The C function that returns the number of `currentThread()`.
package let currentThreadFunction: @convention(c) () -> UInt = {
  #if canImport(Glibc) || canImport(Musl)
    // The function itself, without one of ours around it.
    pthread_self
  #else
    { currentThread() }
  #endif
}()
