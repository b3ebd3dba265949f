import { ScrollText } from "lucide-react";
import { Fragment } from "react";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { actionWords } from "@/lib/server/audit/audit-actions";
import type { AuditLogEntry } from "@/lib/server/audit/audit-queries";
import { describeFacts, findObjectPath } from "./audit-facts";
import { AuditTime } from "./audit-time";

interface AuditTableProps {
  entries: readonly AuditLogEntry[];
  isFiltered: boolean;
  /** Names of users by their ids. */
  names: ReadonlyMap<string, string>;
}

export function AuditTable({ entries, isFiltered, names }: AuditTableProps) {
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
        <AuditRow key={entry.id} entry={entry} names={names} />
      ))}
    </ul>
  );
}

function AuditRow({ entry, names }: { entry: AuditLogEntry; names: ReadonlyMap<string, string> }) {
  const { at: timeMs, actor, action, object } = entry;
  const path = findObjectPath(entry);
  const facts = describeFacts(entry, names).filter(({ href }) => href === undefined || href !== path);
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
          {actionWords[action]} <AuditObject path={path} name={object.type === "team" ? "the team" : object.name} />
        </p>
        {facts.length > 0 && (
          <p className="mt-1 text-text-muted text-xs leading-6 [overflow-wrap:anywhere]">
            {facts.map(({ text, href, whole }, index) => (
              <Fragment key={text}>
                {index > 0 && ", "}
                {href === undefined ? (
                  <span title={whole}>{text}</span>
                ) : (
                  <a href={href} className="inline-block min-h-6 underline hover:text-text">
                    {text}
                  </a>
                )}
              </Fragment>
            ))}
          </p>
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

function AuditObject({ path, name }: { path: string | null; name: string }) {
  if (path === null) return <span className="font-medium">{name}</span>;
  return (
    <a href={path} className="font-medium hover:underline">
      {name}
    </a>
  );
}
