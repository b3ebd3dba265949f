"use client";

import { asWritten } from "@/lib/core/flow/field-variables";
import type { Control } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Approval } from "@/lib/core/kinds/approval";
import type { Branch } from "@/lib/core/kinds/branch";
import { type Loop, loopLimits } from "@/lib/core/kinds/loop";
import type { Router } from "@/lib/core/kinds/router";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { ConditionField } from "../fields/condition-field";
import { AreaField, SelectField } from "../fields/fields";
import { LimitField } from "../fields/limit-field";
import { toLookUpHint } from "../fields/look-up-hint";
import { NameField } from "../fields/name-field";
import { ModelField } from "../model/model-field";
import { PromptField } from "../prompt/prompt-field";
import { FormHead } from "./form-head";
import { LaneField, useControl } from "./lane-field";
import { LinkControls } from "./link-controls";
import { RouterLanes } from "./router-lanes";

const titles: Record<Control["type"], string> = {
  branch: "Branch",
  router: "Router",
  loop: "Loop",
  approval: "Approval",
};

export function ControlForm({ control, node }: { control: Control; node: ArrangedNode }) {
  return (
    <div className="grid gap-3">
      <FormHead kind={control.type} title={titles[control.type]} />
      <NameField name={control.name} />
      <ControlFields control={control} place={node.key} />
      <LinkControls node={node} />
    </div>
  );
}

function ControlFields({ control, place }: { control: Control; place: NodeKey }) {
  switch (control.type) {
    case "branch":
      return <BranchFields branch={control} />;
    case "router":
      return <RouterFields router={control} place={place} />;
    case "loop":
      return <LoopFields loop={control} />;
    case "approval":
      return <ApprovalFields approval={control} />;
  }
}

function BranchFields({ branch }: { branch: Branch }) {
  const { set } = useControl(branch.name);
  const { name, condition, if_true: ifTrue, if_false: ifFalse } = branch;
  return (
    <>
      <ConditionField label="Condition" text={condition} onCommit={(text) => set(["condition"], text)} />
      <LaneField name={name} label="If true" lane="if_true" flow={ifTrue} />
      <LaneField name={name} label="If false" lane="if_false" flow={ifFalse} />
    </>
  );
}

function RouterFields({ router, place }: { router: Router; place: NodeKey }) {
  const { set } = useControl(router.name);
  return (
    <>
      <ModelField
        model={router.model ?? ""}
        written={router.written?.model}
        onCommit={(model) => set(["model"], model)}
      />
      <PromptField
        label="Instructions"
        value={router.instructions}
        placeholder="How to choose, if the lanes do not say it all."
        place={place}
        onCommit={(text) => set(["instructions"], text)}
      />
      <RouterLanes router={router} />
    </>
  );
}

const loopKinds = [
  { value: "count", label: "a number of times" },
  { value: "while", label: "while a condition holds" },
  { value: "for_each", label: "for each item of a list" },
] as const;

function LoopFields({ loop }: { loop: Loop }) {
  const { set, setAll, toEdit } = useControl(loop.name);
  const kind = loop.while !== undefined ? "while" : loop.for_each !== undefined ? "for_each" : "count";
  const change = (next: string): void => {
    if (next === kind) return;
    const initialValue = next === "count" ? 3 : next === "while" ? 'not contains(input, "done")' : "json(input)";
    setAll([[kind], undefined], [[next], initialValue]);
  };
  return (
    <>
      <LaneField name={loop.name} label="Body" lane="body" flow={loop.body} hint="Runs once a round." />
      <SelectField label="Repeats" value={kind} options={loopKinds} onCommit={change} />
      {kind === "count" && (
        <LimitField
          label="Times"
          hint="An answer that holds [BREAK] ends it early."
          value={loop.count}
          written={loop.written?.count}
          placeholder="3"
          toEdit={(value) => toEdit(["count"], value)}
        />
      )}
      {kind !== "count" && (
        <ConditionField
          label={kind === "while" ? "While" : "List"}
          text={(kind === "while" ? loop.while : loop.for_each) ?? ""}
          onCommit={(text) => set([kind], text)}
          inLoop
        />
      )}
      <LimitField
        label="Limit"
        hint="Rounds at most; reaching it ends the loop with a note."
        value={loop.limit === loopLimits.usual && !loop.written?.limit ? undefined : loop.limit}
        written={loop.written?.limit}
        placeholder={String(loopLimits.usual)}
        toEdit={(value) => toEdit(["limit"], value)}
      />
    </>
  );
}

function ApprovalFields({ approval }: { approval: Approval }) {
  const { set, toEdit } = useControl(approval.name);
  return (
    <>
      <AreaField
        label="Question"
        value={asWritten(approval, "message", approval.message)}
        hint={toLookUpHint(approval.written?.message, approval.message)}
        placeholder="What the person is asked before the text goes on."
        onCommit={(text) => set(["message"], text)}
      />
      <LimitField
        label="Timeout, seconds"
        hint="Without an answer the run ends with TIMEOUT."
        value={approval.timeout_seconds}
        written={approval.written?.timeout_seconds}
        placeholder="none"
        toEdit={(value) => toEdit(["timeout_seconds"], value)}
      />
    </>
  );
}
