"use client";
import { useState } from "react";
import * as z from "zod/mini";
import { Checkbox } from "@/app/_ui/controls/checkbox";
import { fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";
import type { ApprovalRule } from "@/lib/server/teams/approval-rule";

const ruleSchema: z.ZodMiniType<ApprovalRule> = z.object({ starterMayNotApprove: z.boolean() });

/** Saves at once: there is one choice. */
export function ApprovalsForm({ initial }: { initial: ApprovalRule }) {
  const [rule, setRule] = useState(initial);
  const [outcome, setOutcome] = useState<{ ok: boolean; text: string } | null>(null);
  const save = (json: ApprovalRule): void => {
    setRule(json);
    setOutcome(null);
    fetchJson("/api/v1/settings/approvals", ruleSchema, { json, method: "PUT" }).then(
      (saved) => {
        setRule(saved);
        setOutcome({ ok: true, text: "Saved." });
      },
      (error: unknown) => {
        setRule(rule);
        setOutcome({ ok: false, text: messageOf(error) });
      },
    );
  };
  return (
    <div className="flex flex-col gap-2">
      <Checkbox
        label="The starter may not approve"
        hint="Someone else has to, also where the run was started with an API key of the same user. Answers to questions of agents are not approvals."
        checked={rule.starterMayNotApprove}
        onChange={(starterMayNotApprove) => save({ starterMayNotApprove })}
      />
      <div role="status" className="empty:hidden">
        {outcome && <p className={outcome.ok ? "text-success" : "text-danger"}>{outcome.text}</p>}
      </div>
    </div>
  );
}
