"use client";

import type { ArrangedNode } from "@/lib/core/flow/arrange";
import type { Declaration } from "@/lib/core/flow/flow";
import { useSession } from "../session-context";
import { TextField } from "./fields";
import { FormHead } from "./form-head";
import { LinkControls } from "./link-controls";
import { NameField } from "./name-field";

type PlaceDeclaration = Exclude<Declaration, { kind: "agent" }>;

/** A named group or nested swarm. */
export function PlaceForm({ declaration, node }: { declaration: PlaceDeclaration; node: ArrangedNode }) {
  const { commands } = useSession();
  const { kind, value } = declaration;
  const joins = kind === "swarm" ? value.type === "workflow" : value.type === "parallel";
  return (
    <div className="grid gap-3">
      <FormHead kind={kind} title={kind === "group" ? "Group" : "Swarm"} />
      <NameField name={value.name} />
      <dl className="flex justify-between text-xs">
        <dt className="text-text-muted">Type</dt>
        <dd>{value.type}</dd>
      </dl>
      {joins && (
        <TextField
          label="Separator"
          hint="Between the outputs of parallel members; \n is a new line."
          value={showSeparator(value.separator)}
          onCommit={(text) =>
            commands.edit({
              type: "set-separator",
              scope: { type: kind, name: value.name },
              separator: readSeparator(text),
            })
          }
          mono
        />
      )}
      <LinkControls node={node} />
    </div>
  );
}

/** A separator on one line: new lines and tabs as `\n` and `\t`. */
const showSeparator = (separator: string): string =>
  separator.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");

const readSeparator = (text: string): string =>
  text.replaceAll(/\\([nt\\])/g, (_, letter) => (letter === "n" ? "\n" : letter === "t" ? "\t" : "\\"));
