import { describe, expect, it } from "vitest";
import { readSource } from "../../read-source";
import { importFlow } from "./import-flow";
import { lossesOf } from "./imported";

const read = (text: string) => {
  const imported = importFlow(text, "python");
  return { imported, flow: readSource(imported.source).flow, lost: lossesOf(imported).map(({ message }) => message) };
};
const instructionsOf = (expression: string, before = ""): string | undefined =>
  read(`${before}\na = Agent(name="a", instructions=${expression})\n`).flow.agents.get("a")?.instructions;
const agentsOf = (text: string): string[] => [...read(text).flow.agents.keys()];

describe("instructions of an agent of Orbiter", () => {
  it.each<[what: string, expression: string, text: string]>([
    ["texts next to each other", `("You plan. " 'Be brief.\\n'\n    "End.")`, "You plan. Be brief.\nEnd."],
    ["texts joined with +", `"You plan. " + ("Be brief." + " End.")`, "You plan. Be brief. End."],
    ["an f-string without expressions", `f"Answer {{}} as JSON.\\n" "Now."`, "Answer {} as JSON.\nNow."],
    ["a raw f-string", `rf"\\d{{2}}"`, "\\d{2}"],
    ["textwrap.dedent", `textwrap.dedent("""\\\n    You plan.\n\n      Well.\n    """)`, "You plan.\n\n  Well.\n"],
    ["dedent and strip", `dedent("""\n    You plan.\n    """).strip()`, "You plan."],
    ["join of a list", `"\\n".join(["You plan.", "Be brief."])`, "You plan.\nBe brief."],
  ])("are read from %s", (_, expression, text) => {
    expect(instructionsOf(expression)).toBe(text);
    expect(read(`a = Agent(name="a", instructions=${expression})`).lost).toEqual([]);
  });

  it.each<[what: string, before: string, expression: string, text: string]>([
    ["a constant", `PROMPT = "You plan."`, "PROMPT", "You plan."],
    ["constants that are joined", `ROLE: str = "plan"\nN = 3`, `f"You {ROLE} " + f"{N} things."`, "You plan 3 things."],
    ["a constant that is extended", `P = "You plan."\nP += " Well."`, "P", "You plan. Well."],
    ["a mapping of constants", `P = {"a": "You plan.", "b": "You write."}`, `P["a"]`, "You plan."],
    ["several names at once", `P, Q = "You plan.", "You write."`, "P", "You plan."],
    ["a function that returns a text", `def p(role: str) -> str:\n    return "You " + role`, `p("plan.")`, "You plan."],
    ["lines that are collected", `L = ["You plan."]\nL.append("Well.")`, `"\\n".join(L)`, "You plan.\nWell."],
  ])("are read through %s", (_, before, expression, text) => {
    expect(instructionsOf(expression, before)).toBe(text);
    expect(read(`${before}\na = Agent(name="a", instructions=${expression})`).lost).toEqual([]);
  });

  it.each<[what: string, before: string, expression: string]>([
    ["a formatted value", `N = 3`, `f"{N:>4} things"`],
    ["a call", ``, `load("plan.txt")`],
    ["a function", `def p(name):\n    return "You plan."`, `p`],
    ["a condition", ``, `"a" if fast else "b"`],
    ["a method that is not known", ``, `"You %s.".replace("%s", "plan")`],
    ["a named character", ``, `"\\N{BULLET} plan"`],
    ["a name that a condition changes", `P = "a"\nif fast:\n    P = "b"`, `P`],
    ["a name that a loop changes", `P = ""\nfor x in xs:\n    P += x`, `P`],
    ["a list that a loop changes", `L = ["a"]\nfor x in xs:\n    L.append(x)`, `"".join(L)`],
    ["a function with two ways out", `def p():\n    if fast:\n        return "a"\n    return "b"`, `p()`],
    ["a generator", `def p():\n    yield "a"`, `p()`],
    ["a look-up of Swarmloom's own", ``, `"Today is \${date}."`],
  ])("that come from %s are reported as lost", (_, before, expression) => {
    const { lost } = read(`${before}\na = Agent(name="a", instructions=${expression})\n`);
    expect(lost.join("\n")).toMatch(/instructions of "a"/);
  });
});

