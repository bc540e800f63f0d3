#if FIEF_THREAD_SANITIZER && canImport(Glibc)
  import FiefRuntime

  /// Under the thread sanitizer, all mutexes of this module are of a type that the sanitizer can observe.
  typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
