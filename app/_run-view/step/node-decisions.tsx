import { toDecisions } from "./decisions";

export function NodeDecisions({ decisions }: { decisions: readonly string[] }) {
  return (
    <ol aria-label="Decisions" className="flex flex-col gap-2 p-4">
      {toDecisions(decisions).map(({ number, words, detail }) => (
        <li key={number} className="flex gap-3">
          <span className="w-6 shrink-0 text-right text-text-muted tabular-nums">{number}</span>
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {words}
            {detail !== "" && <span className="font-mono text-text-muted text-xs"> {detail}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
