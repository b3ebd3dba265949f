import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/core/flow/flow";
import type { AuditAction } from "@/lib/server/audit/audit-actions";
import { describeFacts, findObjectPath } from "./audit-facts";

const id = "0b8a9f3e-1c2d-4e5f-8a9b-0c1d2e3f4a5b";
const names = new Map([["user-1", "Ada"]]);
const describeDetail = (action: AuditAction, detail: JsonObject) =>
  describeFacts({ action, detail }, names)
    .map(({ text }) => text)
    .join(", ");

describe("the facts of an entry", () => {
  it.each([
    [
      "share.created",
      { flow: id, maxRuns: 20, maxRunCost: 0.1, expiresAt: "2026-12-25T10:00:00.000Z" },
      "its flow, 20 runs, $0.10 each, until 25 Dec 2026",
    ],
    ["share.created", { run: id, texts: ["inputs", "outputs"] }, "the run, with inputs, outputs"],
    ["approvals.changed", { starterMayNotApprove: true }, "starter may not approve: yes"],
    ["limits.changed", { maxCostPerDay: null, maxRuns: 0 }, "no max cost per day, no runs"],
    ["flow.published", { revision: id, number: 3 }, "version 3"],
    ["member.changed", { from: "viewer", to: "editor" }, "from Viewer, to Editor"],
    ["flow.shared", { user: "user-1", role: "runner" }, "for Ada, as Runner"],
    ["flow.shared", { user: id, role: null }, "user 0b8a9f3e, with the role in the team"],
    ["flow.renamed", { from: "Old name" }, "from “Old name”"],
    [
      "run.retried",
      { from: id, step: "clerk#llm-1", changed: false, approvalsAskedAgain: 0 },
      "from an earlier run, at clerk › model call 1",
    ],
    ["audit.exported", { format: "csv" }, "as CSV"],
  ] as const)("of %s %j are in words", (action, detail, words) => {
    expect(describeDetail(action, { ...detail })).toBe(words);
  });

  it("lead to flows and runs", () => {
    expect(describeFacts({ action: "run.started", detail: { flow: id } }, names)[0]?.href).toBe(`/flows/${id}`);
    expect(describeFacts({ action: "run.forked", detail: { from: id } }, names)[0]?.href).toBe(`/runs/${id}`);
  });
});

describe("what an entry is about", () => {
  it("is a link, also to a flow that was shared", () => {
    const share = { type: "share", id, name: "x" } as const;
    expect(findObjectPath({ object: share, detail: { flow: "f" } })).toBe("/flows/f");
    expect(findObjectPath({ object: share, detail: {} })).toBeNull();
    expect(findObjectPath({ object: { ...share, type: "webhook" }, detail: {} })).toBe("/triggers");
  });
});
