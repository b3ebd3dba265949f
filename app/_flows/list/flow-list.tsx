"use client";
import { FileInput, LayoutTemplate, Plus, SearchX, Trash2, Waypoints } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useOptimistic, useRef, useState, useTransition } from "react";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { formatCount } from "@/lib/core/flow/format-count";
import type { FlowCounts, FlowPage, FlowSummary } from "@/lib/server/flows/list-flows";
import { useAccess } from "../../_ui/access/access";
import { InFlow } from "../../_ui/access/page-scope";
import { Button } from "../../_ui/controls/button";
import { EmptyState } from "../../_ui/controls/empty-state";
import { createdSchema, fetchJson } from "../../_ui/loading/fetch-json";
import { loadPart } from "../../_ui/loading/load-part";
import { showError } from "../../_ui/toast/show-error";
import { FirstRun } from "./first-run";
import { useFlowChanges } from "./flow-actions";
import { FlowCard, FlowRow } from "./flow-items";
import type { FlowItemProps } from "./flow-parts";
import { flowsPerStep, type ListAddress, type ListView, listViewCookie, writeListAddress } from "./list-address";
import { ListEnd } from "./list-end";
import { ListToolbar } from "./list-toolbar";
import { useListKeys, walkFlows } from "./use-list-keys";

const TrashDialog = dynamic(() => loadPart(() => import("../trash/trash-dialog")), { ssr: false });
const TagsPopover = dynamic(() => loadPart(() => import("../tags/tags-popover")), { ssr: false });
const FlowMembersDialog = dynamic(() => loadPart(() => import("../members/flow-members-dialog")), { ssr: false });
const RunFlowDialog = dynamic(() => loadPart(() => import("../run/run-flow-dialog")), { ssr: false });
const ImportDialog = dynamic(() => loadPart(() => import("../../_formats/import-dialog")), { ssr: false });
const NewFromTemplate = dynamic(() => loadPart(() => import("../templates/new-from-template")), { ssr: false });

interface FlowListProps {
  page: FlowPage;
  counts: FlowCounts;
  address: ListAddress;
  initialView: ListView;
  demoInput: string;
}

type FlowDialog =
  | { type: "template" }
  | { type: "import" }
  | { type: "trash" }
  | { type: "tags"; flow: FlowSummary }
  | { type: "members"; flow: FlowSummary }
  | { type: "run"; flow: FlowSummary };

const refreshMs = 3000;

export function FlowList({ page, counts, address, initialView, demoInput }: FlowListProps) {
  const { pending, create } = useCreateFlow();
  const [dialog, setDialog] = useState<FlowDialog | null>(null);
  const [view, setView] = useListView(initialView);
  const { shownAddress, isLoading, goTo } = useListAddress(address);
  const { hiddenIds, show, changes } = useFlowChanges();
  const { mayEdit, mayRun } = useAccess();
  const search = useRef<HTMLInputElement>(null);
  const flows = page.flows.filter(({ id }) => !hiddenIds.has(id));
  useListKeys({ search, onNew: () => mayEdit && !pending && create() });
  useRefresh(flows.some(({ lastRun }) => lastRun?.endedAt === null));
  const demoFlow = findDemoFlow(flows, counts);
  const actions = {
    ...changes,
    run: (flow: FlowSummary) => setDialog({ type: "run", flow }),
    editTags: (flow: FlowSummary) => setDialog({ type: "tags", flow }),
    showMembers: (flow: FlowSummary) => setDialog({ type: "members", flow }),
  };
  return (
    <PageFrame className="flex flex-col gap-3">
      <ListHead counts={counts} isPrimary={demoFlow === null} pending={pending} onOpen={setDialog} onNew={create} />
      {demoFlow && mayRun && <FirstRun flow={demoFlow} input={demoInput} />}
      {counts.live > 0 && (
        <ListToolbar
          address={shownAddress}
          counts={counts}
          view={view}
          search={search}
          onChange={goTo}
          onView={setView}
        />
      )}
      {counts.live === 0 ? (
        <NoFlows pending={pending} onTemplates={() => setDialog({ type: "template" })} />
      ) : flows.length === 0 ? (
        <NoMatch onClear={() => goTo({ ...address, q: "", tag: "" })} />
      ) : (
        <Flows view={view} isLoading={isLoading}>
          {flows.map((flow) => (
            <FlowItem key={flow.id} view={view} flow={flow} actions={actions} />
          ))}
        </Flows>
      )}
      <ListEnd
        page={page}
        shown={address.show}
        isLoading={isLoading}
        onShow={() => goTo({ ...address, show: address.show + flowsPerStep })}
      />
      <ListDialog
        dialog={dialog}
        pending={pending}
        onCreate={create}
        onRestored={show}
        onClose={() => setDialog(null)}
      />
    </PageFrame>
  );
}

/** The only flow there is, before its first run. */
function findDemoFlow([flow]: readonly FlowSummary[], counts: FlowCounts): FlowSummary | null {
  const isFirst = counts.live === 1 && counts.trashed === 0;
  return isFirst && flow && flow.lastRun === null && flow.errors === 0 && flow.agents > 0 ? flow : null;
}

interface ListHeadProps {
  counts: FlowCounts;
  isPrimary: boolean;
  pending: boolean;
  onOpen(dialog: FlowDialog): void;
  onNew(): void;
}

