import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCodePoint } from "../../../flow/code-point.arbitrary";
import { readSource } from "../../read-source";
import { importFormats } from "../format-names";
import { importFlow } from "./import-flow";
import { importLimits } from "./imported";

const python = `"""Support desk"""
import os
from orbiter import Agent as A, Swarm, SwarmNode, ParallelGroup

MODEL = "openai:gpt-4o-mini"
provider = OpenAIProvider(api_key="sk-live-1234567890abcdef")

@tool
async def search(query: str) -> str:
    return os.popen(query).read()

triage = A(name="triage", model=MODEL, instructions="Hand over.\\n" 'Be kind.')
billing: A = A(name="billing", tools=[search, "calculator"], temperature=0.2, hooks=[(1, print)])
tech = A(name="tech", instructions=f"Today is {os.environ['X']}", max_steps=0)
triage.handoffs["billing"] = billing
desk = Swarm(agents=[triage, billing, tech], mode="handoff", max_handoffs=4)
both = ParallelGroup(name="both", agents=[A(name="x"), A(name="y")], separator=" / ")
swarm = Swarm(
    agents=[A(name="intro"), SwarmNode(swarm=desk, name="desk"), both],
    flow="intro >> desk >> both",
)
for i in range(3):
    exec("print(1)")
`;

