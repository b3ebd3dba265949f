import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importFlow } from "./import-flow";

describe("hostile Python", () => {
  const lines = [
    ..."a = Agent(name='a')|b = Agent(a)|x = []|x.append(x)|x += [a]|x[0] = a|x, y = y, x|d = {'a': x, 1: d}|d['a'].z = x".split(
      "|",
    ),
    ..."a.handoffs['b'] = b|a.handoffs.update(d)|a.tools = x|s = Swarm(agents=x, flow=a >> (b | x))|return a|yield x".split(
      "|",
    ),
    ..."if a:|else:|try:|except E as x:|for x in d:|while x:|with x as a:|match x:|case A(b) | [*x]:|def f(x, *a, b=x, **d):".split(
      "|",
    ),
    ..."class A(Agent):|f(x, *x, **d)|f = f|global x, a|del x|import a as b, c|from q import (Agent as f)|@f|async def x():".split(
      "|",
    ),
    ...[
      "x = f'{x!r}' f'{a}' 'b'",
      "n = SwarmNode(swarm=s, name=x)",
      "x = lambda a: Agent()",
      "x = (x := [x for x in x])",
      "g = ParallelGroup(name='g', agents=[g, *x])",
    ],
  ];

  it("property: a text with any statements in any order is read, and never throws", () => {
    const anyLine = fc.tuple(fc.nat(3), fc.constantFrom(...lines)).map(([depth, line]) => " ".repeat(depth) + line);
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 25 }), (written) => {
        const { source, problems } = importFlow(written.join("\n"), "python");
        expect(source !== "" || problems.some(({ severity }) => severity === "error")).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  const doubled = Array.from({ length: 60 }, (_, i) => `x${i + 1} = x${i} + x${i}`).join("\n");
  const calling = Array.from({ length: 60 }, (_, i) => `def f${i + 1}():\n    f${i}()\n    f${i}()\n`).join("\n");
  const nested = (line: (margin: string) => string, depth: number): string =>
    Array.from({ length: depth }, (_, i) => line(" ".repeat(i))).join("");

  it.each<[what: string, text: string]>([
    ["a text that doubles", `x0 = "ab"\n${doubled}\na = Agent(name="a", instructions=x60)`],
    ["a list that doubles", `x0 = [1, 2]\n${doubled}\na = Agent(name="a", tools=x60)`],
    ["a list that holds itself", `x = []\nx.append(x)\nx.extend(x)\ns = Swarm(agents=x)\na = Agent(name="a", tools=x)`],
    ["functions that call each other twice", `def f0():\n    return Agent(name="a")\n${calling}\nf60()`],
    ["a function that calls itself", `def f():\n    a = Agent(name="a")\n    return f()\nf()`],
    ["deep blocks", `${nested((margin) => `${margin}if x:\n`, 600)}${" ".repeat(600)}a = Agent(name="a")`],
    ["deep functions", `${nested((margin) => `${margin}def f():\n`, 600)}${" ".repeat(600)}a = Agent(name="a")`],
    ["a long chain of members", `a = Agent(name="a", model=x${".y".repeat(200_000)})`],
    ["a long chain of calls", `a = Agent(name="a", model=x${".y()".repeat(100_000)})`],
    [
      "many functions in a chain",
      `${Array.from({ length: 8000 }, (_, i) => `def f${i}(): f${i + 1}()`).join("\n")}\ndef f8000(): Agent(name="a")`,
    ],
    ["spaces to be stripped", `a = Agent(name="a", instructions="${" ".repeat(400_000)}x".strip())`],
    [
      "names of prototypes",
      `__proto__ = Agent(name="__proto__")\nconstructor = {"__proto__": __proto__}\ns = Swarm(agents=constructor)`,
    ],
  ])("%s is read in little time and memory, and nothing throws", (_, text) => {
    const imported = importFlow(text, "python");
    expect(imported.source === "" || imported.source.length < 3_000_000).toBe(true);
  });
});
