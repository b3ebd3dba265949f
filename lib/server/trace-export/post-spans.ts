import "server-only";
import { z } from "zod";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import { toFrame } from "@/lib/core/trace/otlp/to-trace";
import { getOwnPort, getTraceVariable } from "../env";
import { redactSecrets } from "../log/redact";
import { systemLookup } from "../net/guard";
import { requestGuarded } from "../net/guarded-request";
import { decodeBody } from "../net/read-capped";
import { getTeamEnv, usesEnvironment } from "../team-env";
import type { TraceExportSetting } from "./trace-export-setting";

/** Why it failed, in words without secrets, and whether trying again later can help. */
export interface PostFailure {
  ok: false;
  problem: string;
  mayHelp: boolean;
}

/** A collector answers with little; redirects would carry the headers elsewhere. */
const postLimits = { bytes: 20_000, milliseconds: 10_000, redirects: 0 };

/** Statuses after which OTLP allows another attempt (specification of OTLP/HTTP, "Retryable Response Codes"), and a time-out. */
const transient = new Set([408, 429, 500, 502, 503, 504]);

/** Sends the texts of some spans to a collector as one request. Never throws. */
export async function postSpans(
  { teamId, endpoint, headers }: Pick<TraceExportSetting, "endpoint" | "headers"> & { teamId: string },
  spans: readonly string[],
): Promise<{ ok: true; status: number } | PostFailure> {
  const filled = resolveHeaders(usesEnvironment(teamId) ? headers : {});
  if ("problem" in filled) return { ok: false, problem: filled.problem, mayHelp: true };
  const { head, tail } = toFrame();
  const hide = (text: string): string => redactSecrets(text, filled.secrets);
  try {
    const { SWARMLOOM_TRACE_ALLOW: allow } = getTeamEnv(teamId);
    const guard = { allow, setting: "SWARMLOOM_TRACE_ALLOW", ownPort: getOwnPort(), lookup: systemLookup };
    const answer = await requestGuarded(
      { url: endpoint, method: "POST", headers: filled.headers, body: head + spans.join(",") + tail },
      { guard, signal: new AbortController().signal, limits: postLimits },
    );
    const { status } = answer;
    const answerText = (decodeBody(answer, answer.headers.get("content-type") ?? "") ?? "").trim();
    if (status < 200 || status > 299) {
      const words = hide(answerText).slice(0, 300);
      const problem = `The collector answered with status ${status}${words === "" ? "." : `: ${words}`}`;
      return { ok: false, problem, mayHelp: transient.has(status) };
    }
    const refused = findRejection(answerText);
    if (refused !== null) return { ok: false, problem: hide(refused), mayHelp: false };
    return { ok: true, status };
  } catch (error) {
    const words = hide(error instanceof Error ? error.message : String(error));
    return { ok: false, problem: `The collector cannot be reached: ${words}.`, mayHelp: true };
  }
}

/** The headers with the values of their variables. */
function resolveHeaders(
  named: TraceExportSetting["headers"],
): { headers: Headers; secrets: string[] } | { problem: string } {
  const headers = new Headers({ "user-agent": "Swarmloom", "content-type": "application/json" });
  const secrets: string[] = [];
  for (const [name, variable] of Object.entries(named)) {
    const value = getTraceVariable(variable);
    if (value === undefined)
      return {
        problem: `The environment variable ${variable} is not set, which the header "${name}" takes its value from.`,
      };
    try {
      headers.set(name, value);
    } catch {
      return { problem: `The value of ${variable} is not valid in a header: expected one line of plain characters.` };
    }
    secrets.push(value);
  }
  return { headers, secrets };
}

const partialSchema = z.object({
  partialSuccess: z.object({
    rejectedSpans: z.coerce.number().default(0),
    errorMessage: z.string().default(""),
  }),
});

/** The reason in the answer of a collector that accepted the request but not all of its spans. */
function findRejection(text: string): string | null {
  const data = findJsonAs(text, partialSchema);
  if (!data || data.partialSuccess.rejectedSpans === 0) return null;
  const { rejectedSpans, errorMessage } = data.partialSuccess;
  return `The collector refused ${rejectedSpans} spans: ${errorMessage.slice(0, 300)}`;
}
