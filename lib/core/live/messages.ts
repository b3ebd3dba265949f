import * as z from "zod/mini";

/**
 * What an editor and the server send each other about a flow that is open. Messages are JSON; a binary message is an update of
 * the live document (Yjs, version 1).
 */

const coordinate = z.number().check(z.gte(-1e7), z.lte(1e7));
const pointSchema = z.object({ x: coordinate, y: coordinate });
const key = z.string().check(z.maxLength(500));
const offset = z.int().check(z.minimum(0));
/** A state vector in base64: up to 10 bytes for each document that ever wrote something. */
const vector = z.string().check(z.maxLength(400_000));

/** What a person does at the moment, in coordinates of the flow. */
export const presenceSchema = z.object({
  pointer: z.nullable(pointSchema),
  /** Keys of nodes and notes. */
  selection: z.array(key).check(z.maxLength(50)),
  /** Offsets in the text; null: the caret is not in the text. */
  caret: z.nullable(z.object({ anchor: offset, head: offset })),
  /** The part of the flow that is shown: its centre, and how much it is magnified. */
  view: z.nullable(z.object({ x: coordinate, y: coordinate, zoom: z.number().check(z.gt(0), z.lte(100)) })),
  /** What is being dragged, and how far. */
  drag: z.nullable(z.object({ keys: z.array(key).check(z.maxLength(50)), dx: coordinate, dy: coordinate })),
});
export type Presence = z.infer<typeof presenceSchema>;

/** One open editor. */
export const peerSchema = z.object({
  id: z.string(),
  /** The person's id and name. */
  userId: z.string(),
  name: z.string(),
  /** Which of the colours of persons. */
  color: z.int(),
  canWrite: z.boolean(),
  presence: z.nullable(presenceSchema),
});
export type Peer = z.infer<typeof peerSchema>;

export const clientMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("presence"), presence: presenceSchema }),
  /** Requests to save that were sent before and not stored yet are refused from now on; answered by `late-refused`. */
  z.object({ type: z.literal("refuse-late") }),
  /** Opens the document. With the lineage and the state vector (base64) of a document that this editor has already. */
  z.object({ type: z.literal("join"), lineage: z.nullable(z.string()), vector }),
  /**
   * Compares the documents: the state vector (base64) and the digests of the editor's, and how many binary messages it has
   * received since `joined`. Answered by `joined` where they differ. `content`: missing from editors of earlier releases.
   */
  z.object({
    type: z.literal("compare"),
    vector,
    digest: z.number(),
    content: z.optional(z.number()),
    received: z.int(),
  }),
  /**
   * Saves the document as a revision; answered by `saved` with the same number. `isAwaited`: what the editor sends afterwards is
   * applied afterwards, and is not in the revision.
   */
  z.object({
    type: z.literal("save"),
    number: z.int(),
    summary: z.string().check(z.maxLength(20_000)),
    allowEmpty: z.boolean(),
    isAwaited: z.optional(z.boolean()),
  }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

export const serverMessageSchema = z.discriminatedUnion("type", [
  /** `peers`: the other open editors. */
  z.object({ type: z.literal("welcome"), self: peerSchema, peers: z.array(peerSchema) }),
  z.object({ type: z.literal("peers"), changed: z.array(peerSchema), left: z.array(z.string()) }),
  /**
   * The document is open: a binary message with what the editor lacks follows. `vector`: the server's state, in base64; the
   * editor sends what that lacks. Sent again where both have become different.
   * Documents of another lineage than the editor's are another document. `digest`, `content`: the digests of the server's
   * document: one that received the same has the same content, unless someone wrote with the id of someone else.
   */
  z.object({
    type: z.literal("joined"),
    lineage: z.string(),
    vector: z.string(),
    revision: z.string(),
    digest: z.optional(z.number()),
    content: z.optional(z.number()),
  }),
  z.object({ type: z.literal("saved"), number: z.int(), revision: z.string() }),
  z.object({ type: z.literal("refused"), number: z.int(), code: z.string(), message: z.string() }),
  z.object({ type: z.literal("access"), canWrite: z.boolean() }),
  z.object({ type: z.literal("late-refused") }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;

/** With which the server closes a connection that must not be opened again. */
export const closeCodes = { refused: 4403, tooLarge: 4413 } as const;
