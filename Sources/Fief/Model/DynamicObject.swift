/// An object that is known by names alone.
public final class DynamicObject: Object {}
