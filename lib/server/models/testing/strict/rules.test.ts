import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json";
import { allExamples } from "./examples/all-examples";
import { toOddBodies } from "./examples/odd-bodies";
import { strictServices } from "./services";
import { findBroken, type ReceivedRequest, type StrictRule } from "./strict-rule";

/** Larger examples are not changed place by place: it would take long and show nothing new. */
const maxOddLength = 2_000;

/** Gemini has the model in the path, all others in the body. */
const toRequest = (service: string, model: string, body: JsonObject): ReceivedRequest => ({
  model,
  body: service === "google" ? body : { model, ...body },
});

/** The ids of all rules that a request breaks. */
const findAllBroken = (rules: readonly StrictRule[], request: ReceivedRequest): string[] =>
  rules.flatMap((rule) => findBroken([rule], request)?.rule.id ?? []);

it("there are examples of every service", () => {
  expect([...allExamples.keys()]).toEqual([...strictServices.keys()]);
});

describe.each([...strictServices])("%s", (name, { rules }) => {
  const { broken, right } = allExamples.get(name) ?? { broken: [], right: [] };

  it("has an example of each rule", () => {
    expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(rules.map(({ id }) => id)));
    expect(right.length).toBeGreaterThan(0);
  });

  it.each(broken)("%s refuses its example for %s: %j", (rule, model, body) => {
    const request = toRequest(name, model, body);
    expect(findAllBroken(rules, request)).toEqual([rule]);
    const { message, status = 400 } = findBroken(rules, request)?.refusal ?? { message: "" };
    expect(message).not.toMatch(/^$|undefined|null'|\[object|\[-\d/);
    expect([400, 404, 422, 500]).toContain(status);
  });

  it.each(right)("takes %s (%s)", (_, model, body) => {
    expect(findAllBroken(rules, toRequest(name, model, body))).toEqual([]);
  });

  it("reads odd bodies without an error", () => {
    const bodies = [...broken, ...right].filter(([, , body]) => JSON.stringify(body).length < maxOddLength);
    for (const [, model, body] of bodies)
      for (const odd of toOddBodies(body))
        for (const rule of rules) {
          const toFailure = () => `${rule.id} of ${JSON.stringify(odd)}`;
          try {
            rule.find({ model, body: odd });
          } catch (error) {
            expect.fail(`${toFailure()}: ${String(error)}`);
          }
        }
  });
});
