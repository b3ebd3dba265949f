import "server-only";
import { z } from "zod";
import { toDisplayName } from "@/lib/core/flow/list/display-name";

/** A name as requests have it, made one for lists and mails. */
export const nameSchema = z
  .string()
  .overwrite(toDisplayName)
  .min(1, "expected at least one character that can be seen")
  .max(100);
