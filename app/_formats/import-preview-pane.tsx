import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { DisclosureLine } from "@/app/_ui/controls/disclosure-line";
import { formatCount } from "@/lib/core/flow/format-count";
import { errorsOf, type Problem, type Severity } from "@/lib/core/flow/problem";
import { formatFacts } from "@/lib/core/source/formats/format-names";
import { lossesOf, type Quarantined } from "@/lib/core/source/formats/import/imported";
import { FlowPicture } from "./flow-picture";
import { countParts, type ImportPreview } from "./read-import";

export function ImportPreviewPane({ preview }: { preview: ImportPreview | null }) {
  if (!preview)
    return (
      <div className="flex min-h-40 items-center justify-center rounded-md border border-line border-dashed p-4 text-center text-text-muted text-xs">
        A preview of the flow appears here before it is imported.
      </div>
    );
  const { imported, flow, problems, picture } = preview;
  const all = [...imported.problems, ...problems];
  const losses = flow ? lossesOf(imported).length : 0;
  const lost = imported.quarantined.filter(({ effect }) => effect === "lost");
  const preserved = imported.quarantined.filter(({ effect }) => effect === "note");
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-2">
      <p role="status" className="flex items-center gap-1.5 font-medium text-xs">
        {flow ? (
          <>
            <CircleCheck size={14} aria-hidden className="shrink-0 text-success" />
            {formatFacts[imported.format].label}: {countParts(flow)}
          </>
        ) : (
          <>
            <CircleAlert size={14} aria-hidden className="shrink-0 text-danger" />
            No flow can be read from this text
          </>
        )}
      </p>
      {losses > 0 && (
        <p role="alert" className="flex items-center gap-1.5 font-medium text-warning text-xs">
          <TriangleAlert size={14} aria-hidden className="shrink-0" />
          This flow does not mean the same as the text: {losses} {losses === 1 ? "element" : "elements"} cannot be
          imported
        </p>
      )}
      {flow && <FlowPicture svg={picture} name={flow.name} className="h-72" />}
      {all.length > 0 && <ProblemLines problems={all} />}
      {lost.length > 0 && <SetAside pieces={lost} label="Lost" title="lost, and kept as text" />}
      {preserved.length > 0 && <SetAside pieces={preserved} label="Kept as text" title="kept as text and never run" />}
    </section>
  );
}

const severityStyles: Record<Severity, { icon: typeof Info; color: string }> = {
  error: { icon: CircleAlert, color: "text-danger" },
  warning: { icon: TriangleAlert, color: "text-warning" },
  info: { icon: Info, color: "text-text-muted" },
};

const mostLines = 50;

function ProblemLines({ problems }: { problems: readonly Problem[] }) {
  const ordered = [...errorsOf(problems), ...problems.filter(({ severity }) => severity !== "error")];
  return (
    <ul aria-label="Problems of the import" className="max-h-32 overflow-y-auto rounded-md border border-line text-xs">
      {ordered.slice(0, mostLines).map(({ severity, message, code, range }) => {
        const { icon: Icon, color } = severityStyles[severity];
        return (
          <li key={`${code} ${range?.from} ${message}`} className="flex gap-1.5 px-2 py-1">
            <Icon size={13} aria-label={severity} className={`mt-0.5 shrink-0 ${color}`} />
            <span className="min-w-0 break-words">{message}</span>
          </li>
        );
      })}
      {ordered.length > mostLines && (
        <li className="px-2 py-1 text-text-muted">… and {formatCount(ordered.length - mostLines)} more</li>
      )}
    </ul>
  );
}

interface SetAsideProps {
  pieces: readonly Quarantined[];
  label: string;
  title: string;
}

function SetAside({ pieces, label, title }: SetAsideProps) {
  return (
    <details open={label === "Lost"} className="rounded-md border border-line text-xs">
      <DisclosureLine className="px-2 py-1.5 font-medium">
        {formatCount(pieces.length)} {pieces.length === 1 ? "element is" : "elements are"} {title}
      </DisclosureLine>
      <ul aria-label={label} className="max-h-40 overflow-y-auto border-line border-t">
        {pieces.slice(0, mostLines).map(({ description, text, range }) => (
          <li key={`${description} ${range?.from}`} className="px-2 py-1">
            <span className="text-text-muted">{description}</span>
            <pre className="overflow-x-auto whitespace-pre-wrap break-all font-mono text-[11px] leading-4">
              {text.slice(0, 300)}
            </pre>
          </li>
        ))}
      </ul>
    </details>
  );
}
