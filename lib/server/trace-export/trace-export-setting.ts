import "server-only";
import { z } from "zod";
import { orIssue, traceVariable } from "../env";
import { parseHttpUrl } from "../net/guard";

/** What the connection itself sets. */
const ownHeader = /^(?:host|connection|content-length|content-type|transfer-encoding|upgrade|expect|te|trailer)$/i;

function checkEndpoint(text: string): string {
  const url = parseHttpUrl(text);
  if (url.search !== "" || url.hash !== "")
    throw new Error("expected an address without ? and #; what is secret goes into a header");
  return url.href;
}

/** What is wrong with a header and its variable, if anything. */
function findMistake([name, variable]: [string, string]): string | null {
  const quotedName = JSON.stringify(name.slice(0, 100));
  if (!/^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name)) return `expected the name of a header, found ${quotedName}`;
  if (ownHeader.test(name)) return `the connection sets the header ${quotedName} itself`;
  if (traceVariable.test(variable)) return null;
  return `expected for the header ${quotedName} the name of a variable that begins with SWARMLOOM_OTLP_, never a value`;
}

/** Where a team's runs are sent as traces. `headers`: names of headers with names of environment variables. */
export const traceExportSchema = z.strictObject({
  /** The whole address for traces, e.g. `http://collector:4318/v1/traces`. */
  endpoint: z.string().trim().max(2000).transform(orIssue(checkEndpoint)),
  headers: z.record(z.string(), z.string()).superRefine((headers, context) => {
    const entries = Object.entries(headers);
    const mistake = entries.length > 20 ? "expected at most 20 headers" : entries.map(findMistake).find(Boolean);
    if (mistake) context.addIssue({ code: "custom", message: mistake });
  }),
  /** Whether texts of the runs go along. */
  content: z.boolean(),
  enabled: z.boolean(),
});
export type TraceExportSetting = z.infer<typeof traceExportSchema>;

/** Of the setting what its page shows. Times are milliseconds since the epoch. */
export interface TraceExportDetail extends TraceExportSetting {
  updatedAt: number;
  lastSentAt: number | null;
  /** Why the last attempt failed; null after one that did not. */
  lastError: string | null;
}
