import { useEffect, useState } from "react";

const pauseMs = 200;

/** The text of a search field, and its setter; `onChange` gets it trimmed, after a pause in typing. */
export function useSearchText(value: string, onChange: (value: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [sentQuery, setSentQuery] = useState(value);
  // Going back changes it from outside; the echo of one's own typing must not undo what was typed since.
  if (lastValue !== value) {
    setLastValue(value);
    if (value !== sentQuery) {
      setSentQuery(value);
      setText(value);
    }
  }
  const query = text.trim();
  useEffect(() => {
    if (query === sentQuery) return;
    const timer = setTimeout(() => {
      setSentQuery(query);
      onChange(query);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [query, sentQuery, onChange]);
  return [text, setText];
}
