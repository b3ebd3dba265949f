"use client";
import { ArrowLeftRight, ArrowRight } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { Button, buttonClass } from "@/app/_ui/controls/button";
import { ChoiceSwitch } from "@/app/_ui/controls/choice-switch";
import { Select } from "@/app/_ui/controls/select";
import { formatExact } from "@/app/_ui/format/format";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { loadPart } from "@/app/_ui/loading/load-part";
import { countNouns } from "@/lib/core/flow/format-count";
import type { compareRevisions } from "@/lib/server/flows/compare-revisions";
import type { RevisionSummary } from "@/lib/server/flows/revisions";
import { type DiffMode, diffModes } from "./modes";

const DiffContent = dynamic(() => loadPart(() => import("./diff-content")), {
  ssr: false,
  loading: () => <p className="text-text-muted">Comparing the versions…</p>,
});

type Comparison = Awaited<ReturnType<typeof compareRevisions>>;

interface DiffViewProps {
  flowId: string;
  comparison: Comparison;
  mode: DiffMode;
}

export function DiffView({ flowId, comparison, mode }: DiffViewProps) {
  const router = useRouter();
  const { name, from, to } = comparison;
  const show = (change: { from?: string; to?: string; view?: DiffMode }): void => {
    const params = new URLSearchParams({ from: from.id, to: to.id, view: mode, ...change });
    router.replace(`/flows/${flowId}/diff?${params}`, { scroll: false });
  };
  return (
    <div className="flex min-h-0 w-full flex-1 flex-col gap-3 bg-surface-sunken px-4 pt-4 pb-6 sm:px-8">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="min-w-0 truncate font-semibold text-xl tracking-tight">Versions of {name}</h1>
        <Link href={`/flows/${flowId}`} className={`${buttonClass("ghost", "small")} ml-auto`}>
          Open the flow
        </Link>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <VersionSelect label="Older version" of={comparison} value={from} onChange={(id) => show({ from: id })} />
        <ArrowRight size={16} aria-hidden className="text-text-muted max-sm:hidden" />
        <VersionSelect label="Newer version" of={comparison} value={to} onChange={(id) => show({ to: id })} />
        <Button variant="ghost" onClick={() => show({ from: to.id, to: from.id })}>
          <ArrowLeftRight size={14} aria-hidden /> Swap
        </Button>
        <div className="sm:ml-auto">
          <ChoiceSwitch label="Compare as" value={mode} choices={diffModes} onChange={(view) => show({ view })} />
        </div>
      </div>
      <p className="text-text-muted text-xs">
        {describe(from)} <RelativeTime at={from.createdAt} />. {describe(to)} <RelativeTime at={to.createdAt} />.
      </p>
      <DiffContent key={`${from.id} ${to.id}`} before={from} after={to} mode={mode} />
    </div>
  );
}

const describe = ({ number, createdBy, runs }: RevisionSummary): string =>
  `v${number}, ${countNouns(runs, "run")}, saved by ${createdBy}`;

interface VersionSelectProps {
  label: string;
  of: Comparison;
  value: RevisionSummary;
  onChange(id: string): void;
}

/** The chosen version may be older than those that are listed. */
function VersionSelect({ label, of: { revisions, published }, value, onChange }: VersionSelectProps) {
  const listed = revisions.some(({ id }) => id === value.id) ? revisions : [...revisions, value];
  return (
    <Select
      label={label}
      value={value.id}
      options={listed.map((revision) => [revision.id, toTitle(revision, published, revisions[0]?.id)])}
      onChange={onChange}
      className="h-8 min-w-0 max-w-80 rounded-md border-line-input px-2 max-sm:w-full"
    />
  );
}

function toTitle({ id, number, name, createdAt }: RevisionSummary, published: string | null, head?: string): string {
  const marks = [id === head ? "newest" : "", id === published ? "published" : ""].filter(Boolean);
  return [`v${number}`, ...(name === null ? [] : [name]), ...marks, formatExact(createdAt, "UTC")].join(", ");
}
