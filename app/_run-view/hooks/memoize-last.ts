/**
 * A function that remembers its last answer and gives it again as long as `keyOf` its arguments is the same, part by part:
 * for costly results that depend on less than all arguments.
 */
export function memoizeLast<A extends readonly unknown[], R>(
  keyOf: (...args: A) => readonly unknown[],
  compute: (...args: A) => R,
): (...args: A) => R {
  let last: { key: readonly unknown[]; answer: R } | null = null;
  return (...args) => {
    const key = keyOf(...args);
    if (last?.key.length === key.length && last.key.every((value, index) => Object.is(value, key[index])))
      return last.answer;
    last = { key, answer: compute(...args) };
    return last.answer;
  };
}
