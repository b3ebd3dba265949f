"use client";
import { Send } from "lucide-react";
import { useId, useState } from "react";
import type { TestAnswer } from "@/lib/server/trace-export/commands";
import type { TraceExportDetail } from "@/lib/server/trace-export/trace-export-setting";
import { Button } from "../../_ui/controls/button";
import { fetchJson, messageOf } from "../../_ui/loading/fetch-json";
import { Checkbox } from "./checkbox";
import { type HeaderRow, HeaderRows } from "./header-rows";
import { inputStyle } from "./input-style";
import { LastResult } from "./last-result";

const address = "/api/v1/settings/trace-export";

/** What came of the last press of a button. */
interface ActionOutcome {
  ok: boolean;
  text: string;
}

/** Where the team's runs are sent: address, headers, with or without texts, on or off; and whether it works. */
export function TraceExportForm({ initial }: { initial: TraceExportDetail | null }) {
  const [stored, setStored] = useState(initial);
  const [endpoint, setEndpoint] = useState(initial?.endpoint ?? "");
  const [rows, setRows] = useState(() => toRows(initial?.headers ?? {}));
  const [content, setContent] = useState(initial?.content ?? false);
  const [enabled, setEnabled] = useState(initial?.enabled ?? false);
  const [pending, setPending] = useState<"save" | "test" | null>(null);
  const [outcome, setOutcome] = useState<ActionOutcome | null>(null);
  const field = useId();
  const perform = async (action: "save" | "test", work: (json: object) => Promise<ActionOutcome>): Promise<void> => {
    setPending(action);
    setOutcome(null);
    const named = rows.filter(({ name, variable }) => name.trim() !== "" || variable.trim() !== "");
    const headers = Object.fromEntries(named.map(({ name, variable }) => [name.trim(), variable.trim()]));
    setOutcome(await work({ endpoint, headers, content, enabled }).catch((error: unknown) => toProblem(error)));
    setPending(null);
  };
  const save = (): Promise<void> =>
    perform("save", async (json) => {
      const saved = await fetchJson<TraceExportDetail>(address, { json, method: "PUT" });
      setStored(saved);
      return {
        ok: true,
        text: saved.enabled ? "Saved. Runs that end from now on are sent." : "Saved. Nothing is sent.",
      };
    });
  const test = (): Promise<void> =>
    perform("test", async (json) => {
      const { ok, message, milliseconds } = await fetchJson<TestAnswer>(`${address}/test`, { json });
      return { ok, text: `${message} (${milliseconds} ms)` };
    });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div>
        <label htmlFor={field} className="mb-1 block font-medium">
          Address for traces
        </label>
        <input
          id={field}
          type="url"
          required
          maxLength={2000}
          value={endpoint}
          onChange={(event) => setEndpoint(event.target.value)}
          placeholder="http://collector.example:4318/v1/traces"
          aria-describedby={`${field}-hint`}
          className={inputStyle}
        />
        <p id={`${field}-hint`} className="mt-1 text-text-muted text-xs">
          OTLP over HTTP with JSON. An address that is not public has to be named in SWARMLOOM_TRACE_ALLOW.
        </p>
      </div>
      <HeaderRows rows={rows} onChange={setRows} />
      <Checkbox
        label="Send texts too"
        hint="Messages, answers, arguments and results, and the words of errors. Without it only names, times, counts and costs leave."
        checked={content}
        onChange={setContent}
      />
      <Checkbox label="Send runs when they end" checked={enabled} onChange={setEnabled} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" pending={pending === "save"} disabled={pending !== null}>
          Save
        </Button>
        <Button
          onClick={() => void test()}
          pending={pending === "test"}
          disabled={pending !== null || endpoint.trim() === ""}
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

const toProblem = (error: unknown): ActionOutcome => ({ ok: false, text: messageOf(error) });

const toRows = (headers: Readonly<Record<string, string>>): HeaderRow[] =>
  Object.entries(headers).map(([name, variable], id) => ({ id, name, variable }));