describe("agents of Orbiter in functions", () => {
  const desk = `triage = Agent(name="triage")\n    billing = Agent(name="billing")\n    desk = Swarm(agents=[triage, billing], mode="team")`;

  it.each<[what: string, text: string]>([
    ["main", `def main():\n    ${desk}\n    print(run.sync(desk, "Hi"))\n\nif __name__ == "__main__":\n    main()\n`],
    ["an async main", `async def main() -> None:\n    ${desk}\n    await run(desk, "Hi")\n\nasyncio.run(main())\n`],
    ["a main block", `if __name__ == '__main__':\n    ${desk}\n`],
    ["a factory", `def build() -> Swarm:\n    ${desk}\n    return desk\n\nswarm = build()\n`],
    ["a factory that another file calls", `def create_agent():\n    ${desk}\n    return desk\n`],
    ["a method call of the module", `@cache\ndef build():\n    ${desk}\n    return desk\n\nrun.sync(build(), "Hi")\n`],
    [
      "a with block",
      `async def main():\n    async with client() as c:\n        ${desk.replaceAll("\n", "\n    ")}\n\nmain()\n`,
    ],
    ["a try block", `try:\n    ${desk}\nexcept ValueError as error:\n    print(error)\n`],
  ])("are read from %s", (_, text) => {
    const { flow, lost } = read(text);
    expect([flow.swarm.mode, flow.swarm.agents, lost]).toEqual(["team", ["triage", "billing"], []]);
  });

  it("are read once for every call, with its arguments", () => {
    const { flow, lost } = read(`MODEL = "openai:gpt-5"
def make(name, /, prompt="You help.", *, steps: int = 4, **rest) -> Agent:
    return Agent(name=name, model=MODEL, instructions=prompt, max_steps=steps, **rest)

both = [make("one"), make("two", "You check.", steps=2, temperature=0.5)]
swarm = Swarm(agents=both + [make(name="three")], flow="one >> two")
`);
    expect([...flow.agents.values()]).toMatchObject([
      { name: "one", model: "openai:gpt-5", instructions: "You help.", max_steps: 4 },
      { name: "two", instructions: "You check.", max_steps: 2, temperature: 0.5 },
      { name: "three" },
    ]);
    expect(lost).toEqual([]);
  });

  it("lose what depends on arguments that are not known", () => {
    const { flow, lost } = read(`def build(model: str, steps: int = 5):
    return Agent(name="a", model=model, max_steps=steps)

build(parser.parse_args().model)
`);
    expect([flow.agents.get("a")?.max_steps, lost]).toEqual([5, ['argument model of "a"']]);
  });

  it.each<[what: string, text: string, message: RegExp]>([
    ["in a loop", `for name in names:\n    Agent(name="a")\n`, /made in a loop/],
    ["under a condition", `if fast:\n    a = Agent(name="a")\nelse:\n    a = Agent(name="b")\n`, /under a condition/],
    ["in the head of a loop", `for agent in [Agent(name="a"), Agent(name="b")]:\n    run(agent)\n`, /in a loop/],
    ["of a generator", `def all():\n    yield Agent(name="a")\n\ns = Swarm(agents=all())\n`, /a member of a swarm/],
    [
      "in a class",
      `class App:\n    def __init__(self):\n        self.a = Agent(name="b")\n\na = Agent(name="a")\n`,
      /The class `App`/,
    ],
    [
      "of a class of their own",
      `class Desk(Agent):\n    pass\n\na = Agent(name="a")\nd = Desk(name="d")\n`,
      /the class Desk/,
    ],
    [
      "in a function that nothing calls",
      `def other():\n    return Agent(name="b")\n\na = Agent(name="a")\n`,
      /nothing here calls/,
    ],
    ["without a swarm", `a = Agent(name="a")\nb = Agent(name="b")\n`, /There is no Swarm/],
    [
      "in two swarms",
      `a = Agent(name="a")\nSwarm(agents=[a])\nSwarm(agents=[a], mode="handoff")\n`,
      /There are 2 swarms/,
    ],
  ])("%s are read as far as they can be, and that is reported", (_, text, message) => {
    const { flow, lost } = read(text);
    expect(lost.join("\n")).toMatch(message);
    expect(flow.agents.has("a")).toBe(true);
  });
});

