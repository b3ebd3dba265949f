"use client";
import { Send } from "lucide-react";
import { useId, useState } from "react";
import * as z from "zod/mini";
import { Checkbox } from "@/app/_ui/controls/checkbox";
import { inputStyle } from "@/app/_ui/controls/input-style";
import type { TestAnswer } from "@/lib/server/trace-export/commands";
import type { TraceExportDetail } from "@/lib/server/trace-export/trace-export-setting";
import { Button } from "../../_ui/controls/button";
import { RelativeTime } from "../../_ui/format/relative-time";
import { fetchJson, messageOf } from "../../_ui/loading/fetch-json";
import { type HeaderRow, HeaderRows } from "./header-rows";

const address = "/api/v1/settings/trace-export";

interface ActionOutcome {
  ok: boolean;
  text: string;
}

interface TraceExportDraft {
  endpoint: string;
  rows: readonly HeaderRow[];
  content: boolean;
  enabled: boolean;
}

export function TraceExportForm({ initial }: { initial: TraceExportDetail | null }) {
  const { draft, change, stored, pending, outcome, save, test } = useTraceExport(initial);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <EndpointField endpoint={draft.endpoint} onChange={(endpoint) => change({ endpoint })} />
      <HeaderRows rows={draft.rows} onChange={(rows) => change({ rows })} />
      <Checkbox
        label="Include texts"
        hint="Messages, answers, tool arguments and results, and error messages. Without them only names, times, counts and costs are sent."
        checked={draft.content}
        onChange={(content) => change({ content })}
      />
      <Checkbox label="Send runs when they end" checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" pending={pending === "save"} disabled={pending !== null}>
          Save
        </Button>
        <Button
          onClick={() => void test()}
          pending={pending === "test"}
          disabled={pending !== null || draft.endpoint.trim() === ""}
        >
          <Send size={14} aria-hidden /> Send a test span
        </Button>
      </div>
      <p
        role="status"
        className={`empty:hidden [overflow-wrap:anywhere] ${outcome?.ok ? "text-success" : "text-danger"}`}
      >
        {outcome?.text}
      </p>
      {stored && <LastResult setting={stored} />}
    </form>
  );
}

const settingSchema: z.ZodMiniType<TraceExportDetail> = z.object({
  endpoint: z.string(),
  headers: z.record(z.string(), z.string()),
  content: z.boolean(),
  enabled: z.boolean(),
  updatedAt: z.number(),
  lastSentAt: z.nullable(z.number()),
  lastError: z.nullable(z.string()),
});
const testSchema: z.ZodMiniType<TestAnswer> = z.object({
  ok: z.boolean(),
  message: z.string(),
  milliseconds: z.number(),
});

function useTraceExport(initial: TraceExportDetail | null) {
  const [stored, setStored] = useState(initial);
  const [draft, setDraft] = useState<TraceExportDraft>(() => ({
    endpoint: initial?.endpoint ?? "",
    rows: toRows(initial?.headers ?? {}),
    content: initial?.content ?? false,
    enabled: initial?.enabled ?? false,
  }));
  const [pending, setPending] = useState<"save" | "test" | null>(null);
  const [outcome, setOutcome] = useState<ActionOutcome | null>(null);
  const perform = async (action: "save" | "test", request: (json: object) => Promise<ActionOutcome>): Promise<void> => {
    setPending(action);
    setOutcome(null);
    const { rows, ...settings } = draft;
    const named = rows.filter(({ name, variable }) => name.trim() !== "" || variable.trim() !== "");
    const headers = Object.fromEntries(named.map(({ name, variable }) => [name.trim(), variable.trim()]));
    setOutcome(
      await request({ ...settings, headers }).catch((error: unknown) => ({ ok: false, text: messageOf(error) })),
    );
    setPending(null);
  };
  const save = (): Promise<void> =>
    perform("save", async (json) => {
      const saved = await fetchJson(address, settingSchema, { json, method: "PUT" });
      setStored(saved);
      return {
        ok: true,
        text: saved.enabled ? "Saved. Runs that end from now on are sent." : "Saved. Nothing is sent.",
      };
    });
  const test = (): Promise<void> =>
    perform("test", async (json) => {
      const { ok, message, milliseconds } = await fetchJson(`${address}/test`, testSchema, { json });
      return { ok, text: `${message} (${milliseconds} ms)` };
    });
  const change = (changes: Partial<TraceExportDraft>): void => setDraft((current) => ({ ...current, ...changes }));
  return { draft, change, stored, pending, outcome, save, test };
}

function EndpointField({ endpoint, onChange }: { endpoint: string; onChange(endpoint: string): void }) {
  const field = useId();
  return (
    <div>
      <label htmlFor={field} className="mb-1 block font-medium">
        Endpoint
      </label>
      <input
        id={field}
        type="url"
        required
        maxLength={2000}
        value={endpoint}
        onChange={(event) => onChange(event.target.value)}
        placeholder="http://collector.example:4318/v1/traces"
        aria-describedby={`${field}-hint`}
        className={inputStyle}
      />
      <p id={`${field}-hint`} className="mt-1 text-text-muted text-xs">
        OTLP over HTTP with JSON. List private addresses in SWARMLOOM_TRACE_ALLOW.
      </p>
    </div>
  );
}

function LastResult({ setting }: { setting: TraceExportDetail }) {
  const { lastSentAt, lastError } = setting;
  return (
    <dl className="flex flex-col gap-1 border-line border-t pt-3 text-text-muted">
      <div className="flex gap-2">
        <dt>Last run sent:</dt>
        <dd>{lastSentAt === null ? "none yet" : <RelativeTime at={lastSentAt} />}</dd>
      </div>
      {lastError !== null && (
        <div className="flex flex-wrap gap-x-2">
          <dt>Last attempt:</dt>
          <dd className="text-danger [overflow-wrap:anywhere]">{lastError}</dd>
        </div>
      )}
    </dl>
  );
}

const toRows = (headers: Readonly<Record<string, string>>): HeaderRow[] =>
  Object.entries(headers).map(([name, variable], id) => ({ id, name, variable }));
