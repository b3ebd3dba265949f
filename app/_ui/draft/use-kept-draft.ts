import { useState } from "react";
import { type DraftTexts, dropDraft, keepDraft, readDraft } from "./kept-drafts";

interface KeptDraft<Texts extends DraftTexts> {
  texts: Texts;
  change(texts: Partial<Texts>): void;
  /** It was sent, or is not wanted: it is not kept any more. The form still shows it. */
  drop(): void;
}

/**
 * The texts of a form, kept in this browser until they are sent, over a reload too. `key` names what they belong to; a form
 * that begins with other texts than the kept ones did shows none of them. It is read once: another key needs another form.
 */
export function useKeptDraft<Texts extends DraftTexts>(key: string, startTexts: Texts): KeptDraft<Texts> {
  const [start] = useState(startTexts);
  const [texts, setTexts] = useState<Texts>(() => ({ ...start, ...readDraft(key, start) }));
  return {
    texts,
    change(changes) {
      const changed = { ...texts, ...changes };
      setTexts(changed);
      keepDraft(key, changed, start);
    },
    drop: () => dropDraft(key),
  };
}
