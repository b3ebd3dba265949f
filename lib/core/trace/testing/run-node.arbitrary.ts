import fc from "fast-check";
import { anyCodePoint } from "../../flow/code-point.arbitrary";
import { jsonSchema } from "../../flow/schemas/flow-schemas";
import { type Payload, type RunNodeKind, runNodeKinds } from "../../run/events/events";
import { runStatuses } from "../../run/events/run-status";
import type { RunNode } from "../model/run-state";

const text = fc.oneof(fc.string(), fc.string({ unit: anyCodePoint }));
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const payload = text.map((text): Payload => ({ text }));
const error = fc.record({ code: text, message: text }, { requiredKeys: ["code", "message"] });
const usage = fc.record({
  input: fc.nat(),
  output: fc.nat(),
  cached: fc.nat(),
  reasoning: fc.nat(),
  calls: fc.nat(3),
  cost: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
  estimated: fc.boolean(),
});
const call = fc.record({ id: text, name: text, arguments: text });
const metadata = fc.record(
  {
    finishReason: text,
    toolCalls: fc.array(call),
    model: text,
    steps: fc.nat(),
    value: fc.json().map((json) => jsonSchema.parse(JSON.parse(json))),
  },
  { requiredKeys: [] },
);

/** A step without its place in the run. */
const body = fc.record(
  {
    path: text,
    kind: fc.constantFrom<RunNodeKind>(...runNodeKinds),
    name: text,
    status: fc.constantFrom(...runStatuses),
    startedAt: time,
    endedAt: time,
    firstTokenAt: time,
    input: payload,
    output: payload,
    reasoning: text,
    request: fc.record({ provider: text, url: text, body: payload }),
    attempts: fc.array(fc.record({ attempt: fc.integer({ min: 1, max: 9 }), at: time, error, waitMs: time })),
    queuedMs: time,
    notes: fc.array(
      fc.record({ at: time, code: text, message: text, by: text }, { requiredKeys: ["at", "code", "message"] }),
    ),
    usage,
    error,
    metadata,
    simulated: fc.boolean(),
  },
  {
    requiredKeys: [
      "path",
      "kind",
      "name",
      "status",
      "startedAt",
      "input",
      "output",
      "reasoning",
      "attempts",
      "usage",
      "metadata",
      "simulated",
    ],
  },
);

/** Steps as a run may hold them: ids in order, each parent before its children. */
export const runNodes: fc.Arbitrary<RunNode[]> = fc
  .array(fc.record({ body, above: fc.option(fc.nat()) }), { maxLength: 12 })
  .map((items) =>
    items.map(({ body, above }, index) => ({
      id: index + 1,
      ...(above !== null && index > 0 && { parent: 1 + (above % index) }),
      ...body,
    })),
  );
