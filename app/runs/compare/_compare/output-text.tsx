import { formatLength } from "../../../_ui/format/format";

const shownUnits = 50_000;

export const textBlock =
  "max-h-96 overflow-auto rounded-md border bg-surface px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]";

export function OutputText({ label, text }: { label: string; text: string }) {
  if (text === "") return <p className="text-text-muted">The output is empty.</p>;
  return (
    <section aria-label={label} tabIndex={0} className={textBlock}>
      {text.slice(0, shownUnits)}
      {text.length > shownUnits && <span className="text-text-muted"> … {formatLength(text.length)} in total</span>}
    </section>
  );
}
