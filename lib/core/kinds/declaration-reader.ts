import type * as z from "zod/mini";
import type { AgentField } from "../flow/edit";
import type { Expression, FlowTextKind } from "../flow/expression";
import type { FieldTexts } from "../flow/flow";
import type { ProblemCode } from "../flow/problem";
import type { agentSchema } from "./agent-schema";

/** One lane of a router. */
export interface RouterLane {
  /** When the model should choose it, in plain words. */
  when: string;
  /** Missing: the text passes through. */
  flow?: Expression;
}

/** Bounds of a number, both included; `isInteger` (the default) refuses fractions. */
export interface NumberBounds {
  least: number;
  most: number;
  isInteger?: boolean;
}

/** How the texts of an agent's fields are read. */
export interface AgentFieldOptions {
  /** Fields whose values are texts, even where YAML reads a number or the like. */
  texts: readonly AgentField[];
  /** Texts for readers: they stay as they are while a variable is missing. */
  prose: readonly AgentField[];
  /** Fields whose variables are filled when the node starts. */
  unfilled: readonly AgentField[];
  /** Another name of a field in older files. */
  aliases: Readonly<Record<string, AgentField>>;
}

/** One declaration of a flow file while it is read. A missing field is undefined; a wrong one is reported as well. */
export interface DeclarationReader {
  readonly name: string;
  /** How messages call the declaration. */
  readonly title: string;
  /** Whether it is the root swarm. */
  readonly isRoot: boolean;
  has(field: string): boolean;
  /** Whether the field has a value. */
  isWritten(field: string): boolean;
  /** Whether nothing is written in the field, with quotes or without. */
  isBlank(field: string): boolean;
  /** A text as it is written. */
  text(field: string): string | undefined;
  /** A text with its variables filled. `prose` (the default): it remains as written while a variable is missing. */
  filledText(field: string, options?: { prose?: boolean }): string | undefined;
  number(field: string, bounds: NumberBounds): number | undefined;
  choice<Choice extends string>(field: string, choices: readonly Choice[], fallback: Choice): Choice;
  /** The topology of a DSL text. */
  flow(field: string, as?: FlowTextKind): Expression | undefined;
  /** A list of names. */
  names(field: string): string[] | undefined;
  /** A list of pairs of names. */
  edges(field: string): [from: string, to: string][] | undefined;
  /** The lanes of a router: mappings with `when` and `flow`, or DSL texts alone. */
  lanes(field: string): Map<string, RouterLane>;
  /** The names of the lanes whose text is written, including those that could not be read. */
  writtenLanes(): { lane: string; isBlank: boolean }[];
  /** The fields of an agent: those that are missing or wrong have their defaults. */
  agentFields(options: AgentFieldOptions): z.infer<typeof agentSchema>;
  /** The texts of the fields so far that use variables. */
  fieldTexts(): FieldTexts;
  /** Reports an error at the name of the declaration. */
  report(code: ProblemCode, message: string): void;
}
