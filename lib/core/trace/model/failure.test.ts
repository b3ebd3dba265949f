import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RunNodeKind, runNodeKinds } from "../../run/events/events";
import { runErrorCodes } from "../../run/events/run-errors";
import { type RunStatus, runStatuses } from "../../run/events/run-status";
import { explainFailure, findFirstFailure, type TreeStep } from "./failure";

const agent = { kind: "agent", name: "writer", path: "desk/writer" } as const;
const call = { kind: "llm_call", name: "openai:gpt-4.1-mini", path: "desk#2/writer#llm-3" } as const;

describe("explainFailure", () => {
  test.each(runErrorCodes)("%s has words and one thing to do, with or without a step", (code) => {
    for (const step of [null, agent, call]) {
      const { class: found, word, sentence, action } = explainFailure({ code }, step);
      expect(found).toBe(code);
      expect(word).toMatch(/^[A-Z]/);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      if (action.type === "open-editor") expect(action.label).not.toBe("");
    }
  });

  test.each(["", "__proto__", "toString", "quota-of-tomorrow"])("the code %j is unknown here", (code) => {
    expect(explainFailure({ code }, null).class).toBe("unknown");
  });

  test.each([
    ["openai:gpt-4.1-mini", "OPENAI_API_KEY"],
    ["gpt-4.1-mini", "OPENAI_API_KEY"],
    ["anthropic:claude-sonnet-5", "ANTHROPIC_API_KEY"],
    ["google:gemini-3.8-flash", "GEMINI_API_KEY"],
    ["compatible:llama3.2", "COMPATIBLE_API_KEY"],
  ])("a refused key of %s is %s", (name, variable) => {
    expect(explainFailure({ code: "auth" }, { ...call, name }).action).toMatchObject({
      type: "connect",
      provider: name.includes(":") ? name.slice(0, name.indexOf(":")) : "openai",
      variable,
    });
  });

  test("a key of an unknown provider leads to the agent", () => {
    expect(explainFailure({ code: "auth" }, { ...call, name: "unlisted:x" }).action).toMatchObject({
      type: "open-editor",
      key: "desk/writer",
    });
  });

  test("a limit leads to the node that has it, the run's own to the flow", () => {
    const keyOf = (code: string, step: typeof agent | typeof call | null) => {
      const { action } = explainFailure({ code }, step);
      return action.type === "open-editor" ? action.key : action.type;
    };
    expect(keyOf("step-limit", agent)).toBe("desk/writer");
    expect(keyOf("loop", agent)).toBe("desk/writer");
    expect(keyOf("context-length", call)).toBe("desk/writer");
    expect(keyOf("limit", call)).toBeNull();
    expect(keyOf("timeout", agent)).toBe("desk/writer");
    expect(keyOf("timeout", call)).toBe("retry");
    expect(explainFailure({ code: "limit" }, { kind: "swarm", name: "desk", path: "desk" }).action).toMatchObject({
      key: "desk",
    });
    expect(explainFailure({ code: "limit" }, { kind: "swarm", name: "Flow", path: "/" }).action).toMatchObject({
      key: null,
    });
  });
});

const step = (id: number, parent: number | undefined, kind: RunNodeKind, status: RunStatus, endedAt = 1): TreeStep => ({
  id,
  parent,
  kind,
  status,
  endedAt,
  path: id === 1 ? "/" : `p${id}`,
});

describe("findFirstFailure", () => {
  test("is the one that the error names, however early another one ended", () => {
    const steps = [
      step(1, undefined, "swarm", "FAILED"),
      step(2, 1, "agent", "FAILED", 1),
      step(3, 1, "agent", "FAILED", 2),
    ];
    expect(findFirstFailure(steps, { path: "p3" })?.id).toBe(3);
    expect(findFirstFailure(steps, { path: "gone" })?.id).toBe(2);
    expect(findFirstFailure(steps, {})?.id).toBe(2);
  });

  test("is no sibling that was cancelled, and nothing that a group got over", () => {
    const steps = [
      step(1, undefined, "swarm", "FAILED"),
      step(2, 1, "agent", "CANCELLED", 1),
      step(3, 1, "group", "SUCCESS", 2),
      step(4, 3, "agent", "FAILED", 1),
      step(5, 1, "agent", "FAILED", 9),
      step(6, 5, "llm_call", "FAILED", 8),
    ];
    expect(findFirstFailure(steps, {})?.id).toBe(6);
  });

  test("is no tool that failed before, unless nothing else did", () => {
    const steps = [
      step(1, undefined, "swarm", "FAILED", 9),
      step(2, 1, "agent", "FAILED", 8),
      step(3, 2, "tool_call", "FAILED", 1),
      step(4, 3, "agent", "FAILED", 1),
      step(5, 2, "llm_call", "FAILED", 7),
    ];
    expect(findFirstFailure(steps, {})?.id).toBe(5);
    expect(findFirstFailure(steps.slice(0, 4), {})?.id).toBe(2);
    expect(findFirstFailure([step(3, undefined, "tool_call", "FAILED")], {})?.id).toBe(3);
  });

  test("of several in one moment the first that began; of none nothing", () => {
    const steps = [
      step(1, undefined, "swarm", "FAILED", 5),
      step(2, 1, "agent", "TIMEOUT", 5),
      step(3, 1, "agent", "FAILED", 5),
    ];
    expect(findFirstFailure(steps, {})?.id).toBe(2);
    expect(findFirstFailure([step(1, undefined, "swarm", "CANCELLED")], {})).toBeUndefined();
    expect(findFirstFailure([], { path: "x" })).toBeUndefined();
  });
});

const tree: fc.Arbitrary<TreeStep[]> = fc
  .array(
    fc.record({
      up: fc.nat(8),
      kind: fc.constantFrom(...runNodeKinds),
      status: fc.constantFrom(...runStatuses),
      endedAt: fc.nat(5),
    }),
    { maxLength: 40 },
  )
  .map((given) =>
    given.map(({ up, ...rest }, place) => ({
      ...rest,
      id: place + 1,
      parent: place === 0 ? undefined : Math.max(1, place - up),
      path: `p${place + 1}`,
    })),
  );

const isBad = ({ status }: TreeStep): boolean => status === "FAILED" || status === "TIMEOUT";

describe("laws", () => {
  test("the first failure is a failed step above which nothing succeeded", () => {
    fc.assert(
      fc.property(tree, (steps) => {
        const found = findFirstFailure(steps, {});
        const leads = (one: TreeStep | undefined): boolean =>
          !one || (one.status !== "SUCCESS" && leads(steps.find(({ id }) => id === one.parent)));
        expect(found !== undefined).toBe(steps.some((one) => isBad(one) && leads(one)));
        if (found) expect(isBad(found) && leads(found)).toBe(true);
      }),
    );
  });

  test("a chain of 100,000 is no trouble", () => {
    const chain = Array.from({ length: 100_000 }, (_, place) =>
      step(place + 1, place === 0 ? undefined : place, "swarm", "FAILED", 1),
    );
    expect(findFirstFailure(chain, {})?.id).toBe(100_000);
  });
});
