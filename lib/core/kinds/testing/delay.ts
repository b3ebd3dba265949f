import type { NodeDeclaration } from "../../flow/flow";
import { defineControl } from "../define-kind";

declare module "../../flow/flow" {
  interface DeclarationTypes {
    delay: Delay;
  }
}

/** Waits, then passes the text through. The kind that tests register next to those of Swarmloom. */
export interface Delay extends NodeDeclaration {
  type: "delay";
  name: string;
  seconds: number;
}

export const delayKind = defineControl<Delay>({
  type: "delay",
  section: "delays",
  fieldTypes: { seconds: "number" },
  create: (name) => ({ type: "delay", name, seconds: 1 }),
  read: (reader) => ({
    type: "delay",
    name: reader.name,
    seconds: reader.number("seconds", { least: 0, most: 3600, isInteger: false }) ?? 1,
    ...reader.fieldTexts(),
  }),
  write: ({ seconds }) => [["seconds", seconds]],
  searchFields: ({ seconds }) => [{ area: "other", label: "Seconds", path: ["seconds"], text: String(seconds) }],
  check: ({ seconds }) =>
    seconds > 60
      ? [{ code: "invalid-value", severity: "warning", field: "seconds", message: "The delay is over a minute." }]
      : [],
  card: ({ seconds }) => ({ type: "frame", detail: `${seconds} s`, detailIsText: true }),
});
