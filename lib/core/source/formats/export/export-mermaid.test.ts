import { describe, expect, it } from "vitest";
import { readSource } from "../../read-source";
import { exportFlow } from "./export-flow";

describe("mermaid directives", () => {
  it.each([
    "%%{init: {'securityLevel': 'loose', 'theme': 'forest'}}%%",
    "%%{ wrap }%%",
    "x %% the rest is a comment",
    "--- title: x ---",
    "fa:fa-bomb",
    "$$\\\\frac{1}{2}$$",
    "`**bold**`",
    '"]:::danger @{ shape: circle }',
  ])("are none in a name or a lane: %j", (name) => {
    const text = JSON.stringify({
      agents: { [name]: { model: "demo:x" }, b: { model: "demo:x" } },
      routers: {
        r: { model: "demo:r", instructions: "", lanes: { [name]: { when: "", flow: "b" } } },
      },
      swarm: { flow: `${JSON.stringify(name)} >> r` },
    });
    const exported = exportFlow(readSource(text), "mermaid").text;
    expect(exported).not.toMatch(/%|\$\$|`|@\{|fa:fa-|^---/m);
    for (const label of exported.match(/"[^"]*"/g) ?? []) expect(label).not.toMatch(/[{}[\]<>|\\]/);
    const decoded = exported.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
    expect(decoded).toContain(name);
  });
});
