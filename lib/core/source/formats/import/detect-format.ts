import { parseFlow } from "../../../dsl/parse";
import { withoutByteOrderMark } from "../../yaml/byte-order-mark";
import type { ImportFormat } from "../format-names";
import { importLimits } from "./imported";

const constructors = /\b(?:Agent|Swarm|ParallelGroup|SerialGroup|SwarmNode)\s*\(/;
const pythonStart = /^[ \t]*(?:from\s+[\w.]+\s+import\s|import\s+[\w.]+|@\w+|(?:async\s+)?def\s+\w+\s*\()/m;
const section = /^(?:agents|swarm|swarms|groups|branches|routers|loops|approvals)\s*:/m;
/** Keys that only Orbiter's files have. */
const orbiterOnly =
  /^\s*(?:- )?["']?system_prompt["']?\s*:|[{,]\s*["']?system_prompt["']?\s*:|^\s+order\s*:|^\s+type\s*:\s*builtin\b/m;

/** The format that a text most likely has; null: it looks like none. Reads nothing of it but its form. */
export function detectFormat(text: string): ImportFormat | null {
  const start = withoutByteOrderMark(text).trim();
  if (start === "" || start.length > importLimits.length) return null;
  if (start.startsWith("{") && /^\{\s*(?:"|\})/.test(start)) return detectJson(start);
  if (constructors.test(start) && (pythonStart.test(start) || /^[ \t]*[\w.]+\s*(?::[^=\n]+)?=|\bname\s*=/m.test(start)))
    return "python";
  if (section.test(start) || /^\{\s*(?:name|agents|swarm)\s*:/.test(start))
    return orbiterOnly.test(start) ? "orbiter-yaml" : "yaml";
  if (pythonStart.test(start)) return "python";
  const line = /^(?!\s*#).*\S.*$/m.exec(start)?.[0] ?? "";
  const isLine = start.includes(">>") || /\([^()]*\|[^()]*\)/.test(line);
  return isLine && parseFlow(start).expression ? "dsl" : null;
}

function detectJson(text: string): ImportFormat | null {
  if (/"(?:flow_order|system_prompt)"\s*:/.test(text) || /"mode"\s*:\s*"(?:workflow|handoff|team)"/.test(text))
    return "orbiter-json";
  if (/^\{\s*"name"\s*:/.test(text) && /"model"\s*:/.test(text) && !/"(?:agents|swarm)"\s*:/.test(text))
    return "orbiter-json";
  return /"(?:agents|swarm)"\s*:/.test(text) ? "json" : null;
}
