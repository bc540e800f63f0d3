#if FIEF_THREAD_SANITIZER && canImport(Glibc)
  import Glibc

  /// A mutex that the thread sanitizer sees; it stands in for the standard library's where that cannot be seen.
  ///
  /// On Linux `Synchronization.Mutex` takes its lock by an atomic exchange in the caller's own code, which the
  /// sanitizer follows, but when somebody else has the lock it goes on inside the library, which is not instrumented:
  /// the sanitizer misses that the lock was taken or handed on, and reports a race of two accesses that the lock keeps
  /// apart. So builds with `-DFIEF_THREAD_SANITIZER`, which are for that sanitizer alone, use this: the lock of
  /// pthreads, which it intercepts.
  ///
  /// Unsafe: both pointers are allocated by `init`, freed by `deinit` alone, and the value is touched under the lock
  /// alone.
  package struct VisibleMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// A mutex that is free.
    package init(_ initial: consuming sending Value) {
      pthread_mutex_init(lock, nil)
      value.initialize(to: initial)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(lock)
      lock.deallocate()
    }

    /// Runs the closure while nobody else does, and gives what it gives.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }
  }
#endif
