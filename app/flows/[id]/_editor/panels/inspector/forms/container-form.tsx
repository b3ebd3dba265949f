"use client";

import { Button } from "@/app/_ui/controls/button";
import { asWritten } from "@/lib/core/flow/field-variables";
import type { Group, Swarm } from "@/lib/core/flow/flow";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useSession } from "../../../state/session-context";
import { TextField } from "../fields/fields";
import { joinHints, toLookUpHint } from "../fields/look-up-hint";
import { NameField } from "../fields/name-field";
import { FormHead } from "./form-head";
import { LinkControls } from "./link-controls";
import { SwarmFields } from "./swarm-fields";

type ContainerDeclaration = { kind: "group"; value: Group } | { kind: "swarm"; value: Swarm };

/** A named group or nested swarm. */
export function ContainerForm({ declaration, node }: { declaration: ContainerDeclaration; node: ArrangedNode }) {
  const { commands, editor } = useSession();
  const { kind, value } = declaration;
  const scope = { type: kind, name: value.name };
  const joins = kind === "swarm" ? value.type === "workflow" : value.type === "parallel";
  return (
    <div className="grid gap-3">
      <FormHead kind={kind} title={kind === "group" ? "Group" : "Swarm"} />
      <NameField name={value.name} />
      {declaration.kind === "swarm" ? (
        <SwarmFields swarm={declaration.value} scope={{ type: "swarm", name: value.name }} />
      ) : (
        <dl className="flex justify-between text-xs">
          <dt className="text-text-muted">Type</dt>
          <dd>{value.type}</dd>
        </dl>
      )}
      {joins && (
        <TextField
          label="Separator"
          hint={joinHints(
            toLookUpHint(value.written?.separator, value.separator),
            "Between the outputs of parallel members; \\n is a new line.",
          )}
          value={showSeparator(asWritten(value, "separator", value.separator))}
          onCommit={(text) => commands.edit({ type: "set-separator", scope, separator: readSeparator(text) })}
          mono
        />
      )}
      <LinkControls node={node} />
      {node.placed && (
        <Button
          size="small"
          onClick={() => {
            editor.select([node.key]);
            commands.wrap("inline");
          }}
        >
          Write out here
        </Button>
      )}
    </div>
  );
}

/** A separator on one line: new lines and tabs as `\n` and `\t`. */
const showSeparator = (separator: string): string =>
  separator.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");

const readSeparator = (text: string): string =>
  text.replaceAll(/\\([nt\\])/g, (_, letter) => (letter === "n" ? "\n" : letter === "t" ? "\t" : "\\"));
