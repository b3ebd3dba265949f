import { expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { followEdits } from "../follow-edits";
import { openSession } from "../testing/open-session";
import { mergeVersions } from "./merge-versions";
import { saveMerged, watchConflicts } from "./resolve-conflict";
import type { Theirs } from "./snapshot";

const flow = (...lines: readonly string[]): string =>
  `name: Trip\nagents:\n  planner:\n    instructions: |\n${lines.map((line) => `      ${line}\n`).join("")}  writer: {}\n`;

it("what was merged in is theirs at the next conflict, and is not there twice", async () => {
  let head: Theirs = { source: flow("Plan."), layout: emptyLayout, revision: "r1" };
  const store = (source: string): void => {
    head = { source, layout: emptyLayout, revision: `r${Number(head.revision.slice(1)) + 1}` };
  };
  const session = openSession(head.source, head, {
    wire: {
      save: async ({ snapshot, baseRevision }) => {
        if (baseRevision !== head.revision) return { type: "conflicted", theirs: head };
        store(snapshot.source);
        return { type: "succeeded", revision: head.revision };
      },
      current: async () => head,
    },
  });
  const { autosave, editor, view } = session;
  followEdits(session);
  watchConflicts(session);
  session.live.setKnown();

  store(flow("D: sources."));
  editor.typeText(flow("E: five steps."));
  expect(await autosave.flush()).toBe(false);
  await expect.poll(() => view.getState().dialog).toBe("conflict");
  const { theirs, stored, current } = autosave.store.getState();
  if (!theirs) expect.fail("The other version is expected.");
  expect(mergeVersions(stored, current, theirs).conflicts).toBe(1);

  store(flow("D: sources, and a second thought."));
  saveMerged(session, theirs, { source: flow("E: five steps.", "D: sources."), layout: emptyLayout });
  view.setState({ dialog: null });
  await autosave.flush();
  await expect.poll(() => autosave.store.getState().phase).toBe("saved");
  expect(view.getState().dialog).toBeNull();
  expect(head.source).toBe(flow("E: five steps.", "D: sources, and a second thought."));
  autosave.stop();
});
