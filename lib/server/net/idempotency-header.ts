import "server-only";
import { createHash } from "node:crypto";

/** A header's value that is the same for equal keys, whatever characters and however many they have. */
export const toIdempotencyHeader = (key: string): string => createHash("sha256").update(key).digest("hex");
