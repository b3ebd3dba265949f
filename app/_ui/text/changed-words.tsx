import type { WordChange } from "./word-diff";

interface ChangedWordsProps {
  changes: readonly WordChange[];
  styles: Record<"removed" | "added", string>;
}

export function ChangedWords({ changes, styles }: ChangedWordsProps) {
  return Array.from(changes.entries(), ([index, { type, text }]) => {
    if (type === "same") return text;
    const Element = type === "removed" ? "del" : "ins";
    return (
      <Element key={index} className={styles[type]}>
        {text}
      </Element>
    );
  });
}
