import "server-only";
import { z } from "zod";
import { nameSchema } from "../name-schema";
import type { LastRun } from "../runs/read/last-runs";

export const webhookSchema = z.strictObject({
  /** Id of the flow; its newest revision runs. */
  flow: z.string().max(100),
  name: nameSchema,
  /** Where in the JSON body the input of a run is, as names or positions joined by dots; empty: the body as it is. */
  inputPath: z
    .string()
    .trim()
    .max(200)
    .regex(/^$|^[^.]+(\.[^.]+)*$/, "expected names or positions joined by dots, such as data.messages.0.text")
    .default(""),
  enabled: z.boolean().default(true),
});
export type WebhookSetting = z.infer<typeof webhookSchema>;

/** A webhook as lists show it. Moments are milliseconds since the epoch. */
export interface WebhookDetail extends WebhookSetting {
  id: string;
  flowName: string;
  /** The address that requests are sent to, without the origin of the server. */
  path: string;
  /** The last four characters of its secret. */
  lastFour: string;
  /** The newest request that started a run; null before the first. */
  lastAt: number | null;
  lastRun: LastRun | null;
  /** Why the newest refused request started no run, and when it came. */
  lastProblem: string | null;
  lastProblemAt: number | null;
}

/** A webhook and its secret, which is not readable afterwards. */
export interface WebhookSecret {
  webhook: WebhookDetail;
  /** `whsec_` and base64. */
  secret: string;
}
