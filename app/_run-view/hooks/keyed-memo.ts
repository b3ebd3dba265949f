import { useState } from "react";

/** Remembers the last result, and computes another when the key differs in any value. */
export function createMemo<T>(): (key: readonly unknown[], compute: (previous: T | null) => T) => T {
  let last: { key: readonly unknown[]; result: T } | null = null;
  return (key, compute) => {
    const isSame = last?.key.length === key.length && last.key.every((value, index) => Object.is(value, key[index]));
    if (!last || !isSame) last = { key, result: compute(last?.result ?? null) };
    return last.result;
  };
}

/** For costly results that depend on less than all values that they are computed from. */
export function useKeyedMemo<T>(key: readonly unknown[], compute: (previous: T | null) => T): T {
  const [memo] = useState(() => createMemo<T>());
  return memo(key, compute);
}
