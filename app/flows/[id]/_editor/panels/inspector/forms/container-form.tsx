"use client";

import { Button } from "@/app/_ui/controls/button";
import { asWritten } from "@/lib/core/flow/field-variables";
import type { Group } from "@/lib/core/kinds/group";
import type { Swarm } from "@/lib/core/kinds/swarm";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { useSession } from "../../../state/session-context";
import { TextField } from "../fields/fields";
import { joinHints, toLookUpHint } from "../fields/look-up-hint";
import { NameField } from "../fields/name-field";
import { FormHead } from "./form-head";
import { LinkControls } from "./link-controls";
import { SwarmFields } from "./swarm-fields";

export function ContainerForm({ declaration, node }: { declaration: Group | Swarm; node: ArrangedNode }) {
  const { commands, editor } = useSession();
  const { type, name } = declaration;
  const scope = { type, name };
  const joins = declaration.mode === "workflow" || declaration.mode === "parallel";
  return (
    <div className="grid gap-3">
      <FormHead kind={type} title={type === "group" ? "Group" : "Swarm"} />
      <NameField name={name} />
      {declaration.type === "swarm" ? (
        <SwarmFields swarm={declaration} scope={{ type: "swarm", name: name }} />
      ) : (
        <dl className="flex justify-between text-xs">
          <dt className="text-text-muted">Type</dt>
          <dd>{declaration.mode}</dd>
        </dl>
      )}
      {joins && (
        <TextField
          label="Separator"
          hint={joinHints(
            toLookUpHint(declaration.written?.separator, declaration.separator),
            "Between the outputs of parallel members; \\n is a new line.",
          )}
          value={showSeparator(asWritten(declaration, "separator", declaration.separator))}
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

const showSeparator = (separator: string): string =>
  separator.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");

const readSeparator = (text: string): string =>
  text.replaceAll(/\\([nt\\])/g, (_, letter) => (letter === "n" ? "\n" : letter === "t" ? "\t" : "\\"));
