import "server-only";
import type { z } from "zod";
import type { Permission } from "../auth/permissions";

/** One operation of the API. Routes read requests with its schemas, and the OpenAPI document is made from it. */
export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api/v1`, with parameters as OpenAPI writes them: `/flows/{id}`. */
  path: string;
  /** What it does, in one sentence. */
  summary: string;
  /** What the viewer, or the scopes of an API key, must allow; null: nothing beyond being signed in. */
  permission: Permission | null;
  /** `public`: also without a viewer. */
  access?: "public";
  /** Whether `?team=` names the team, for viewers who are in several. */
  team?: true;
  /** Read from texts, and without a team. */
  query?: z.ZodType;
  body?: z.ZodType;
  /** Headers that it reads, each with its meaning. */
  headers?: Readonly<Record<string, string>>;
  /** Of success; missing: 200, and 204 without an answer. */
  status?: number;
  /** A second status of success, with the same answer and its meaning. */
  otherStatus?: readonly [status: number, meaning: string];
  /** What success answers with: JSON of a schema, text of a media type, or nothing. */
  answer: z.core.$ZodType | `${string}/${string}` | null;
  /** Of server-sent events: what the data of each is as JSON. */
  event?: z.core.$ZodType;
}

/** The operations of a part of the API by their names, which are unique in all of it. */
export type Operations = Readonly<Record<string, Operation>>;

/** The status with which an operation succeeds. */
export const successOf = ({ status, answer }: Operation): number => status ?? (answer === null ? 204 : 200);
