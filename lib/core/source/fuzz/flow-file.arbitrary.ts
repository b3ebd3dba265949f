import fc from "fast-check";
import { type WrittenFile, writeYaml } from "./write-yaml.arbitrary";
import { toTree, type YamlTree } from "./yaml-tree.arbitrary";

const names = ["a", "b", "c", "d", "e", "my agent", "é", "x_1", "k: v", "12", "#h", "true"];
const bare = (name: string): string => (/^[\w é]+$/.test(name) ? name : JSON.stringify(name));

const anyText = fc.constantFrom(
  "Go.",
  "Do: this",
  "two\nlines",
  "two\nlines\n",
  "it's #1",
  "",
  "a\n\n  b\n",
  "- x",
  `\${vars.tone}`,
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

const anyAgent = fc.record({
  model: maybe(fc.constantFrom("demo:x", "demo:y", "openai:gpt-5")),
  instructions: maybe(anyText),
  tools: maybe(fc.constantFrom(["calculator"], ["calculator", "read_page"])),
  tool_calls: maybe(fc.constantFrom("sequential", "parallel")),
  max_steps: maybe(fc.integer({ min: 1, max: 9 })),
  on_limit: maybe(fc.constantFrom("answer", "fail")),
  output_schema: maybe(fc.constant({ type: "object", properties: { t: { type: "string" } } })),
  /** How its fields are written: `alias` repeats the first agent. */
  form: fc.constantFrom("fields", "fields", "fields", "nothing", "alias"),
  nameFirst: fc.integer({ min: 0, max: 2 }).map((n) => n === 0),
});
type AnyAgent = typeof anyAgent extends fc.Arbitrary<infer T> ? T : never;

/** The members of the root swarm, or of a nested one. */
const anyMembers = fc.constantFrom(
  "serial",
  "parallel",
  "lines",
  "draft",
  "handoff",
  "handoff-text",
  "team",
  "implied",
  "blank",
  "order",
);

const anyModel = fc.record({
  count: fc.integer({ min: 2, max: 5 }),
  shift: fc.nat(names.length),
  agents: fc.array(anyAgent, { minLength: 5, maxLength: 5 }),
  isListed: fc.boolean(),
  hasName: fc.boolean(),
  description: maybe(fc.constantFrom("What it does.", "Two\nlines.\n")),
  vars: maybe(
    fc.constantFrom<Record<string, string | number | null>>(
      { tone: "kind", n: 3 },
      { tone: null, n: 3 },
      { n: 3 },
      { 2: "two", 1: "one" },
    ),
  ),
  limits: maybe(fc.constantFrom({ max_tokens: 1000 }, { max_seconds: 60, max_cost: 2 })),
  note: maybe(fc.constant({ owner: "ann", tags: ["x", "y"] })),
  group: maybe(fc.constantFrom("parallel", "serial")),
  nested: maybe(anyMembers),
  control: maybe(fc.constantFrom("branch", "loop", "router", "approval")),
  root: anyMembers,
  /** What is there twice; the first one counts. */
  twice: fc.constantFrom("nothing", "nothing", "nothing", "agent", "field", "setting"),
});
type AnyModel = typeof anyModel extends fc.Arbitrary<infer T> ? T : never;

const toEntries = (fields: Record<string, unknown>): (readonly [string, YamlTree])[] =>
  Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, toTree(value)] as const]));
const map = (fields: Record<string, unknown>): YamlTree => ({ type: "map", entries: toEntries(fields) });

function toFields({ form: _, nameFirst: __, ...fields }: AnyAgent): (readonly [string, YamlTree])[] {
  return toEntries(fields);
}

function toAgents(model: AnyModel, agentNames: readonly string[]): YamlTree {
  const isShared = model.agents.some(({ form }, index) => form === "alias" && index > 0 && index < model.count);
  const trees = agentNames.map((name, index): readonly [string, YamlTree] => {
    const agent = model.agents[index];
    if (!agent) return [name, { type: "nothing" }];
    const fields = toFields(agent);
    // What an alias repeats with an error in it is not written out.
    const entries = model.twice === "field" && !isShared ? withTwin(fields) : fields;
    if (model.isListed) {
      const ownName = ["name", toTree(name)] as const;
      return [name, { type: "map", entries: agent.nameFirst ? [ownName, ...entries] : [...entries, ownName] }];
    }
    if (index === 0 && isShared)
      return [
        name,
        { type: "map", entries: entries.length > 0 ? entries : toEntries({ model: "demo:z" }), anchor: "first" },
      ];
    if (agent.form === "alias" && index > 0) return [name, { type: "alias", anchor: "first" }];
    return [name, agent.form === "nothing" || entries.length === 0 ? { type: "nothing" } : { type: "map", entries }];
  });
  if (model.isListed) return { type: "list", items: trees.map(([, tree]) => tree) };
  const twice: (readonly [string, YamlTree])[] =
    model.twice === "agent" ? agentNames.map((name) => [name, map({ model: "demo:twice" })]) : [];
  return { type: "map", entries: [...trees, ...twice] };
}

/** With the first entry once more at the end, with another value. */
function withTwin(entries: readonly (readonly [string, YamlTree])[]): (readonly [string, YamlTree])[] {
  const [first] = entries;
  if (!first) return [];
  const twins: Readonly<Record<string, unknown>> = { max_steps: 8, output_schema: { type: "string" }, tools: ["now"] };
  return [...entries, [first[0], toTree(twins[first[0]] ?? "twin")]];
}