function ListHead({ counts, isPrimary, pending, onOpen, onNew }: ListHeadProps) {
  const { mayEdit } = useAccess();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h1 className="font-semibold text-xl tracking-tight">Flows</h1>
      <span className="ml-1 text-text-muted tabular-nums max-sm:mr-auto">{formatCount(counts.live)}</span>
      {mayEdit && (
        <>
          <span className="flex gap-2 max-sm:order-1 max-sm:w-full sm:ml-auto">
            <Button
              variant="ghost"
              className="text-text-muted! max-sm:order-3 max-sm:ml-auto"
              onClick={() => onOpen({ type: "trash" })}
            >
              <Trash2 size={14} aria-hidden /> Trash
            </Button>
            <Button disabled={pending} onClick={() => onOpen({ type: "import" })}>
              <FileInput size={14} aria-hidden /> Import
            </Button>
            <Button disabled={pending} onClick={() => onOpen({ type: "template" })}>
              <LayoutTemplate size={14} aria-hidden /> Templates
            </Button>
          </span>
          <Button
            variant={isPrimary ? "primary" : "secondary"}
            pending={pending}
            aria-keyshortcuts="N"
            onClick={() => onNew()}
          >
            <Plus size={14} aria-hidden /> New flow
            <kbd
              aria-hidden
              className="hidden rounded border border-current/45 px-1 font-medium font-sans text-[11px] leading-4 sm:inline"
            >
              N
            </kbd>
          </Button>
        </>
      )}
    </div>
  );
}

const FlowItem = ({ view, ...item }: FlowItemProps & { view: ListView }) => (
  <InFlow id={item.flow.id}>{view === "rows" ? <FlowRow {...item} /> : <FlowCard {...item} />}</InFlow>
);

const listStyles: Record<ListView, string> = {
  pictures: "grid grid-cols-[repeat(auto-fill,minmax(min(100%,304px),1fr))] gap-x-5 gap-y-4.5",
  rows: "divide-y overflow-hidden rounded-xl border",
};

interface FlowsProps {
  view: ListView;
  isLoading: boolean;
  children: ReactNode;
}

const Flows = ({ view, isLoading, children }: FlowsProps) => (
  <ul
    aria-label="Flows"
    aria-busy={isLoading}
    onKeyDown={walkFlows}
    className={`mt-1.5 transition-opacity aria-busy:opacity-60 ${listStyles[view]}`}
  >
    {children}
  </ul>
);

const NoFlows = ({ pending, onTemplates }: { pending: boolean; onTemplates(): void }) => (
  <EmptyState icon={<Waypoints size={32} aria-hidden />} title="No flows yet">
    <p>A flow declares which agents run one after another and which run in parallel, for example:</p>
    <code className="rounded-md border bg-surface px-3 py-2 font-mono text-text max-sm:text-[11px] [font-variant-ligatures:none]">
      planner &gt;&gt; (researcher | analyst) &gt;&gt; writer
    </code>
    {useAccess().mayEdit && (
      <Button disabled={pending} onClick={onTemplates}>
        <LayoutTemplate size={14} aria-hidden /> Start from a template
      </Button>
    )}
  </EmptyState>
);

const NoMatch = ({ onClear }: { onClear(): void }) => (
  <EmptyState icon={<SearchX size={32} aria-hidden />} title="No flow matches">
    <p>Every search word must occur in the name, an agent, its instructions or a tag.</p>
    <Button onClick={onClear}>Show all flows</Button>
  </EmptyState>
);

interface ListDialogProps {
  dialog: FlowDialog | null;
  pending: boolean;
  onCreate(source: string, imported?: boolean): void;
  onRestored(id: string): void;
  onClose(): void;
}

function ListDialog({ dialog, pending, onCreate, onRestored, onClose }: ListDialogProps) {
  switch (dialog?.type) {
    case undefined:
      return null;
    case "template":
      return <NewFromTemplate pending={pending} onClose={onClose} onChoose={onCreate} />;
    case "trash":
      return <TrashDialog onRestored={onRestored} onClose={onClose} />;
    case "tags":
      return <TagsPopover flow={dialog.flow} onClose={onClose} />;
    case "members":
      return <FlowMembersDialog flow={dialog.flow} onClose={onClose} />;
    case "run":
      return <RunFlowDialog flow={dialog.flow} onClose={onClose} />;
    case "import":
      return (
        <ImportDialog
          initialText=""
          model="demo:agent"
          onClose={onClose}
          renderActions={({ source }) => (
            <Button variant="primary" disabled={source === ""} pending={pending} onClick={() => onCreate(source, true)}>
              Create a new flow
            </Button>
          )}
        />
      );
  }
}

/** What is chosen next builds on what was chosen, though its page is still on its way. */
function useListAddress(address: ListAddress) {
  const router = useRouter();
  const [isLoading, startTransition] = useTransition();
  const [shownAddress, setShownAddress] = useOptimistic(address);
  const goTo = (changed: ListAddress): void =>
    startTransition(() => {
      setShownAddress(changed);
      router.replace(writeListAddress(changed), { scroll: false });
    });
  return { shownAddress, isLoading, goTo };
}

function useListView(initial: ListView): [ListView, (view: ListView) => void] {
  const [view, setView] = useState(initial);
  const choose = (chosen: ListView): void => {
    document.cookie = `${listViewCookie}=${chosen}; path=/; max-age=31536000; samesite=lax`;
    setView(chosen);
  };
  return [view, choose];
}

/** Reads the list again while something runs. */
function useRefresh(isActive: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => router.refresh(), refreshMs);
    return () => clearInterval(timer);
  }, [isActive, router]);
}

/** Creates a flow and opens it. Stays pending until the editor has replaced the page. */
function useCreateFlow(): { pending: boolean; create(source?: string, imported?: boolean): void } {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const create = (source?: string, imported = false): void => {
    setPending(true);
    fetchJson("/api/v1/flows", createdSchema, { json: source === undefined ? {} : { source, imported } }).then(
      ({ id }) => router.push(`/flows/${id}`),
      (error: unknown) => {
        showError(error);
        setPending(false);
      },
    );
  };
  return { pending, create };
}
