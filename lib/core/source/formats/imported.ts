import type { Problem, ProblemCode, Severity } from "../../flow/problem";
import type { Range } from "../../flow/text";
import type { ImportFormat } from "./format-names";

/** Something that was found and not understood: kept as text, never run, connected to or resolved. */
export interface Quarantined {
  /** What it is, for people: `function search`, `argument hooks of agent "a"`. */
  what: string;
  /** Its text, cut to a bound. */
  text: string;
  /** Where it stands in the text that was imported. */
  range?: Range;
}

/** A flow file made of another text. */
export interface Imported {
  format: ImportFormat;
  /** The text of the flow; empty when nothing could be read. What is wrong with it, `readSource` tells. */
  source: string;
  /** What stood in the way; ranges lie in the text that was imported. An error: there is no flow. */
  problems: Problem[];
  quarantined: Quarantined[];
}

export interface ImportOptions {
  /** The model of agents of which the text says only the name. */
  model?: string;
}

export const importLimits = {
  /** UTF-16 units of a text that is imported. */
  length: 1_000_000,
  /** Brackets inside brackets. */
  depth: 200,
  /** Quarantined pieces that are told one by one, and the length of each. */
  quarantined: 200,
  quarantinedLength: 2_000,
  /** Characters of the comment that keeps them. */
  kept: 50_000,
} as const;

/** Collects what an import finds besides the flow. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly quarantined: Quarantined[] = [];
  #more = 0;

  constructor(private readonly text: string) {}

  report(code: ProblemCode, severity: Severity, message: string, range?: Range): void {
    if (this.problems.length < 1000) this.problems.push({ code, severity, message, ...(range && { range }) });
  }

  /** Keeps what stands at `range`. */
  quarantine(what: string, range: Range, text = this.text.slice(range.from, range.to)): void {
    if (this.quarantined.length < importLimits.quarantined)
      this.quarantined.push({ what, text: clean(text), range: { from: range.from, to: range.to } });
    else this.#more++;
  }

  /** How many pieces were too many to tell. */
  get more(): number {
    return this.#more;
  }
}

const secretPattern =
  /((?:api[_-]?key|token|secret|passw(?:or)?d|authorization|credential)\w*["']?\s*[:=]\s*)(["']?)[^"'\s,)}\]]{4,}\2|\b(?:sk|pk|ghp|xox[bp])[-_][\w-]{12,}/gi;

/** A quarantined text, cut, without what looks like a key: keys never enter a flow. */
function clean(text: string): string {
  const cut = text.length > importLimits.quarantinedLength ? `${text.slice(0, importLimits.quarantinedLength)}…` : text;
  return cut.replaceAll(secretPattern, (_, name?: string) => `${name ?? ""}"(key left out)"`);
}

/** The comment at the end of an imported flow that keeps what was not understood; empty when there is nothing. */
export function keepAsComment(findings: Findings): string {
  if (findings.quarantined.length === 0) return "";
  const lines = ["", "# Kept from the import. None of this is part of the flow, and nothing of it runs."];
  let length = 0;
  let left = findings.more;
  for (const { what, text } of findings.quarantined) {
    length += what.length + text.length;
    if (length > importLimits.kept) left++;
    else lines.push(`#`, `# ${plain(what)}:`, ...toLines(text).map((line) => `#   ${plain(line)}`.trimEnd()));
  }
  if (left > 0) lines.push("#", `# ${left} more of the imported text did not fit here.`);
  return `${lines.join("\n")}\n`;
}

const toLines = (text: string): string[] => text.trim().split(/\r\n|[\r\n\u0085\u2028\u2029]/);

/** Without characters that YAML comments cannot hold. */
const plain = (text: string): string => text.replaceAll(/[^\P{Cc}\t]|[\p{Cs}\ufeff\ufffe\uffff]/gu, "·");
