import type { Json } from "@/lib/core/flow/flow";
import { isJsonList } from "@/lib/core/flow/parse-json";
import { formatExact } from "../../_ui/format/format";

/** `whole`: the id that `text` has the beginning of. */
interface AuditFact {
  label: string;
  text: string;
  whole?: string;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** A fact of an entry in words: `starterMayNotApprove` is "starter may not approve", and of an id its beginning is enough. */
export function describeFact(name: string, value: Json): AuditFact {
  const label = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (typeof value === "string" && uuid.test(value)) return { label, text: value.slice(0, 8), whole: value };
  if (typeof value === "number" && /At$/.test(name)) return { label, text: formatExact(value, "UTC") };
  return { label, text: toText(value) };
}

function toText(value: Json): string {
  if (isJsonList(value)) return value.map(toText).join(", ");
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}
