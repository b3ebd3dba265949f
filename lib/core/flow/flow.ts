import * as z from "zod/mini";
import type { Expression } from "./expression";
import "./zod-locale";

/** A JSON value, as a user's schema or a tool's arguments hold it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export const jsonSchema: z.ZodMiniType<Json> = z.json();

export type JsonSchema = { readonly [key: string]: Json };

export const limits = {
  /** Largest source text that is read at all, in UTF-16 units. */
  sourceLength: 2_000_000,
  /** Largest number of declared agents, groups and swarms together. */
  declarations: 50_000,
  /** Deepest nesting of parentheses, groups and swarms. */
  depth: 200,
  /** Deepest nesting of mappings and lists in a flow file. */
  nesting: 500,
  /** Most text that the aliases of a flow file repeat, in UTF-16 units. */
  repeatedLength: 4_000_000,
} as const;

export const agentDefaults = { max_steps: 10, max_retries: 3, loop_threshold: 3 } as const;

/** The declared name rules: trimmed, not empty, no control characters, at most 200 characters. The DSL quotes the rest. */
export const nameSchema = z.string().check(
  z.minLength(1),
  z.maxLength(200),
  z.refine((name) => name === name.trim(), "must not begin or end with a space"),
  z.refine((name) => !/\p{Cc}/u.test(name), "must not hold control characters"),
);

const wholeNumber = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
const modelSchema = z.string().check(z.minLength(1), z.maxLength(200));
const toolNamesSchema = z._default(z.array(z.string().check(z.minLength(1))), []);

