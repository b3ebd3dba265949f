import { describe, expect, it } from "vitest";
import type { Edit } from "../flow/edit";
import { describeEdits } from "./describe-edits";

const scope = { type: "root" } as const;
const add = (name: string, after?: string): Edit => ({
  type: "add-agent",
  name,
  scope,
  ...(after === undefined ? {} : { after }),
});

describe("describeEdits", () => {
  it("describes an addition and its position", () => {
    expect(describeEdits([add("b", "a")])).toEqual({ name: "add agent", done: "Added b after a" });
    expect(describeEdits([add("b")]).done).toBe("Added b");
    expect(describeEdits([{ type: "add-agent", name: "b", scope, atEnd: true }]).done).toBe("Added b at the end");
    expect(describeEdits([add("b"), { type: "connect", scope, from: "a", to: "b" }]).done).toBe("Added b after a");
    expect(describeEdits([add("b"), { type: "connect", scope, from: "b", to: "c" }]).done).toBe("Added b before c");
  });

  it("describes an entry by its most significant edit", () => {
    const gone: Edit = { type: "delete-nodes", scope, names: ["a", "b"], declarations: true };
    expect(describeEdits([gone, { ...gone, names: ["c"] }])).toEqual({ name: "delete", done: "Deleted a, b, c" });
    expect(describeEdits([{ type: "rename", from: "a", to: "b" }])).toEqual({
      name: "rename",
      done: "Renamed a to b",
    });
    expect(describeEdits([{ type: "set-agent-field", name: "a", field: "max_steps", value: 3 }]).done).toBe(
      "Changed max steps of a",
    );
    expect(describeEdits([]).name).toBe("change");
  });
});
