import { describe, expect, it } from "vitest";
import { writeRuleTable } from "./rule-table";
import { strictServices } from "./services";

describe("the rules of the services", () => {
  const rules = [...strictServices].flatMap(([name, service]) => service.rules.map((rule) => ({ name, rule })));

  it("have names of their own, which begin with that of their service", () => {
    for (const { name, rule } of rules) expect(rule.id.startsWith(`${name}/`), rule.id).toBe(true);
    expect(new Set(rules.map(({ rule }) => rule.id)).size).toBe(rules.length);
  });

  it("are printed in the docs; write the page anew with `vitest --update` after a change", async () => {
    await expect(writeRuleTable()).toMatchFileSnapshot("../../../../../app/docs/_content/provider-rules.md");
  });
});