/** Fields of an agent, under the names that the flow file uses. */
export const agentSchema = z.strictObject({
  model: z.optional(modelSchema),
  instructions: z._default(z.string(), ""),
  description: z.optional(z.string()),
  tools: toolNamesSchema,
  max_steps: z._default(wholeNumber(1, 1000), agentDefaults.max_steps),
  max_retries: z._default(wholeNumber(0, 20), agentDefaults.max_retries),
  loop_threshold: z._default(wholeNumber(1, 100), agentDefaults.loop_threshold),
  timeout_seconds: z.optional(z.number().check(z.positive(), z.maximum(86_400))),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  max_tokens: z.optional(wholeNumber(1, 10_000_000)),
  output_schema: z.optional(
    z.custom<JsonSchema>((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  ),
  /** Asked once when `model` gave no answer. */
  fallback_model: z.optional(modelSchema),
  /** Tools of `tools` that run only after a person said yes. */
  needs_approval: toolNamesSchema,
  /** When the conversation is too long for the model: leave out the oldest turns and ask once more. */
  trim_context: z._default(z.boolean(), false),
  /** Whether it is given what was said before the run. */
  use_history: z._default(z.boolean(), true),
});
export type Agent = z.infer<typeof agentSchema> & Written & { name: string };

/**
 * Fields that look up variables, e.g. `model: "${vars.model}"`: their texts in the file, by field. The fields themselves
 * hold what the texts come to; they are unset while a variable is missing.
 */
export interface Written {
  written?: Readonly<Record<string, string>>;
}

export const groupTypes = ["parallel", "serial"] as const;
export interface Group extends Written {
  name: string;
  type: (typeof groupTypes)[number];
  /** The members, joined as `type` says. Missing when the text of the members could not be read. */
  flow?: Expression;
  /** Between the members' outputs, for parallel groups. */
  separator: string;
  /** Parallel groups: what the failure of one member does to the others. Missing: it stops them. */
  on_error?: (typeof errorChoices)[number];
}
export const errorChoices = ["stop", "continue"] as const;
export const defaultSeparator = "\n\n";

export const swarmTypes = ["workflow", "handoff", "team", "orchestrate"] as const;
export interface Swarm extends Written {
  /** The declared name; the root swarm's is the flow's name. */
  name: string;
  type: (typeof swarmTypes)[number];
  /** workflow: the topology. Missing when its text could not be read, or while `edges` hold a draft. */
  flow?: Expression;
  /** handoff, team, orchestrate: the members; the first starts or leads. */
  agents?: readonly string[];
  /** handoff: who may hand to whom. workflow: a drawing that no DSL text can say (a draft; it cannot run). */
  edges?: readonly (readonly [string, string])[];
  max_handoffs?: number;
  /** orchestrate: background agents at work at the same time, and in all. */
  max_concurrent?: number;
  max_agents?: number;
  separator: string;
}
export const swarmDefaults = { max_handoffs: 10, max_concurrent: 4, max_agents: 20 } as const;

/** One of two ways, by a condition (lib/core/condition). A missing side lets the text through. */
export interface Branch {
  type: "branch";
  name: string;
  condition: string;
  if_true?: Expression;
  if_false?: Expression;
}

/** One of several named ways, picked by a model. */
export interface Router extends Written {
  type: "router";
  name: string;
  model?: string;
  instructions: string;
  lanes: ReadonlyMap<string, Lane>;
}
export interface Lane {
  /** When the model should pick it, in plain words. */
  when: string;
  /** Missing: the text goes through. */
  flow?: Expression;
}

/** The same part again and again: `count` times, while a condition holds, or for each item of a list. One of the three. */
export interface Loop extends Written {
  type: "loop";
  name: string;
  body?: Expression;
  count?: number;
  while?: string;
  for_each?: string;
  /** Most rounds, whatever else is said. */
  limit: number;
  /** Between the answers for the items. */
  separator: string;
}
export const loopLimits = { usual: 100, most: 10_000 } as const;

/** A person says yes or no to the text before it goes on. */
export interface Approval extends Written {
  type: "approval";
  name: string;
  /** What the person is asked. */
  message: string;
  timeout_seconds?: number;
}

/** What steers the way of the text and asks no model for an answer. */
export type Control = Branch | Router | Loop | Approval;
export const controlTypes = ["branch", "router", "loop", "approval"] as const;

/** What ends a whole run early. */
export const runLimitsSchema = z.strictObject({
  max_seconds: z.optional(z.number().check(z.positive(), z.maximum(31_536_000))),
  /** Input and output of all model calls. */
  max_tokens: z.optional(z.int().check(z.minimum(1))),
  /** US dollars, as far as prices are known. */
  max_cost: z.optional(z.number().check(z.positive())),
});
export type RunLimits = z.infer<typeof runLimitsSchema>;

/** The saved document, read. Maps keep the order of the file. */
export interface Flow {
  name: string;
  /** What the flow is for, for people who look for one. */
  description?: string;
  vars: ReadonlyMap<string, string | number | boolean>;
  compat?: "orbiter";
  agents: ReadonlyMap<string, Agent>;
  groups: ReadonlyMap<string, Group>;
  swarms: ReadonlyMap<string, Swarm>;
  /** Branches, routers, loops and approvals. */
  controls: ReadonlyMap<string, Control>;
  limits: RunLimits & Written;
  swarm: Swarm;
}

export type Declaration =
  | { kind: "agent"; value: Agent }
  | { kind: "group"; value: Group }
  | { kind: "swarm"; value: Swarm }
  | { kind: "branch"; value: Branch }
  | { kind: "router"; value: Router }
  | { kind: "loop"; value: Loop }
  | { kind: "approval"; value: Approval };
export type DeclarationKind = Declaration["kind"];

/** What `name` is declared as, or null. All kinds share one name space. */
export function findDeclaration(flow: Flow, name: string): Declaration | null {
  const agent = flow.agents.get(name);
  if (agent) return { kind: "agent", value: agent };
  const group = flow.groups.get(name);
  if (group) return { kind: "group", value: group };
  const swarm = flow.swarms.get(name);
  if (swarm) return { kind: "swarm", value: swarm };
  const control = flow.controls.get(name);
  return control ? toDeclaration(control) : null;
}

/** A control as what its name is declared as. */
export function toDeclaration(control: Control): Declaration {
  switch (control.type) {
    case "branch":
      return { kind: "branch", value: control };
    case "router":
      return { kind: "router", value: control };
    case "loop":
      return { kind: "loop", value: control };
    case "approval":
      return { kind: "approval", value: control };
  }
}

/** The parts of a control, by the name under which the flow file and the canvas know each. */
export function lanesOf(control: Control): [lane: string, flow: Expression | undefined][] {
  switch (control.type) {
    case "branch":
      return [
        ["if_true", control.if_true],
        ["if_false", control.if_false],
      ];
    case "router":
      return [...control.lanes].map(([lane, { flow }]) => [lane, flow]);
    case "loop":
      return [["body", control.body]];
    case "approval":
      return [];
  }
}
