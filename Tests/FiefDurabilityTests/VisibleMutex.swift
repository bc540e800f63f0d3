#if FIEF_THREAD_SANITIZER && canImport(Glibc)
  import FiefRuntime

  /// Under the thread sanitizer, this module uses a mutex that the sanitizer can see.
  typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
