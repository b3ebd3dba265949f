import { useState } from "react";
import type { HumanInputRequest } from "@/lib/core/run/events/events";
import { RequestError } from "../../_ui/loading/fetch-json";
import {
  type ArgumentsDraft,
  type ArgumentsProblem,
  hasSameArguments,
  readArgumentsDraft,
  startArguments,
} from "./arguments-draft";

export function useArguments({ schema, text = "" }: Pick<HumanInputRequest, "schema" | "text">) {
  const [draft, setDraft] = useState(() => startArguments(schema, text));
  const [problems, setProblems] = useState<readonly ArgumentsProblem[]>([]);
  return {
    form: {
      draft,
      problems,
      onChange(changed: ArgumentsDraft): void {
        setDraft(changed);
        setProblems([]);
      },
    },
    shownText: draft.type === "json" ? draft.text : Object.values(draft.texts).join("\n"),
    /** The arguments as JSON text, as they were unless their values differ; null after showing what has to be corrected. */
    read(): string | null {
      const edited = readArgumentsDraft(draft);
      setProblems(edited.ok ? [] : edited.problems);
      if (!edited.ok) return null;
      return hasSameArguments(edited.text, text) ? text : edited.text;
    },
    showRefusal(error: unknown): boolean {
      const problem = toArgumentsProblem(error);
      if (problem) setProblems([problem]);
      return problem !== null;
    },
  };
}

function toArgumentsProblem(error: unknown): ArgumentsProblem | null {
  if (!(error instanceof RequestError) || error.code !== "bad_request") return null;
  const { details } = error;
  if (typeof details !== "object" || details === null || !("path" in details)) return null;
  const { path } = details;
  return typeof path === "string" ? { field: path.split(".")[0] ?? "", message: error.message } : null;
}