/** A section of settings, with a twin of its first entry where settings are there twice. */
function toSettings(twice: AnyModel["twice"], fields: Record<string, unknown>): YamlTree {
  const entries = toEntries(fields);
  const [first] = entries;
  const hasTwin = first !== undefined && twice === "setting";
  return { type: "map", entries: hasTwin ? [...entries, [first[0], toTree(5)]] : entries };
}

/** The fields of a swarm with these members. */
function toSwarm(form: string, members: readonly string[]): YamlTree {
  const [a = "a", b = "b", c = b] = members;
  const texts = members.map(bare);
  const flow = (value: string): readonly [string, YamlTree] => ["flow", { type: "members", value }];
  const pairs = members.slice(1).map((name, index) => [members[index], name]);
  switch (form) {
    case "serial":
      return { type: "map", entries: [flow(texts.join(" >> ")), ["separator", toTree("-")]] };
    case "parallel":
      return { type: "map", entries: [["type", toTree("workflow")], flow(`(${texts.join(" | ")})`)] };
    case "lines":
      return { type: "map", entries: [flow(`${texts.join(" >>\n")}\n`)] };
    case "draft":
      return { type: "map", entries: toEntries({ type: "workflow", edges: pairs, agents: [a] }) };
    case "handoff":
      return {
        type: "map",
        entries: toEntries({
          type: "handoff",
          agents: members,
          edges: [...pairs, [c, a]].filter(([from, to]) => from !== to),
          max_handoffs: 4,
        }),
      };
    case "handoff-text":
      return { type: "map", entries: [["type", toTree("handoff")], flow(texts.join(" >> "))] };
    case "team":
      return { type: "map", entries: toEntries({ type: "team", agents: members }) };
    case "order":
      return { type: "map", entries: toEntries({ order: members }) };
    case "implied":
      return { type: "map", entries: toEntries({ type: "workflow", separator: "+" }) };
    default:
      return { type: "nothing" };
  }
}

const entries = (...list: (readonly [string, YamlTree])[]): YamlTree => ({ type: "map", entries: list });

function toControl(control: string, [x = "a", y = "b"]: readonly string[]): readonly [string, YamlTree] {
  const lane = (value: string): YamlTree => ({ type: "members", value: bare(value) });
  if (control === "branch") {
    const fields = entries(["condition", toTree('contains(input, "x")')], ["if_true", lane(x)]);
    return ["branches", entries(["if", fields])];
  }
  if (control === "loop") return ["loops", entries(["again", entries(["body", lane(x)], ["count", toTree(2)])])];
  if (control === "approval") return ["approvals", entries(["ok", entries(["message", toTree("Go?")])])];
  const lanes = entries(["2", entries(["when", toTree("x")], ["flow", lane(x)])], ["1", lane(y)]);
  return ["routers", entries(["desk", entries(["instructions", toTree("Choose.")], ["lanes", lanes])])];
}

function toFile(model: AnyModel): Extract<YamlTree, { type: "map" }> {
  const agentNames = names.map((_, index) => names[(index + model.shift) % names.length] ?? "").slice(0, model.count);
  const members = agentNames.slice(0, Math.max(2, model.count - 2));
  const inner = [...agentNames].reverse().slice(0, 2);
  const controlEntry = model.control && toControl(model.control, inner);
  const controlName = controlEntry?.[1].type === "map" ? controlEntry[1].entries[0]?.[0] : undefined;
  const all = [...members, ...(model.group ? ["grp"] : []), ...(controlName !== undefined ? [controlName] : [])];
  const isRootMissing = model.root === "blank";
  return {
    type: "map",
    entries: [
      ...toEntries({
        name: model.hasName ? "Desk" : undefined,
        description: model.description,
      }),
      ...(model.vars ? [["vars", toSettings(model.twice, model.vars)] as const] : []),
      ...(model.limits ? [["limits", toSettings(model.twice, model.limits)] as const] : []),
      ...toEntries({ "x-note": model.note }),
      ["agents", toAgents(model, agentNames)],
      ...(model.group
        ? [
            [
              "groups",
              {
                type: "map",
                entries: [
                  [
                    "grp",
                    {
                      type: "map",
                      entries: [
                        ["type", toTree(model.group)],
                        [
                          "flow",
                          { type: "members", value: inner.map(bare).join(model.group === "parallel" ? " | " : " >> ") },
                        ],
                      ],
                    },
                  ],
                ],
              },
            ] as const,
          ]
        : []),
      ...(model.nested ? [["swarms", { type: "map", entries: [["sub", toSwarm(model.nested, inner)]] }] as const] : []),
      ...(controlEntry ? [controlEntry] : []),
      ...(isRootMissing ? [] : [["swarm", toSwarm(model.root, all)] as const]),
    ],
  };
}

/** Random flow files in every style of YAML: for each, its text and where its comments belong. */
export const anyFlowFile: fc.Arbitrary<WrittenFile> = fc
  .tuple(anyModel, fc.array(fc.nat(99), { minLength: 1, maxLength: 40 }))
  .map(([model, numbers]) => writeYaml(toFile(model), numbers));
