import { Trash2 } from "lucide-react";
import { setControlField, setControlText } from "@/app/_kinds/control-edits";
import { Button } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { findFreeName } from "@/lib/core/flow/free-name";
import type { Router } from "@/lib/core/kinds/router";
import { useSession } from "../../../state/session-context";
import { TextField } from "../fields/fields";
import { useRows } from "../fields/follow-rows";
import { LaneField } from "./lane-field";

export function RouterLanes({ router }: { router: Router }) {
  const { actions } = useSession();
  const rows = useRows([...router.lanes.keys()]);
  const add = (): void => {
    const lane = findFreeName(`lane_${router.lanes.size + 1}`, (name) => router.lanes.has(name));
    actions.edit(setControlField(router.name, ["lanes", lane], { when: "" }));
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="text-xs font-medium text-text-muted">Lanes</legend>
      {[...router.lanes].map(([lane, { when, flow }], index) => (
        <div key={rows[index]?.id} className="grid gap-2 rounded-md border border-line p-2">
          <div className="flex items-center justify-between">
            <span className="truncate font-mono text-xs">{lane}</span>
            <IconButton
              label={`Remove lane ${lane}`}
              onClick={() => actions.edit(setControlField(router.name, ["lanes", lane], undefined))}
            >
              <Trash2 size={14} aria-hidden />
            </IconButton>
          </div>
          <TextField
            text={{ label: "When" }}
            binding={{
              value: when,
              onCommit: (text) => actions.edit(setControlText(router.name, ["lanes", lane, "when"], text)),
            }}
            input={{ placeholder: "the message is about invoices" }}
          />
          <LaneField control={router.name} label="Runs" lane={lane} flow={flow} />
        </div>
      ))}
      <Button size="small" onClick={add}>
        Add lane
      </Button>
    </fieldset>
  );
}
