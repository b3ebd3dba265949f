import { describe, expect, it } from "vitest";
import { createOpenDrafts } from "./open-drafts";

describe("open drafts", () => {
  it("are counted while they are open, and commit together", () => {
    const drafts = createOpenDrafts();
    const committed: string[] = [];
    const closeName = drafts.open(() => committed.push("name"));
    const closeModel = drafts.open(() => {
      committed.push("model");
      closeModel();
    });
    expect(drafts.store.getState().count).toBe(2);
    drafts.commitAll();
    expect(committed).toEqual(["name", "model"]);
    expect(drafts.store.getState().count).toBe(1);
    closeName();
    closeName();
    expect(drafts.store.getState().count).toBe(0);
  });
});
