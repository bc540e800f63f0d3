import Foundation

/// A variable of which every thread has its own. It holds one object, which is released when the thread ends.
///
/// Why the unsafe parts are right: the value is stored retained and read as the same type, and a key is made once and
/// never deleted. Any thread may use the variable, because `init` alone sets the key.
package final class ThreadLocal: @unchecked Sendable {
  #if canImport(WinSDK) || os(WASI)
    private let name = "fief.\(UUID().uuidString)"

    /// A variable that is nil in every thread.
    package init() {}

    /// The object of the current thread.
    package var value: AnyObject? {
      get { Thread.current.threadDictionary[name].map { $0 as AnyObject } }
      set { Thread.current.threadDictionary[name] = newValue }
    }
  #else
    private var key = pthread_key_t()

    /// A variable that is nil in every thread. Traps when the process has used up its thread-local storage.
    package init() {
      #if canImport(Darwin)
        let failure = pthread_key_create(&key) { Unmanaged<AnyObject>.fromOpaque($0).release() }
      #else
        let failure = unsafe pthread_key_create(&key) {
          if let held = unsafe $0 { unsafe Unmanaged<AnyObject>.fromOpaque(held).release() }
        }
      #endif
      if failure != 0 { fatalError("No thread-local storage is left in this process.") }
    }

    /// The object of the current thread.
    package var value: AnyObject? {
      get { unsafe pthread_getspecific(key).map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() } }
      set {
        let old = unsafe pthread_getspecific(key)
        unsafe pthread_setspecific(key, newValue.map { unsafe Unmanaged.passRetained($0).toOpaque() })
        if let old = unsafe old { unsafe Unmanaged<AnyObject>.fromOpaque(old).release() }
      }
    }
  #endif
}
