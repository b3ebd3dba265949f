import { isMap, isScalar, isSeq, type Node } from "yaml";
import {
  fillVariables,
  longestFilled,
  looksUpVariable,
  type Variables,
  type VariableValue,
} from "../../flow/field-variables";
import type { FieldTexts, Json } from "../../flow/flow";
import type { Problem, ProblemCode, Repair, Severity } from "../../flow/problem";
import { nearest } from "../../flow/suggest-name";
import { namePlaces } from "../../flow/template-variables";
import {
  documentOf,
  isBlank,
  rangeOfNode,
  readEntries,
  readItems,
  readText,
  resolve,
  toEntry,
  type YamlContents,
  type YamlEntry,
} from "../yaml/yaml-nodes";
import { describeUnknown } from "./describe-unknown-variables";

/** What reading collects: the document, its text and the problems found so far. */
export class EntryReader {
  readonly problems: Problem[] = [];
  /** The variables that were looked up, and what they were: what was read holds as long as they are the same. */
  readonly usedVariables = new Map<string, VariableValue | undefined>();
  readonly #written: Record<string, string> = {};
  constructor(
    readonly text: string,
    readonly document: YamlContents,
    readonly vars: Variables = new Map(),
  ) {}

  /** The texts of the fields so far that look up variables. */
  get written(): FieldTexts {
    return Object.keys(this.#written).length > 0 ? { written: { ...this.#written } } : {};
  }

  /**
   * The value of a field whose text looks up variables; null: it looks up none. Without a value where a variable is
   * missing; a text for people (`isProse`) stays as it is then.
   */
  lookUp(entry: YamlEntry, isProse = false): { value: VariableValue | undefined } | null {
    const { key, value: node } = entry;
    const text = isScalar(node) && typeof node.value === "string" ? node.value : "";
    if (!isScalar(node) || !looksUpVariable(text)) return null;
    this.#written[key] = text;
    for (const { name } of namePlaces(text, "vars")) this.usedVariables.set(name, this.vars.get(name));
    const filled = fillVariables(text, this.vars);
    if (filled.type === "value") return filled;
    if (filled.type === "unknown")
      this.problems.push(...describeUnknown({ key, node, text: this.text, vars: this.vars }, filled.places, isProse));
    else {
      const message = `\`${key}\` comes to more than ${longestFilled} characters with its variables. Use shorter ones.`;
      this.report("too-large", "error", message, node);
    }
    return { value: isProse ? text : undefined };
  }

  report(
    code: ProblemCode,
    severity: Severity,
    message: string,
    node: Node | null | undefined,
    repairs?: readonly Repair[],
  ): void {
    const range = rangeOfNode(node, this.text);
    this.problems.push({ code, severity, message, ...(range && { range }), ...(repairs && { repairs }) });
  }

  /** Reports a value that is not valid, or its key where there is none. */
  reportInvalid({ keyNode }: Pick<YamlEntry, "keyNode">, node: Node | null, message: string): void {
    this.report("invalid-value", "error", message, node ?? keyNode);
  }

  /** The entries of a mapping by key; equal keys are a problem, and the first counts. */
  entries(node: unknown): Map<string, YamlEntry> | null {
    const entries = readEntries(node, this.document);
    const map = entries && resolve(node, this.document);
    if (!entries || !isMap(map) || entries.size === map.items.length) return entries;
    for (const pair of map.items) {
      const entry = toEntry(pair, this.document);
      if (entry && entries.get(entry.key)?.pair !== pair) this.problems.push(duplicateKeyProblem(entry, this.text));
    }
    return entries;
  }

  /** The entries of what should be a mapping; anything else but nothing is a problem. */
  mapping(entry: YamlEntry, expected: string): Map<string, YamlEntry> {
    const entries = this.entries(entry.value);
    if (!entries && !isBlank(entry.value)) this.reportValue(entry, expected);
    return entries ?? new Map();
  }

  /** `filled`: what the look-ups of the value come to. */
  reportValue(entry: YamlEntry, expected: string, filled?: VariableValue): void {
    const { key, value } = entry;
    const actual = `${describeNode(value)}${describeFilled(filled)}`;
    this.reportInvalid(entry, value, `\`${key}\` must be ${expected}; found ${actual}.`);
  }

  /** The names of a list. */
  names(entry: YamlEntry): { name: string; node: Node }[] | null {
    const items = readItems(entry.value, this.document);
    if (!items) {
      if (!isBlank(entry.value)) this.reportValue(entry, "a list of names");
      return null;
    }
    return items.flatMap((node) => {
      const name = readText(node)?.trim();
      if (node && name) return [{ name, node }];
      this.reportInvalid(entry, node, `\`${entry.key}\` must list names; found ${describeNode(node)}.`);
      return [];
    });
  }

  reportUnknownKey({ key, keyNode }: YamlEntry, knownKeys: readonly string[], where: string): void {
    const near = nearest(key, knownKeys);
    const hint = near ? ` Did you mean \`${near}\`?` : ` Known are: ${knownKeys.join(", ")}.`;
    this.report("unknown-key", "warning", `\`${key}\` is not a key of ${where} and is left alone.${hint}`, keyNode);
  }

  /** The plain value of a node; undefined when an alias in it has no anchor. How much aliases repeat is bounded by `parseYaml`. */
  toJson(node: Node | null): Json | undefined {
    try {
      const value: Json = node ? node.toJS(documentOf(this.document), { maxAliasCount: -1 }) : null;
      return value;
    } catch {
      return undefined;
    }
  }
}

/** Part of the message of a key that an earlier entry has already. */
export const duplicateKey = "is here twice";

export function duplicateKeyProblem({ key, keyNode }: YamlEntry, text: string): Problem {
  const message = `\`${key}\` ${duplicateKey}; the first one counts. Remove or rename this one.`;
  const range = rangeOfNode(keyNode, text);
  return { code: "invalid-value", severity: "error", message, ...(range && { range }) };
}

export function describeNode(node: Node | null): string {
  if (isBlank(node)) return "nothing";
  if (isScalar(node)) return JSON.stringify(String(node.value)).slice(0, 60);
  return isSeq(node) ? "a list" : "a mapping";
}

export const describeFilled = (filled: VariableValue | undefined): string =>
  filled === undefined ? "" : `, which is ${JSON.stringify(filled).slice(0, 60)}`;
