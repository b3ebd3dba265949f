import { splitCode } from "./split-code";

/** A message of a problem, an error or a hint; what it puts between backticks is shown as code. */
export const MessageText = ({ text }: { text: string }) =>
  Array.from(splitCode(text).entries(), ([index, { text: part, isCode }]) =>
    isCode ? (
      <code key={index} className="font-mono text-[0.92em] [overflow-wrap:anywhere]">
        {part}
      </code>
    ) : (
      part
    ),
  );
