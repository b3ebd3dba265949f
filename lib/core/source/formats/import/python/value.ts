import type { Expression } from "../../../../flow/expression";
import type { TextRange } from "../../../../flow/text-range";
import type { OrbiterNode } from "../build-flow";
import type { Quarantined } from "../imported";
import type { PythonNode } from "./nodes";

/** The value of an expression, as far as it can be known without running anything. */
export type PythonValue =
  | { type: "text"; text: string }
  | { type: "number"; value: number; isWhole: boolean }
  | { type: "boolean"; value: boolean }
  | { type: "none" }
  | ListValue
  | DictValue
  /** `a >> (b | c)` of agents. */
  | { type: "flow"; expression: Expression }
  | { type: "orbiter-node"; node: OrbiterNode }
  /** `code` is null for a tool that Swarmloom has, too. */
  | { type: "tool"; name: string; code: Quarantined | null }
  | FunctionValue
  | { type: "class"; name: string; isOrbiterClass: boolean; code: Quarantined }
  /** `name` is that of a variable that nothing is bound to. */
  | { type: "unknown"; range: TextRange; name?: string };

/** One object for all names that are bound to it. */
export interface ListValue {
  type: "list";
  items: PythonValue[];
  /** Where it was changed in a way that cannot be followed: its items are not known any more. */
  changedAt?: TextRange;
}

export interface DictValue {
  type: "dict";
  entries: [PythonValue, PythonValue][];
  changedAt?: TextRange;
}

export interface FunctionValue {
  type: "function";
  name: string;
  /** What an agent calls it. */
  toolName: string;
  node: PythonNode;
  scope: PythonScope;
  /** Its code; null for a placeholder of our own export. */
  code: Quarantined | null;
}

export const unknownAt = ({ from: start, to: end }: TextRange, name?: string): PythonValue & { type: "unknown" } => ({
  type: "unknown",
  range: { from: start, to: end },
  ...(name !== undefined && { name }),
});

export interface PythonArgument {
  /** Empty for one that was given by its position. */
  name: string;
  value: PythonValue;
  range: TextRange;
}

/** A call whose arguments were evaluated. */
export interface PythonCall {
  /** The called name; of `orbiter.Agent` the last one. Empty when something else is called. */
  name: string;
  arguments: readonly PythonArgument[];
  range: TextRange;
}

/** The items of a list that is known; null for everything else. */
export const itemsOf = (value: PythonValue | undefined): PythonValue[] | null =>
  value?.type === "list" && !value.changedAt ? value.items : null;

/** The names of a module or of one call of a function. */
export class PythonScope {
  readonly #values = new Map<string, PythonValue>();
  readonly #globals = new Set<string>();

  constructor(private readonly parent: PythonScope | null = null) {}

  find(name: string): PythonValue | undefined {
    return this.#values.get(name) ?? this.parent?.find(name);
  }

  set(name: string, value: PythonValue): void {
    if (this.#globals.has(name)) this.#module.set(name, value);
    else this.#values.set(name, value);
  }

  /** `global name` */
  makeGlobal(name: string): void {
    if (this.parent) this.#globals.add(name);
  }

  get #module(): PythonScope {
    return this.parent ? this.parent.#module : this;
  }
}
