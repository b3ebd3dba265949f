import { expect, test } from "vitest";
import { toDatabaseError } from "./database-error";
import type { RunWrite } from "./run-store";
import { WriteGroups, type WriteGroupsOptions } from "./write-groups";

const toWrite = (runId: string): RunWrite => ({
  ...{ runId, owner: "me", epoch: 1, run: {} },
  ...{ events: [], payloads: [], nodes: [] },
});

/** Groups that note what they are asked to perform, as ids of runs. */
function watchGroups(perform: (ids: string[]) => void = () => {}, options: Partial<WriteGroupsOptions> = {}) {
  const performed: string[][] = [];
  const groups = new WriteGroups({
    concurrency: 1,
    perform: async (writes) => {
      const ids = writes.map(({ runId }) => runId);
      performed.push(ids);
      await new Promise((resolve) => setImmediate(resolve));
      perform(ids);
      return new Set(ids);
    },
    ...options,
  });
  const addAll = (ids: readonly string[]) => Promise.allSettled(ids.map((id) => groups.add(toWrite(id))));
  return { performed, groups, addAll };
}

test("what runs ask for in one turn is one group; a second write of a run comes after its first", async () => {
  const { performed, addAll } = watchGroups();
  await addAll(["a", "b", "a", "c", "b"]);
  expect(performed).toEqual([
    ["a", "b", "c"],
    ["a", "b"],
  ]);
});

test("a group has one kind and at most 50 writes", async () => {
  const { performed, addAll } = watchGroups(undefined, { toKind: ({ runId }) => runId.slice(0, 1) });
  await addAll(["a1", "b1", "a2", ...Array.from({ length: 60 }, (_, index) => `c${index}`)]);
  expect(performed.map((ids) => ids.length)).toEqual([2, 1, 50, 10]);
});

test("after a failure each write is attempted on its own", async () => {
  const { performed, addAll } = watchGroups((ids) => {
    if (ids.includes("b")) throw new Error("b is wrong");
  });
  const results = await addAll(["a", "b", "c"]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(performed).toEqual([["a", "b", "c"], ["a"], ["b"], ["c"]]);
});

test("after a fault of the database none is attempted again", async () => {
  const fault = toDatabaseError(Object.assign(new Error("full"), { code: "SQLITE_FULL" }));
  const { performed, addAll } = watchGroups(() => {
    throw fault;
  });
  const results = await addAll(["a", "b"]);
  expect(results).toEqual(Array.from({ length: 2 }, () => ({ status: "rejected", reason: fault })));
  expect(performed).toHaveLength(1);
});

test("idle resolves once everything is done, also what was added meanwhile", async () => {
  const { performed, groups } = watchGroups();
  await groups.idle();
  const writes = [groups.add(toWrite("a"))];
  const idle = groups.idle();
  writes.push(groups.add(toWrite("a")));
  await idle;
  expect(performed).toEqual([["a"], ["a"]]);
  await Promise.all(writes);
});
