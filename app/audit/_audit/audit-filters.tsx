import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "@/app/_ui/controls/button";
import { inputStyle } from "@/app/_ui/controls/input-style";
import { actionWords, auditActions } from "@/lib/server/audit/audit-actions";
import { type AuditAddress, toDay } from "./audit-address";

interface AuditFiltersProps {
  address: AuditAddress;
  actors: readonly { id: string; name: string }[];
  /** The same as a query, without the page. */
  query: string;
}

/** A form that leads to the address of its filter, and the exports of that filter. */
export function AuditFilters({ address, actors, query }: AuditFiltersProps) {
  const { actor = "", action = "", object, q = "", from, to } = address;
  return (
    <form action="/audit" className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-5">
        <FilterField label="Names" name="q">
          {(attributes) => <input {...attributes} type="search" maxLength={200} defaultValue={q} />}
        </FilterField>
        <FilterField label="Who" name="actor">
          {(attributes) => (
            <select {...attributes} defaultValue={actor}>
              <option value="">Anyone</option>
              {actors.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </FilterField>
        <FilterField label="What" name="action">
          {(attributes) => (
            <select {...attributes} defaultValue={action}>
              <option value="">Anything</option>
              {auditActions.map((name) => (
                <option key={name} value={name}>
                  {name}: {actionWords[name]}
                </option>
              ))}
            </select>
          )}
        </FilterField>
        <FilterField label="From (UTC)" name="from">
          {(attributes) => <input {...attributes} type="date" defaultValue={toDay(from, "from")} />}
        </FilterField>
        <FilterField label="To (UTC)" name="to">
          {(attributes) => <input {...attributes} type="date" defaultValue={toDay(to, "to")} />}
        </FilterField>
      </div>
      {object !== undefined && <input type="hidden" name="object" value={object} />}
      <div className="flex flex-wrap items-center gap-2">
        <button type="submit" className={buttonClass("primary")}>
          Filter
        </button>
        {query !== "" && (
          <a href="/audit" className={buttonClass("ghost")}>
            Clear
          </a>
        )}
        <div className="flex flex-wrap gap-2 sm:ml-auto">
          <ExportLink format="csv" name="CSV" query={query} />
          <ExportLink format="jsonl" name="JSON lines" query={query} />
        </div>
      </div>
    </form>
  );
}

const ExportLink = ({ format, name, query }: { format: string; name: string; query: string }) => (
  <a href={`/api/v1/audit/export.${format}?${query}`} download className={buttonClass()}>
    <Download size={14} aria-hidden /> {name}
  </a>
);

interface FilterFieldProps {
  label: string;
  name: string;
  children(attributes: { id: string; name: string; className: string }): ReactNode;
}

const FilterField = ({ label, name, children }: FilterFieldProps) => (
  <div className="min-w-0">
    <label htmlFor={`audit-${name}`} className="mb-1 block font-medium">
      {label}
    </label>
    {children({ id: `audit-${name}`, name, className: inputStyle })}
  </div>
);
