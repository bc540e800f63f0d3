#if FIEF_THREAD_SANITIZER && canImport(Glibc)
  import Glibc
  import Synchronization

  /// Decides which lock gives other threads a turn first.
  private let turns = Atomic<UInt64>(0)

  /// A mutex that the thread sanitizer can observe. It replaces the standard library's mutex where the sanitizer cannot
  /// observe that one.
  ///
  /// On Linux `Synchronization.Mutex` acquires a free lock by an atomic exchange in the caller's own code, which the
  /// sanitizer tracks. Under contention it continues inside the library, which is not instrumented. The sanitizer then
  /// misses that the lock was acquired or handed over, and reports a race of two accesses that the lock separates. So
  /// builds with `-DFIEF_THREAD_SANITIZER`, which are only for that sanitizer, use this type: a lock of pthreads, which
  /// the sanitizer intercepts.
  ///
  /// About one lock in eight gives other threads a turn before it is taken, so that a short test meets more orders of
  /// events.
  ///
  /// Unsafe: `init` allocates both pointers, only `deinit` frees them, and the value is accessed only under the lock.
  @safe  // Only its own methods use the pointers.
  package struct VisibleMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// Makes an unlocked mutex.
    package init(_ initial: consuming sending Value) {
      unsafe pthread_mutex_init(lock, nil)
      unsafe value.initialize(to: initial)
    }

    deinit {
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
      unsafe pthread_mutex_destroy(lock)
      unsafe lock.deallocate()
    }

    /// Calls the closure while the lock is held, and returns its result.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      // The upper bits of a multiplicative sequence are spread evenly. A relaxed access orders nothing.
      if turns.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue >> 61 == 0 { sched_yield() }
      unsafe pthread_mutex_lock(lock)
      defer { unsafe pthread_mutex_unlock(lock) }
      return try unsafe body(&value.pointee)
    }
  }
#endif