describe("python", () => {
  const { source, problems, quarantined } = importFlow(python);
  const { flow } = readSource(source);

  it("reads constructors, variables and handoffs", () => {
    expect([flow.name, flow.compat]).toEqual(["Support desk", "orbiter"]);
    expect([...flow.agents.keys()]).toEqual(["triage", "billing", "tech", "x", "y", "intro"]);
    expect(flow.agents.get("triage")).toMatchObject({
      model: "openai:gpt-4o-mini",
      instructions: "Hand over.\nBe kind.",
    });
    expect(flow.agents.get("billing")).toMatchObject({ tools: ["search", "calculator"], temperature: 0.2 });
    expect(flow.swarms.get("desk")).toMatchObject({
      mode: "handoff",
      agents: ["triage", "billing", "tech"],
      edges: [["triage", "billing"]],
      max_handoffs: 4,
    });
    expect(flow.groups.get("both")?.separator).toBe(" / ");
    expect(source).toContain("flow: intro >> desk >> both");
  });

  it("keeps everything else as a comment without keys", () => {
    expect(quarantined.map(({ description: what }) => what)).toEqual([
      "import os",
      "assignment to provider",
      "function search",
      'argument hooks of "billing"',
      'argument instructions of "tech"',
      "loop",
    ]);
    const kept = source.slice(source.indexOf("# Kept"));
    expect(kept).toContain("#       return os.popen(query).read()");
    expect(kept.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
    expect(source).not.toContain("sk-live");
    for (const { range } of quarantined) expect(python.slice(range?.from, range?.to).length).toBeGreaterThan(3);
  });

  it("tells of values that Swarmloom does not take", () => {
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([["invalid-value", "warning"]]);
    expect(flow.agents.get("tech")?.max_steps).toBe(10);
  });

  it.each<[string, string, string]>([
    ["operators instead of a text", `flow=a >> (b | c)`, "flow: a >> (b | c)"],
    ["a flow without an order", "mode='workflow'", "flow: a >> b >> c"],
    ["Orbiter's own way to cut a line", `flow="a>>(c|b)"`, "flow: a >> (c | b)"],
    ["a team in the order of its flow", `mode="team", flow="b >> a"`, "agents: [b, a]"],
  ])("reads %s", (_, argument, line) => {
    const text = `a = Agent(name="a")\nb = Agent(name="b")\nc = orbiter.Agent(name="c")\ns = Swarm(agents=[a, b, c], ${argument})\n`;
    expect(importFlow(text).source).toContain(line);
  });

  it("marks a line of names side by side, which are an order in Orbiter", () => {
    const text = (flowText: string): string =>
      importFlow(`a = Agent(name="a")\nb = Agent(name="b")\ns = Swarm(agents=[a, b], flow="${flowText}")`).source;
    expect(text("(a | b)")).toContain("compat: orbiter");
    expect(text("a >> b")).not.toContain("compat");
  });

  it("keeps groups that run at once apart from lines that are an order", () => {
    const groups = (flowText: string): string =>
      importFlow(
        `a = Agent(name="a")\nb = Agent(name="b")\nc = Agent(name="c")\ng = ParallelGroup(name="a + b", agents=[a, b])\ns = Swarm(agents=[g, c, d], flow="${flowText}")`,
      ).source;
    expect(groups("a + b >> c")).toContain("flow: (a | b) >> c");
    expect(groups("a + b >> c")).not.toContain("compat");
    expect(groups("(a + b | c)")).toContain("flow: (a + b | c)");
    expect(groups("(a + b | c)")).toContain("compat: orbiter");
  });

  it("lets agents with tools, and leads, hand their last text on at max_steps", () => {
    const made = importFlow(
      `a = Agent(name="a", tools=[calculator])\nl = Agent(name="l")\nw = Agent(name="w")\nt = Swarm(agents=[l, w], mode="team")\ns = Swarm(agents=[a, SwarmNode(swarm=t, name="t")], flow="a >> t")`,
    );
    const { agents, compat } = readSource(made.source).flow;
    expect(compat).toBeUndefined();
    expect([...agents.values()].map(({ name, on_limit }) => [name, on_limit])).toEqual(
      expect.arrayContaining([
        ["a", "answer"],
        ["l", "answer"],
        ["w", undefined],
      ]),
    );
  });

  it("gives equal names of different agents names of their own", () => {
    const made = importFlow(
      `i = Swarm(agents=[Agent(name="a", instructions="one")], flow="a")\no = Swarm(agents=[SwarmNode(swarm=i, name="in"), Agent(name="a", instructions="two")], flow="in >> a")`,
    );
    const read = readSource(made.source).flow;
    expect([...read.agents.values()].map(({ name, instructions }) => [name, instructions])).toEqual([
      ["a", "one"],
      ["a 2", "two"],
    ]);
    expect(made.source).toContain("flow: in >> a 2");
  });

  it("names what was expected when none of it is found", () => {
    const made = importFlow("import os\nos.system('x')\n", "python");
    expect([made.source, made.problems[0]?.code]).toEqual(["", "no-agents"]);
    expect(made.problems[0]?.message).toContain('Agent(name="writer")');
  });
});

describe("orbiter files", () => {
  it("stay as they are, and are marked where they mean something else here", () => {
    const text =
      '# mine\nagents:\n  a: { model: "m:x", system_prompt: "Hi" }\n  b: { type: custom }\nswarm: { flow: "(a | b)" }\n';
    const made = importFlow(text);
    expect([made.format, made.source]).toEqual(["orbiter-yaml", text.replace("agents:", "compat: orbiter\nagents:")]);
    expect(made.quarantined.map(({ description: what, text: kept }) => [what, kept])).toEqual([
      ["the key type", "type: custom"],
    ]);
  });

  it.each([
    ["of an agent with tools", "agents:\n  a: { system_prompt: Hi, tools: [calculator] }\nswarm: { flow: a }\n"],
    ["of a team", "agents:\n  a: { system_prompt: Hi }\n  b: {}\nswarm: { type: team, order: [a, b] }\n"],
  ])("%s hand the last text on at max_steps", (_, text) => {
    expect(importFlow(text, "orbiter-yaml").source).toBe(`compat: orbiter\n${text}`);
  });

  it("read a line that only Orbiter takes as it is", () => {
    const made = importFlow('agents:\n  "a # b": {}\n  c, d: {}\nswarm:\n  flow: "a # b >> c, d"\n', "orbiter-yaml");
    expect(readSource(made.source).flow.swarm.flow).toMatchObject({ members: [{ name: "a # b" }, { name: "c, d" }] });
    expect(readSource(made.source).problems.map(({ code }) => code)).not.toContain("unknown-name");
  });

  it("of JSON are read, too, as are descriptions of swarms", () => {
    const yaml = importFlow('{"agents": {"a": {"system_prompt": "Hi"}}, "swarm": {"type": "handoff", "edges": []}}');
    expect(yaml.format).toBe("orbiter-json");
    expect(yaml.source).toContain("compat: orbiter");
    const described = importFlow(
      JSON.stringify({
        mode: "workflow",
        flow: "p >> (g | n)",
        flow_order: ["p", "g", "n"],
        extra: { a: 1 },
        agents: {
          p: {
            name: "p",
            model: "openai:gpt-4o",
            tools: ["calculator"],
            handoffs: [],
            max_steps: 4,
            output_type: null,
          },
          g: { type: "parallel", name: "g", agents: ["x", "y"] },
          n: {
            type: "nested_swarm",
            name: "n",
            inner: { mode: "team", flow: null, flow_order: ["l", "w"], agents: { l: {}, w: {} } },
          },
        },
      }),
    );
    const { flow } = readSource(described.source);
    expect([...flow.agents.keys()].toSorted()).toEqual(["l", "p", "w", "x", "y"]);
    expect(flow.agents.get("p")).toMatchObject({ max_steps: 4, tools: ["calculator"] });
    expect(flow.swarms.get("n")).toMatchObject({ mode: "team", agents: ["l", "w"] });
    expect(flow.compat).toBe("orbiter");
    expect(described.quarantined.map(({ text }) => text)).toEqual(['"extra": {"a":1}']);
  });
});

describe("json", () => {
  it("keeps unknown keys in the text, and reports them", () => {
    const made = importFlow(
      '{"agents": {"a": {"model": "demo:x", "mood": {"good": [1]}}}, "swarm": {"flow": "a"}, "x": 1}',
    );
    expect(made.source).toContain("    mood: { good: [1] }\n");
    expect(made.source).toContain("\nx: 1\n");
    expect(made.quarantined.map(({ description: what }) => what)).toEqual(["the key mood", "the key x"]);
  });

  it("reports repeated keys", () => {
    const text = '{"agents": {"a": {"model": "demo:x"}, "a": {}}, "swarm": {"flow": "a"}}';
    const [problem] = importFlow(text).problems;
    expect([problem?.severity, text.slice(problem?.range?.from, problem?.range?.to)]).toEqual(["warning", '"a"']);
  });

  it.each(["[1]", '"text"', "{", '{"agents": }', "null"])("refuses %s with what was expected", (text) => {
    const { source, problems } = importFlow(text, "json");
    expect(source).toBe("");
    expect(problems[0]?.severity).toBe("error");
  });
});

describe("a flow line", () => {
  it("makes agents with the given model, and keeps comments", () => {
    const made = importFlow("a >> (b | c) # why\n# parallel c: d | e\n", undefined, { model: "openai:gpt-5" });
    const { flow } = readSource(made.source);
    expect([...flow.agents.values()].map(({ name, model }) => `${name} ${model}`)).toEqual(
      ["a", "b", "d", "e"].map((name) => `${name} openai:gpt-5`),
    );
    expect(flow.groups.get("c")?.mode).toBe("parallel");
  });

  it("that is wrong tells where", () => {
    const made = importFlow("a >> (b", "dsl");
    expect([made.source, made.problems[0]?.code]).toEqual(["", "unbalanced-parenthesis"]);
  });
});

const pieces = [
  ..."a b >> | ( ) [ ] { } : , # \" ' \"\"\" ''' \\ \n \t = . @ & * ! ? - %".split(" "),
  ...[
    "agents:",
    "swarm:",
    "\n  ",
    "Agent(name=",
    "Swarm(",
    "agents=[",
    "flow=",
    "lambda: ",
    "__proto__",
    "constructor",
  ],
  ...[
    "name='x'",
    "1e999",
    "\\u0000",
    "&a ",
    "*a ",
    "<<: *a",
    "!!js/function ",
    "---\n",
    "\ud800",
    "\u2028",
    "😀",
    "f'{",
    "\r\n",
  ],
];

describe("hostile texts", () => {
  it("property: never throw, whatever they are taken for", () => {
    const anyText = fc.oneof(
      fc.string({ maxLength: 200, unit: anyCodePoint }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join("")),
      fc.json({ maxDepth: 4 }),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => new TextDecoder("latin1").decode(bytes)),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        for (const format of [undefined, ...importFormats]) {
          const { source, problems } = importFlow(text, format);
          if (source === "") expect(problems.some(({ severity }) => severity === "error")).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  const laughs = Array.from(
    { length: 12 },
    (_, i) => `a${i}: &a${i} [${i === 0 ? "lol" : Array(9).fill(`*a${i - 1}`)}]`,
  );
  it.each<[string, string]>([
    ["deep brackets", "[".repeat(400_000)],
    ["deep brackets that strings seem to close", '["]", '.repeat(100_000)],
    ["deep objects", '{"a":'.repeat(150_000)],
    ["deep parentheses", `x = ${"(".repeat(300_000)}`],
    ["deep calls", "Agent(".repeat(100_000)],
    ["deep lists on one line", "- ".repeat(300_000)],
    ["many lambdas", `x = ${"lambda: ".repeat(50_000)}1`],
    ["too long a text", "a >> ".repeat(importLimits.length / 4)],
    ["a binary file", `PK\u0003\u0004${"\0".repeat(1000)}`],
  ])("%s are refused at once", (_, text) => {
    for (const format of [undefined, ...importFormats]) {
      const { source, problems } = importFlow(text, format);
      expect(source).toBe("");
      expect(["too-deep", "too-large", "unsupported"]).toContain(problems[0]?.code);
    }
  });

  it("a bomb of aliases is not unfolded", () => {
    const { source } = importFlow(`${laughs.join("\n")}\nagents: { a: { output_schema: *a11 } }\nswarm: { flow: a }\n`);
    expect(source.length).toBeLessThan(2000);
    expect(readSource(source).flow.agents.get("a")?.output_schema).toBeUndefined();
  });

  it("names of prototypes are names like others", () => {
    const text =
      '{"agents": {"__proto__": {"model": "demo:x"}, "constructor": {}}, "swarm": {"flow": "__proto__ >> constructor"}}';
    const { flow } = readSource(importFlow(text).source);
    expect([...flow.agents.keys()]).toEqual(["__proto__", "constructor"]);
    expect(flow.agents.get("__proto__")?.model).toBe("demo:x");
    expect(Object.hasOwn(Object.prototype, "model")).toBe(false);
  });

  it("what is kept is bounded, and stays a comment", () => {
    const text = `a = Agent(name="a")\n${"print('x\u0085\u2028agents: {}')\n".repeat(5000)}`;
    const { source, quarantined } = importFlow(text);
    expect(quarantined).toHaveLength(importLimits.quarantined);
    expect(source.length).toBeLessThan(importLimits.commentLength + 30_000);
    expect(source).toContain("more of the imported text did not fit");
    expect([...readSource(source).flow.agents.keys()]).toEqual(["a"]);
  });
});

const files = `agents:
  a:
    model: "demo:x"
    max_steps: "5"
    temperature: '0.5'
    instructions: "7"
  b: { model: "demo:y" }
  c: { model: "demo:z" }
swarm:
  flow: a >> (b | c)
`;

it("warns of a file without a type whose names side by side may be an order", () => {
  const warningsOf = (text: string): string[] =>
    importFlow(text, "yaml").problems.flatMap(({ severity, message }) => (severity === "warning" ? [message] : []));
  expect(warningsOf(files)).toEqual([expect.stringContaining("import such a file as `orbiter-yaml`")]);
  expect(warningsOf(files.replace("swarm:", "swarm:\n  type: workflow"))).toEqual([]);
  expect(warningsOf(`compat: orbiter\n${files}`)).toEqual([]);
  expect(warningsOf(files.replace("(b | c)", "b >> c"))).toEqual([]);
});

it("reads the quoted numbers of a file for Orbiter", () => {
  const { source } = importFlow(files, "orbiter-yaml");
  const document = readSource(source);
  expect(document.flow.agents.get("a")).toMatchObject({ max_steps: 5, temperature: 0.5, instructions: "7" });
  expect(document.flow.compat).toBe("orbiter");
  expect(source).toContain("max_steps: 5\n    temperature: 0.5\n");
});
