import type { TwinText } from "../../state/live/live";
import { labelField } from "../../state/live/twins/label-field";

export function titleOfTwin({ field }: TwinText): string {
  const label = labelField(field);
  return `${label[0]?.toUpperCase() ?? ""}${label.slice(1)}: which text should stay?`;
}

/** What happened, and what the flow has now. */
export function describeTwin(twin: TwinText): string {
  const { field, parts, merged, both } = twin;
  const other = parts.find(({ name }) => name !== null);
  const event = `${nameWriters(other?.name ?? null)} changed the ${labelField(field)} while you were offline.`;
  if (both === merged) return `${event} Both texts are in the flow until you choose.`;
  return merged === other?.text ? `${event} The other text is in the flow until you choose.` : event;
}

/** Names of the state that are no names of persons. */
const unknownWriters: readonly (string | null)[] = ["the flow", "the other person", null];

function nameWriters(name: string | null): string {
  if (name === "your other tab") return "Two of your tabs";
  if (name === null || unknownWriters.includes(name)) return "You and someone else";
  return name.includes(" and ") ? `You, ${name}` : `You and ${name}`;
}
