"use client";
import { useState } from "react";
import * as z from "zod/mini";
import { Checkbox } from "@/app/_ui/controls/checkbox";
import type { ApprovalRule } from "@/lib/server/teams/approval-rule";
import { SaveOutcome } from "../save-outcome";
import { useSaved } from "../use-saved";

const ruleSchema: z.ZodMiniType<ApprovalRule> = z.object({ starterMayNotApprove: z.boolean() });

/** Saves at once: there is one choice. */
export function ApprovalsForm({ initial }: { initial: ApprovalRule }) {
  const { stored, outcome, save } = useSaved("/api/v1/settings/approvals", ruleSchema, initial);
  const [rule, setRule] = useState(stored);
  const send = async (json: ApprovalRule): Promise<void> => {
    setRule(json);
    setRule((await save(json)) ?? stored);
  };
  return (
    <div className="flex flex-col gap-2">
      <Checkbox
        label="Someone other than the starter must approve"
        hint="Someone else has to, also where an API key, webhook, schedule or share link of the same user started the run. Answers to questions of agents are not approvals."
        checked={rule.starterMayNotApprove}
        onChange={(starterMayNotApprove) => void send({ starterMayNotApprove })}
      />
      <SaveOutcome outcome={outcome} />
    </div>
  );
}
