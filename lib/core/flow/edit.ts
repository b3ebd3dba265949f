import { z } from "zod";
import { controlTypes, groupTypes, jsonSchema, limits, nameSchema, swarmTypes } from "./flow";
import { keyNames, type NodeKey, nodeKey, renameInKey } from "./keys";
import { type Notes, noteIdSchema, noteSchema, notesSchema } from "./note";

/**
 * Where an edit happens: the root swarm, a named swarm or group, or one lane of a control (`if_true`, `body`, a router's).
 * Names inside an edit are declared names, not keys: a group used in two places is edited once.
 */
export const scopeSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("root") }),
  z.strictObject({ type: z.literal("swarm"), name: nameSchema }),
  z.strictObject({ type: z.literal("group"), name: nameSchema }),
  z.strictObject({ type: z.literal("lane"), name: nameSchema, lane: z.string() }),
]);
export type Scope = z.infer<typeof scopeSchema>;

/** Where in a scope something new goes. */
export const placeSchema = z.discriminatedUnion("type", [
  /** Behind members that are taken as one, or side by side with them. */
  z.strictObject({ type: z.literal("after"), names: z.array(nameSchema).min(1) }),
  z.strictObject({ type: z.literal("beside"), names: z.array(nameSchema).min(1) }),
  /** In the middle of a link. */
  z.strictObject({ type: z.literal("between"), from: nameSchema, to: nameSchema }),
  /** Behind everything. */
  z.strictObject({ type: z.literal("end") }),
  /** Nowhere yet: beside the flow. */
  z.strictObject({ type: z.literal("waiting") }),
]);
export type Place = z.infer<typeof placeSchema>;

export const agentFieldSchema = z.enum([
  "model",
  "instructions",
  "description",
  "tools",
  "max_steps",
  "max_retries",
  "loop_threshold",
  "timeout_seconds",
  "temperature",
  "max_tokens",
  "output_schema",
  "fallback_model",
  "needs_approval",
  "trim_context",
  "use_history",
]);
export type AgentField = z.infer<typeof agentFieldSchema>;

/** A named change to a flow. Pure data: it can be sent, logged and replayed. */
export const editSchema = z.discriminatedUnion("type", [
  /** Declares an agent. With `after` it also joins the flow behind that member; else it waits beside the flow until connected. */
  z.strictObject({
    type: z.literal("add-agent"),
    name: nameSchema,
    model: z.string().optional(),
    instructions: z.string().optional(),
    scope: scopeSchema,
    after: nameSchema.optional(),
  }),
  /** Declares an agent that some other edit puts into the flow. */
  z.strictObject({
    type: z.literal("declare-agent"),
    name: nameSchema,
    model: z.string().optional(),
    instructions: z.string().optional(),
  }),
  /** Adds a part of a flow that is written as a flow file of its own; names that are taken get free ones. */
  z.strictObject({
    type: z.literal("insert-fragment"),
    text: z.string().max(limits.sourceLength),
    scope: scopeSchema,
    place: placeSchema,
  }),
  z.strictObject({ type: z.literal("connect"), scope: scopeSchema, from: nameSchema, to: nameSchema }),
  z.strictObject({ type: z.literal("disconnect"), scope: scopeSchema, from: nameSchema, to: nameSchema }),
  /** Removes members from the flow, joining what stood before with what stood after; with `declarations`, their definitions too. */
  z.strictObject({
    type: z.literal("delete-nodes"),
    scope: scopeSchema,
    names: z.array(nameSchema).min(1),
    declarations: z.boolean().default(true),
  }),
  /** Puts members into parentheses side by side, or one after another, keeping the links to the rest. */
  z.strictObject({ type: z.literal("wrap-parallel"), scope: scopeSchema, names: z.array(nameSchema).min(2) }),
  z.strictObject({ type: z.literal("wrap-serial"), scope: scopeSchema, names: z.array(nameSchema).min(2) }),
  /** Moves members into a new named group or nested swarm that takes their place. */
  z.strictObject({
    type: z.literal("extract-group"),
    scope: scopeSchema,
    names: z.array(nameSchema).min(1),
    name: nameSchema,
    group: z.enum(groupTypes),
  }),
  z.strictObject({
    type: z.literal("extract-swarm"),
    scope: scopeSchema,
    names: z.array(nameSchema).min(1),
    name: nameSchema,
  }),
  /** Takes the innermost parentheses round members away: what ran side by side runs in line, and the other way round. */
  z.strictObject({ type: z.literal("unwrap"), scope: scopeSchema, names: z.array(nameSchema).min(1) }),
  /** Writes a named group or nested workflow out where it stands; the declaration goes when nothing else uses it. */
  z.strictObject({ type: z.literal("inline"), scope: scopeSchema, name: nameSchema }),
  /** Takes a member out of `from` (missing: it waits beside the flow), closing the gap, and puts it into `scope`. */
  z.strictObject({
    type: z.literal("move-member"),
    name: nameSchema,
    from: scopeSchema.optional(),
    scope: scopeSchema,
    /** Where it goes; missing: behind everything. */
    at: z.strictObject({ member: nameSchema, side: z.enum(["before", "after", "beside"]) }).optional(),
  }),
  /** Renames a declaration and every reference to it. */
  z.strictObject({ type: z.literal("rename"), from: nameSchema, to: nameSchema }),
  /** Sets one field of an agent; `undefined` removes it. */
  z.strictObject({
    type: z.literal("set-agent-field"),
    name: nameSchema,
    field: agentFieldSchema,
    value: jsonSchema.optional(),
  }),
  /** Declares a branch, router, loop or approval with these fields; joins the flow as a new agent does. */
  z.strictObject({
    type: z.literal("add-control"),
    control: z.enum(controlTypes),
    name: nameSchema,
    fields: z.record(z.string(), jsonSchema),
    scope: scopeSchema,
    after: nameSchema.optional(),
  }),
  /** Sets one field of a control, e.g. `["condition"]` or `["lanes", "billing", "when"]`; `undefined` removes it. */
  z.strictObject({
    type: z.literal("set-control-field"),
    name: nameSchema,
    path: z.array(z.string()).min(1).max(3),
    value: jsonSchema.optional(),
  }),
  /** Changes how the members of a swarm work together, keeping the members. */
  z.strictObject({ type: z.literal("set-swarm-type"), scope: scopeSchema, swarm: z.enum(swarmTypes) }),
  z.strictObject({
    type: z.literal("set-swarm-field"),
    scope: scopeSchema,
    field: z.enum(["max_handoffs", "max_concurrent", "max_agents"]),
    value: z.number().optional(),
  }),
  /** Sets one limit of a whole run; `undefined` removes it. */
  z.strictObject({
    type: z.literal("set-limit"),
    field: z.enum(["max_seconds", "max_tokens", "max_cost"]),
    value: z.number().optional(),
  }),
  /** Sets one variable of the flow; `undefined` removes it. */
  z.strictObject({
    type: z.literal("set-var"),
    name: nameSchema,
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  }),
  /** Renames a variable, and every look-up and condition that reads it. */
  z.strictObject({ type: z.literal("rename-var"), from: nameSchema, to: nameSchema }),
  z.strictObject({ type: z.literal("set-separator"), scope: scopeSchema, separator: z.string().max(1000) }),
  z.strictObject({ type: z.literal("set-flow-name"), name: z.string().max(200) }),
  /** Says what the flow is for; an empty text removes it. */
  z.strictObject({ type: z.literal("set-flow-description"), text: z.string().max(10_000) }),
  /** Replaces the DSL text of a scope. */
  z.strictObject({ type: z.literal("set-flow-text"), scope: scopeSchema, text: z.string() }),
  /** Moves a node away from where the automatic layout puts it; `null` lets it go back. */
  z.strictObject({
    type: z.literal("set-pin"),
    key: z.string(),
    pin: z.strictObject({ dx: z.number(), dy: z.number() }).nullable(),
  }),
  /** Which way the automatic layout leads a serial. */
  z.strictObject({ type: z.literal("set-direction"), direction: z.enum(["right", "down"]) }),
  z.strictObject({ type: z.literal("add-note"), id: noteIdSchema, note: noteSchema }),
  /** Moves, resizes, colours or writes a note: what is left out stays. */
  z.strictObject({ type: z.literal("change-note"), id: noteIdSchema, change: noteSchema.partial() }),
  z.strictObject({ type: z.literal("remove-note"), id: noteIdSchema }),
]);
export type Edit = z.infer<typeof editSchema>;

