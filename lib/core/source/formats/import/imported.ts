import type { Problem, ProblemCode, Severity } from "../../../flow/problem";
import type { TextRange } from "../../../flow/text-range";
import type { ImportFormat } from "../format-names";

/**
 * What it means that a conversion does not keep something. `note`: the result runs as the original does (a comment, an
 * import, a statement that is no part of a swarm, another name). `lost`: it does not (a mode, a handoff, instructions
 * that cannot be read, the code of a tool). A conversion with losses is no success, although it gives a result.
 */
export type ImportEffect = "note" | "lost";

/** Something that was found and not understood: kept as text, never run, connected to or resolved. */
export interface Quarantined {
  /** What it is, for people: `function search`, `argument hooks of agent "a"`. */
  description: string;
  effect: ImportEffect;
  /** Its text, clipped to a bound. */
  text: string;
  /** Its range in the imported text. */
  range?: TextRange;
}

/** A flow file made of another text. */
export interface Imported {
  format: ImportFormat;
  /** The text of the flow; empty when nothing could be read. What is wrong with it, `readSource` tells. */
  source: string;
  /**
   * What was found on import; ranges refer to the imported text. An error: there is no flow. A warning is a loss and
   * an info a note, in the sense of `ImportEffect`.
   */
  problems: Problem[];
  quarantined: Quarantined[];
}

export interface ImportOptions {
  /** The model of agents that the text only names. */
  model?: string;
}

export const importLimits = {
  /** UTF-16 units of a text that is imported. */
  length: 1_000_000,
  /** Brackets inside brackets. */
  depth: 200,
  /** Quarantined texts that are listed one by one, and the length of each. */
  quarantined: 200,
  quarantinedLength: 2_000,
  /** Characters of the comment that keeps them. */
  commentLength: 50_000,
} as const;

/** Everything by which the flow means something else than the text; ranges are those of the text. */
export const lossesOf = ({ problems, quarantined }: Imported): Pick<Problem, "message" | "range">[] => [
  ...problems.filter(({ severity }) => severity === "warning"),
  ...quarantined
    .filter(({ effect }) => effect === "lost")
    .map(({ description, range }) => ({ message: description, ...(range && { range }) })),
];

/** Noted wherever the tool is read. */
export const humanInputNote =
  "Orbiter's tool `human_input` is called `ask_human` here: instructions that mention it still contain `human_input`.";

/** Collects what an import finds besides the flow. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly quarantined: Quarantined[] = [];
  #omittedCount = 0;

  constructor(private readonly text: string) {}

  /** There is no flow. */
  refuse(code: ProblemCode, message: string, range?: TextRange): void {
    this.#report(code, "error", message, range);
  }

  /** The flow means something else than the text. */
  lose(code: ProblemCode, message: string, range?: TextRange): void {
    this.#report(code, "warning", message, range);
  }

  /** The flow is written differently and means the same. */
  note(code: ProblemCode, message: string, range?: TextRange): void {
    this.#report(code, "info", message, range);
  }

  #report(code: ProblemCode, severity: Severity, message: string, range?: TextRange): void {
    if (this.problems.length >= 1000) return;
    this.problems.push({ code, severity, message, ...(range && { range: { from: range.from, to: range.to } }) });
  }

  /** Keeps what is at `range`; null: it has no range in the text, and `text` is what is kept. */
  quarantine(
    description: string,
    range: TextRange | null,
    { effect = "note", text }: { effect?: ImportEffect; text?: string } = {},
  ): Quarantined {
    const entry: Quarantined = { ...this.prepare(description, range, text), effect };
    const isListed = effect === "lost" && this.quarantined.some((listedEntry) => isSame(listedEntry, entry));
    if (isListed) return entry;
    const most = importLimits.quarantined * (effect === "lost" ? 2 : 1);
    if (this.quarantined.length < most) this.quarantined.push(entry);
    else this.#omittedCount++;
    return entry;
  }

  /** What `quarantine` would keep; it is kept once it is marked as lost. */
  prepare(
    description: string,
    range: TextRange | null,
    text = range ? this.text.slice(range.from, range.to) : "",
  ): Quarantined {
    return {
      description,
      effect: "note",
      text: clean(text),
      ...(range && { range: { from: range.from, to: range.to } }),
    };
  }

  /** What was kept turns out to be a loss. */
  markLost(entry: Quarantined): void {
    if (entry.effect === "lost") return;
    entry.effect = "lost";
    if (!this.quarantined.includes(entry) && this.quarantined.length < importLimits.quarantined * 2)
      this.quarantined.push(entry);
  }

  /** The result of an import; `source` is empty when there is no flow. */
  toImported(format: ImportFormat, source: string): Imported {
    return { format, source, problems: this.problems, quarantined: this.quarantined };
  }

  /** How many texts were too many to list. */
  get omittedCount(): number {
    return this.#omittedCount;
  }
}

const isSame = (a: Quarantined, b: Quarantined): boolean =>
  a.description === b.description && a.range?.from === b.range?.from && a.range?.to === b.range?.to;

const secretPattern =
  /((?:api[_-]?key|token|secret|passw(?:or)?d|authorization|credential)\w*["']?\s*[:=]\s*)(["']?)[^"'\s,)}\]]{4,}\2|\b(?:sk|pk|ghp|xox[bp])[-_][\w-]{12,}/gi;

/** A quarantined text, clipped, without what looks like a key: keys never enter a flow. */
function clean(text: string): string {
  const most = importLimits.quarantinedLength;
  const clipped = text.length > most ? `${text.slice(0, most)}…` : text;
  return clipped.replaceAll(secretPattern, (_, name?: string) => `${name ?? ""}"(key left out)"`);
}

/** The comment at the end of an imported flow that keeps what was not understood; empty when there is nothing. */
export function keepAsComment(findings: Findings): string {
  if (findings.quarantined.length === 0) return "";
  const lines = ["", "# Kept from the import. None of this is part of the flow, and nothing of it runs."];
  let length = 0;
  let omittedCount = findings.omittedCount;
  for (const { description, text } of findings.quarantined) {
    length += description.length + text.length;
    if (length > importLimits.commentLength) omittedCount++;
    else lines.push(`#`, `# ${plain(description)}:`, ...toLines(text).map((line) => `#   ${plain(line)}`.trimEnd()));
  }
  if (omittedCount > 0) lines.push("#", `# ${omittedCount} more of the imported text did not fit here.`);
  return `${lines.join("\n")}\n`;
}

const toLines = (text: string): string[] => text.trim().split(/\r\n|[\r\n\u0085\u2028\u2029]/);

/** Without characters that YAML comments cannot hold. */
const plain = (text: string): string => text.replaceAll(/[^\P{Cc}\t]|[\p{Cs}\ufeff\ufffe\uffff]/gu, "·");
