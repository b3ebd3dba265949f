import { ScrollText } from "lucide-react";
import Link from "next/link";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { actionWords } from "@/lib/server/audit/audit-actions";
import type { AuditLogEntry } from "@/lib/server/audit/audit-queries";
import { describeFact } from "./audit-facts";
import { AuditTime } from "./audit-time";

interface AuditTableProps {
  entries: readonly AuditLogEntry[];
  isFiltered: boolean;
}

export function AuditTable({ entries, isFiltered }: AuditTableProps) {
  if (entries.length === 0)
    return (
      <EmptyState
        icon={<ScrollText size={24} aria-hidden />}
        title={isFiltered ? "No entry matches" : "No entries yet"}
      >
        {isFiltered ? (
          <a href="/audit" className="text-accent-text underline">
            Show all entries
          </a>
        ) : (
          "The log begins with the next change to a flow, a run or a setting."
        )}
      </EmptyState>
    );
  return (
    <ul aria-label="Entries" className="divide-y rounded-lg border bg-surface">
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

function AuditRow({ entry: { at: timeMs, actor, action, object, detail } }: { entry: AuditLogEntry }) {
  const facts = Object.entries(detail).map(([name, value]) => describeFact(name, value));
  return (
    <li className="flex flex-col gap-x-4 gap-y-0.5 px-4 py-2 sm:flex-row">
      <span className="w-40 shrink-0 text-text-muted tabular-nums">
        <AuditTime at={timeMs} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]">
          <a href={`/audit?actor=${encodeURIComponent(actor.id)}`} className="font-medium hover:underline">
            {actor.name}
          </a>{" "}
          {actionWords[action]} <AuditObject object={object} />
        </p>
        {facts.length > 0 && (
          <dl className="mt-0.5 flex flex-wrap gap-x-3 text-text-muted text-xs">
            {facts.map(({ label, text, whole }) => (
              <div key={label} className="flex min-w-0 gap-1">
                <dt>{label}</dt>
                <dd title={whole} className="min-w-0 font-mono [overflow-wrap:anywhere]">
                  {text}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <a
        href={`/audit?object=${encodeURIComponent(object.id)}`}
        aria-label={`History of ${object.name}`}
        className="shrink-0 self-start text-text-muted text-xs hover:underline"
      >
        History
      </a>
    </li>
  );
}

function AuditObject({ object: { type, id, name } }: { object: AuditLogEntry["object"] }) {
  if (type === "team") return "the team";
  if (type !== "flow" && type !== "run") return <span className="font-medium">{name}</span>;
  return (
    <Link href={type === "flow" ? `/flows/${id}` : `/runs/${id}`} className="font-medium hover:underline">
      {name}
    </Link>
  );
}
