/** Everything that is reached from what comes first, each once, in the order in which it is found. */
export function followAll<T>(first: Iterable<T>, next: (one: T) => Iterable<T>): Set<T> {
  const all = new Set(first);
  // A set is walked to its end, also where it grows meanwhile.
  for (const one of all) for (const other of next(one)) all.add(other);
  return all;
}