/** How far, in canvas pixels, a person moved a node away from its automatic place. */
export interface Pin {
  dx: number;
  dy: number;
}

/** Which way a serial runs on the canvas. */
export type FlowDirection = "right" | "down";

/**
 * What a flow stores beside its text: pins by node key, which way it runs (left out: to the right), and notes on the canvas.
 * Never in the text.
 */
export interface Layout {
  pins: Readonly<Record<NodeKey, Pin>>;
  direction?: FlowDirection | undefined;
  notes?: Notes | undefined;
}

export const emptyLayout: Layout = { pins: {} };

/** The layout of a flow in which `from` is called `to`. */
export const renamePins = ({ pins, ...rest }: Layout, from: string, to: string): Layout => ({
  ...rest,
  pins: Object.fromEntries(Object.entries(pins).map(([key, pin]) => [renameInKey(key, from, to), pin])),
});

/** The layout in which every pin is at the place that `map` says; null drops the pin. */
export function movePins(layout: Layout, map: (names: readonly string[]) => readonly string[] | null): Layout {
  const pins = Object.entries(layout.pins).flatMap(([key, pin]): [NodeKey, Pin][] => {
    const names = map(keyNames(key));
    return names ? [[names.reduce(nodeKey, ""), pin]] : [];
  });
  return { ...layout, pins: Object.fromEntries(pins) };
}

export const layoutSchema = z.strictObject({
  pins: z.record(z.string(), z.strictObject({ dx: z.number().finite(), dy: z.number().finite() })),
  direction: z.enum(["right", "down"]).optional(),
  notes: notesSchema.optional(),
});

/** Whether two layouts say the same. */
export const sameLayout = (a: Layout, b: Layout): boolean =>
  a === b ||
  ((a.direction ?? "right") === (b.direction ?? "right") &&
    sameEntries(a.pins, b.pins) &&
    sameEntries(a.notes ?? {}, b.notes ?? {}));

function sameEntries(a: Readonly<Record<string, object>>, b: Readonly<Record<string, object>>): boolean {
  if (a === b) return true;
  const [mine, theirs] = [Object.entries(a), new Map(Object.entries(b))];
  return mine.length === theirs.size && mine.every(([key, one]) => sameFields(one, theirs.get(key)));
}

/** Whether two pins, or two notes, say the same. */
export function sameFields(a: object | undefined, b: object | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return a === b;
  const fields = new Map(Object.entries(b));
  return Object.entries(a).every(([name, value]) => fields.get(name) === value);
}
