import { useState } from "react";
import type { HumanInputRequest } from "@/lib/core/run/events/events";
import { useKeptDraft } from "../../_ui/draft/use-kept-draft";
import { RequestError } from "../../_ui/loading/fetch-json";
import {
  type ArgumentsDraft,
  type ArgumentsProblem,
  hasSameArguments,
  readArgumentsDraft,
  startArguments,
  textsOf,
  withTexts,
} from "./arguments-draft";

/** `draftKey`: under which the browser keeps what is edited. */
export function useArguments({ schema, text = "" }: Pick<HumanInputRequest, "schema" | "text">, draftKey: string) {
  const [start] = useState(() => startArguments(schema, text));
  const kept = useKeptDraft(draftKey, textsOf(start));
  const draft = withTexts(start, kept.texts);
  const [problems, setProblems] = useState<readonly ArgumentsProblem[]>([]);
  return {
    form: {
      draft,
      problems,
      onChange(changed: ArgumentsDraft): void {
        kept.change(textsOf(changed));
        setProblems([]);
      },
    },
    shownText: Object.values(kept.texts).join("\n"),
    /** Of what was edited; empty: nothing was. */
    editedText: Object.entries(kept.texts)
      .filter(([name, edited]) => edited !== textsOf(start)[name])
      .map(([name, edited]) => (name === "" ? edited : `${name}: ${edited}`))
      .join("\n"),
    drop: kept.drop,
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