describe("members of a swarm of Orbiter", () => {
  it.each<[what: string, agents: string]>([
    ["a list comprehension", `[Agent(name=n) for n in NAMES]`],
    ["a generator", `list(Agent(name=n) for n in NAMES)`],
    ["a call", `load_agents("x.yaml")`],
    ["a spread of something unknown", `[*others]`],
    ["a condition", `[a] if fast else [a, b]`],
    ["a list that a condition changes", `late`],
  ])("that come from %s are a loss, not an empty swarm without a word", (_, agents) => {
    const before = `a = Agent(name="a")\nlate = [a]\nif fast:\n    late.append(other)\n`;
    expect(read(`${before}s = Swarm(agents=${agents}, flow="a")\n`).lost).not.toEqual([]);
  });

  it("are read through lists that are joined, spread and extended", () => {
    const text = `a, b, c, d = Agent(), Agent(), Agent(), Agent()
workers = [b]
workers.append(c)
everybody = {"d": d}
s = Swarm(agents=[a, *workers] + list(everybody.values()), mode="team")
`;
    const { flow, lost } = read(text);
    expect([flow.swarm.agents, lost]).toEqual([["a", "b", "c", "d"], []]);
  });

  it("may be handed to by name, also those that the flow does not name", () => {
    const text = `a = Agent(name="a", handoffs=[Agent(name="b")])
b = Agent(name="b")
c = Agent(name="c")
b.handoffs["c"] = c
c.handoffs.update({"a": a})
s = Swarm(agents=[c, b, a], mode="handoff", flow="a")
`;
    const { flow } = read(text);
    expect(flow.swarm.agents).toEqual(["a", "c", "b"]);
    expect(flow.swarm.edges).toEqual(
      expect.arrayContaining([
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ]),
    );
  });

  it.each<[what: string, line: string]>([
    ["a change of a swarm", `s.mode = "team"`],
    ["a change of the tools", `a.tools["x"] = y`],
    ["a call that changes", `a.hook_manager.add(1, print)`],
    ["a change under a condition", `if fast:\n    a.instructions = "x"`],
    ["a positional argument", `Agent("b")`],
    ["an unknown mapping of arguments", `Agent(**settings)`],
    ["an unknown limit", `Swarm(agents=[a], mode="handoff", max_handoffs=limit)`],
    ["an unknown flow", `Swarm(agents=[a], flow=plan())`],
    ["an unknown mode", `Swarm(agents=[a], mode="debate")`],
    ["an aggregate function", `ParallelGroup(name="g", agents=[a], aggregate_fn=join)`],
    ["memory", `Agent(name="b", memory=ShortTermMemory())`],
    ["tools that are not known", `Agent(name="b", tools=await load_tools(client))`],
    ["a tool of another module", `from desk import look_up\nAgent(name="b", tools=[look_up])`],
  ])("%s is reported as lost", (_, line) => {
    expect(read(`a = Agent(name="a")\ns = Swarm(agents=[a])\n${line}\n`).lost).not.toEqual([]);
  });

  it("stay as they are after what changes nothing", () => {
    const text = `import logging
a = Agent(name="a", hooks=[], memory=None)
s = Swarm(agents=[a], flow=None)
logging.basicConfig(level=logging.INFO)
a.max_steps = 3
print(s.describe(), [x.name for x in s.agents.values()])
for event in events:
    print(event)
    seen = event
server = Server(executor=Executor(a))
`;
    const { flow, lost } = read(text);
    expect([flow.agents.get("a")?.max_steps, lost]).toEqual([3, []]);
  });
});

describe("tools of an agent of Orbiter", () => {
  it("HumanInputTool becomes ask_human", () => {
    const { flow, lost, imported } = read(
      `from orbiter.human import HumanInputTool as Ask\nask = Ask()\na = Agent(name="a", tools=[ask, human.HumanInputTool(handler=Web())])\n`,
    );
    expect([flow.agents.get("a")?.tools, lost]).toEqual([["ask_human"], []]);
    expect(imported.problems.map(({ severity }) => severity)).toEqual(["info", "info"]);
    expect(read(`a = Agent(name="a", tools=[HumanInputTool(timeout=30)])`).lost).toHaveLength(1);
  });

  it("keep their names, and their code is lost: once, where it is", () => {
    const text = `@tool
def look_up(order: str) -> str:
    return "sent"

class Greet(Tool):
    name = "greet"

add = FunctionTool(look_up, name="adder")
a = Agent(name="a", tools=[look_up, Greet()])
b = Agent(name="b", tools=[add, look_up])
s = Swarm(agents=[a, b])
`;
    const { flow, lost } = read(text);
    expect([...flow.agents.values()].map(({ tools }) => tools)).toEqual([
      ["look_up", "Greet"],
      ["adder", "look_up"],
    ]);
    expect(lost).toEqual(["function look_up", "class Greet"]);
  });
});

it("a tool keeps the name that its decorator gives it", () => {
  const text = `@tool(name="find_it", description="d")
async def search(q: str) -> str:
    return q

@orbiter.tool(description="x")
def other():
    pass

@retry(name="no")
@tool(name=f"{prefix}_x")
def third():
    pass

a = Agent(name="a", tools=[search, other, third])
s = Swarm(agents=[a])
`;
  expect(read(text).flow.agents.get("a")?.tools).toEqual(["find_it", "other", "third"]);
});

describe("statements of Python that mean nothing for a flow", () => {
  it("of match are valid, also in functions and with patterns of every kind", () => {
    const text = `a = Agent(name="a")
async def main():
    async for event in stream():
        match event:
            case Text() | Error():
                print(event)
            case Step(status="done", agent=name) if name == "a":
                pass
            case {"kind": kind, **rest}:
                print(kind)
            case [first, *others] | (first, others):
                print(first)
            case -1 | None | "x" | Kind.done:
                pass
            case _:
                pass
`;
    const { imported, lost } = read(text);
    expect([imported.problems, lost]).toEqual([[], []]);
  });

  it("of match that make agents are no less than a loss", () => {
    const text = `match kind:\n    case Desk():\n        a = Agent(name="a")\n    case _:\n        a = Agent(name="b")\n`;
    expect(agentsOf(text)).toEqual(["a", "b"]);
    expect(read(text).lost.join("\n")).toMatch(/under a condition/);
  });

  it("of other syntax that is not valid stay a loss", () => {
    expect(read(`a = Agent(name="a")\nif x print(1)\n`).lost).not.toEqual([]);
  });
});
