import type { Edit } from "@/lib/core/flow/edit";
import { asWritten } from "@/lib/core/flow/field-variables";
import type { Group } from "@/lib/core/kinds/group";
import type { Swarm } from "@/lib/core/kinds/swarm";
import { describeVariable, joinHints } from "./describe-variable";
import type { FormField } from "./form-field";

/** The separator on one line: new lines and tabs as `\n` and `\t`. */
export const toSeparatorField = (declaration: Group | Swarm): FormField => ({
  type: "text",
  label: "Separator",
  hint: joinHints(
    describeVariable(declaration.written?.separator, declaration.separator),
    "Between the outputs of parallel members; \\n is a new line.",
  ),
  value: escapeSeparator(asWritten(declaration, "separator", declaration.separator)),
  toEdit: (text): Edit => ({
    type: "set-separator",
    scope: { type: declaration.type, name: declaration.name },
    separator: readSeparator(text),
  }),
});

const escapeSeparator = (separator: string): string =>
  separator.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");

const readSeparator = (text: string): string =>
  text.replaceAll(/\\([nt\\])/g, (_, letter) => (letter === "n" ? "\n" : letter === "t" ? "\t" : "\\"));
