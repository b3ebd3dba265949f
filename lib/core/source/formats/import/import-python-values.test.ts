import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCodePoint } from "../../../flow/code-point.arbitrary";
import { readSource } from "../../read-source";
import { toPythonString, toPythonText } from "../python-text";
import { importFlow } from "./import-flow";
import { lossesOf } from "./imported";

const read = (text: string) => {
  const imported = importFlow(text, "python");
  return { flow: readSource(imported.source).flow, lost: lossesOf(imported).map(({ message }) => message), imported };
};
const agentOf = (text: string) => read(text).flow.agents.get("a");
const instructionsOf = (expression: string, before = "") =>
  agentOf(`${before}\na = Agent(name="a", instructions=${expression})\n`)?.instructions;
/** What the expression is as text; undefined: it is not known, which is reported. */
const textIn = (expression: string, before = "") => {
  const { flow, lost } = read(`${before}\na = Agent(name="a", instructions=${expression})\n`);
  const instructions = flow.agents.get("a")?.instructions;
  return lost.some((message) => message.includes('instructions of "a"')) ? undefined : instructions;
};

describe("string literals of Python", () => {
  it.each<[literal: string, text: string]>([
    [`'it\\'s'`, "it's"],
    [`"a\\tb\\\\c"`, "a\tb\\c"],
    [`"\\x41\\u00e9\\U0001F600\\101"`, "Aé😀A"],
    [`"\\q stays"`, "\\q stays"],
    [`"\\U00110000"`, "\\U00110000"],
    [`"one \\\nline"`, "one line"],
    [`r"\\n \\d"`, "\\n \\d"],
    [`R'\\\\'`, "\\\\"],
    [`u"plain"`, "plain"],
    [`'''three "quotes" '''`, 'three "quotes" '],
    [`"""first\r\nsecond\rthird"""`, "first\nsecond\nthird"],
    [`f"{{x}}"`, "{x}"],
    [`("a" "b" 'c')`, "abc"],
    [`"研究者 \\u200b"`, "研究者 \u200b"],
  ])("%j is the text %j", (literal, text) => {
    expect(textIn(literal)).toBe(text);
  });

  it.each<[what: string, literal: string]>([
    ["bytes", `b"abc"`],
    ["a named character", `"\\N{DASH}"`],
    ["a conversion", `f"{x!r}"`],
    ["a format", `f"{x:>10}"`],
    ["an expression with its name", `f"{x=}"`],
    ["a number that is no whole one", `f"{y}"`],
    ["a truth value", `f"{z}"`],
  ])("%s is not known without running it", (_, literal) => {
    expect(textIn(literal, `x = "v"\ny = 1.5\nz = True`)).toBeUndefined();
  });

  it("property: every text that the export writes is read as the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, maxLength: 60 }), (text) => {
        const safe = text.replaceAll(/[\0\ufffe\uffff\p{Cs}]/gu, "").replaceAll("${", "$");
        expect(textIn(toPythonString(safe))).toBe(safe);
        expect(textIn(toPythonText(safe, ""))).toBe(safe);
      }),
      { numRuns: 60 },
    );
  });
});

describe("values of Python", () => {
  it.each<[expression: string, before: string, text: string]>([
    [`L[0] + L[-1]`, `L = ["a", "b", "c"]`, "ac"],
    [`T[1]`, `T = ("a", "b")`, "b"],
    [`D["k"]`, `D = {"k": "old", "k": "new"}`, "new"],
    [`D["k"]`, `D = dict(k="v")`, "v"],
    [`D["k"]`, `D = {}\nD["k"] = "set"`, "set"],
    [`"-".join(D.values())`, `D = {"x": "a", "y": "b"}`, "a-b"],
    [`"".join([*L, "c"])`, `L = ["a", "b"]`, "abc"],
    [`"".join(list(L) + ["c"])`, `L = ("a", "b")`, "abc"],
    [`"".join(M)`, `L = ["a"]\nM = L.copy()\nL.append("b")`, "a"],
    [`"".join(L)`, `L = ["a"]\nM = L\nM.append("b")`, "ab"],
    [`"".join(L)`, `L = ["a"]\nL += ["b", "c"]`, "abc"],
    [`"".join(L)`, `L = ["a"]\nL.extend(["b"])`, "ab"],
    [`f"{b.name} helps"`, `b = Agent(name="b")`, "b helps"],
    [`f"{N} and {-N}"`, `N = 0b11`, ""],
    [`(("nested"))`, ``, "nested"],
    [`"a " + x`, `x = y = "b"`, "a b"],
    [`x + y + z`, `x, (y, z) = "a", ("b", "c")`, "abc"],
    [`x`, `(x) = ("a",)`, "a"],
    [`x`, `x: str = "typed"`, "typed"],
    [`x + y`, `print(x := "a", (y := "b"))`, "ab"],
    [`x`, `x = "a"; x += "b"`, "ab"],
    [`"  a ".strip() + " b ".lstrip() + " c ".rstrip()`, ``, "ab  c"],
  ])("%s after %j is %j", (expression, before, text) => {
    expect(textIn(expression, before)).toBe(text === "" ? undefined : text);
  });

  it.each<[what: string, expression: string, before: string]>([
    ["an index past the end", `L[5]`, `L = ["a"]`],
    ["a slice", `L[0:1]`, `L = ["a"]`],
    ["a key that is missing", `D["z"]`, `D = {"k": "v"}`],
    ["a mapping with another one in it", `D["k"]`, `E = {"k": "v"}\nD = {**E}`],
    ["a list after an unknown method", `"".join(L)`, `L = ["b", "a"]\nL.sort()`],
    ["a list after an assigned item", `"".join(L)`, `L = ["a"]\nL[0] = "b"`],
    ["a list after an assigned slice", `"".join(L)`, `L = ["a"]\nL[0:1] = ["b", "c"]`],
    ["a list that an unknown one extends", `"".join(L)`, `L = ["a"]\nL.extend(others)`],
    ["a list with something else added", `"".join(L)`, `L = ["a"]\nL += others`],
    ["a mapping after an unknown method", `D["k"]`, `D = {"k": "v"}\nD.clear()`],
    ["a text minus a text", `x`, `x = "a"\nx -= "b"`],
    ["a text and a number", `"a" + 1`, ``],
    ["targets that do not match", `x`, `x, y = ["a"]`],
    ["a deleted name", `x`, `x = "a"\ndel x`],
    ["a name that an import binds", `x`, `x = "a"\nfrom texts import x`],
    ["a name that a call binds to something unknown", `x`, `x = "a"\nprint(x := load())`],
    ["a name that a condition binds", `x`, `x = "a"\ny = (x := load()) if z else 1`],
    ["a name that a comparison binds", `x`, `x = "a"\nprint((x := load()) > 3)`],
    ["a name after as", `x`, `x = "a"\nwith open("f") as x:\n    pass`],
    ["a name that a pattern binds", `x`, `x = "a"\nmatch y:\n    case {"k": x}:\n        pass`],
    ["a name that a loop binds", `x`, `x = "a"\nfor x, y in pairs:\n    pass`],
    ["a name that a condition defines as a function", `x`, `x = "a"\nif y:\n    def x(): pass`],
    ["a dedent of something unknown", `dedent(load())`, ``],
    ["a join of something unknown", `"".join(names)`, ``],
    ["a join of numbers", `"".join([1, 2])`, ``],
  ])("%s is not known", (_, expression, before) => {
    expect(textIn(expression, before)).toBeUndefined();
  });

  it.each<[written: string, steps: number | undefined]>([
    ["7", 7],
    ["+7", 7],
    ["(7)", 7],
    ["0x0f", 15],
    ["0b11", 3],
    ["0o17", 15],
    ["1_0", 10],
    ["-(-7)", 7],
    ["7 * 2", undefined],
    ["~7", undefined],
    ["int('7')", undefined],
    ["1e999", undefined],
  ])("the number %s is %s", (written, steps) => {
    const { flow, lost } = read(`a = Agent(name="a", max_steps=${written})\n`);
    expect([flow.agents.get("a")?.max_steps, lost.length]).toEqual([steps ?? 10, steps === undefined ? 1 : 0]);
  });

  it("keeps the first spaces of lines that dedent leaves, and empties lines of spaces", () => {
    expect(instructionsOf(`dedent("""\\\n\t  a\n\t    b\n\t \n\t  c""")`)).toBe("a\n  b\n\nc");
    expect(instructionsOf(`dedent("  a\\n\\tb")`)).toBe("  a\n\tb");
  });
});

describe("functions of Python", () => {
  const text = (call: string, definition: string): string | undefined => textIn(call, definition);

  it.each<[what: string, definition: string, call: string, result: string]>([
    ["arguments by position and by name", `def f(x, y): return x + y`, `f("a", y="b")`, "ab"],
    ["default values, which are known where it is defined", `D = "d"\ndef f(x=D): return x`, `f()`, "d"],
    ["all other arguments", `def f(x, *r): return "".join(r)`, `f("a", "b", "c")`, "bc"],
    ["all other names", `def f(**k): return k["y"]`, `f(x="a", y="b")`, "b"],
    ["an unpacked list", `def f(x, y): return y + x`, `f(*["a", "b"])`, "ba"],
    ["an unpacked mapping", `def f(x, y): return y + x`, `f(**{"y": "a", "x": "b"})`, "ab"],
    ["parameters with types", `def f(x: str, y: str = "b") -> str: return x + y`, `f("a")`, "ab"],
    ["positional and named ones only", `def f(x, /, *, y): return x + y`, `f("a", y="b")`, "ab"],
    ["a local name", `x = "outer"\ndef f():\n    x = "inner"\n    return x\ny = f()`, `y + x`, "innerouter"],
    ["a global name", `x = "a"\ndef f():\n    global x\n    x = "b"\nf()`, `x`, "b"],
    ["a function in a function", `def f(x):\n    def g(): return x\n    return g()`, `f("a")`, "a"],
    ["the first return", `def f():\n    return "a"\n    return "b"`, `f()`, "a"],
    ["several values", `def f(): return "a", "b"`, `"".join(f())`, "ab"],
    ["another name", `def f(): return "a"\ng = f`, `g()`, "a"],
    ["an async one", `async def f(): return "a"`, `await f()`, "a"],
    ["a return in with", `def f():\n    with lock:\n        return "a"`, `f()`, "a"],
    ["a return in try", `def f():\n    try:\n        return "a"\n    finally:\n        pass`, `f()`, "a"],
  ])("are followed: %s", (_, definition, call, result) => {
    expect(text(call, definition)).toBe(result);
  });

  it.each<[what: string, definition: string, call: string]>([
    ["a missing argument", `def f(x): return x`, `f()`],
    ["an unknown unpacked mapping", `def f(x="a"): return x`, `f(**options)`],
    ["an unknown unpacked list", `def f(x): return x`, `f(*options)`],
    ["a return in a loop", `def f():\n    for x in y:\n        return "a"\n    return "b"`, `f()`],
    [
      "a return in the handler of an exception",
      `def f():\n    try: x()\n    except E: return "a"\n    return "b"`,
      `f()`,
    ],
    ["a call of itself", `def f(): return f()`, `f()`],
    ["a lambda", `f = lambda: "a"`, `f()`],
    ["a method of a class", `class F:\n    def g(self): return "a"`, `F().g()`],
    ["a function of a module that has the same name", `def f(): return "a"`, `other.f()`],
  ])("are not known where they have %s", (_, definition, call) => {
    expect(text(call, definition)).toBeUndefined();
  });
});

describe("calls of Orbiter", () => {
  it.each<[what: string, text: string, agents: string[]]>([
    ["with the module", `import orbiter\na = orbiter.Agent(name="a")`, ["a"]],
    ["under another name", `from orbiter import Agent as Worker\na = Worker(name="a")`, ["a"]],
    ["without a name: the variable has it", `my_agent = Agent()`, ["my_agent"]],
    ["in a list, without a name", `s = Swarm(agents=[Agent(), Agent()])`, ["agent", "agent 2"]],
    ["by position", `s = Swarm([Agent(name="a"), Agent(name="b")])`, ["a", "b"]],
    ["in a mapping", `s = Swarm(agents={"x": Agent(name="a")})`, ["a"]],
    ["alone instead of a list", `s = Swarm(agents=Agent(name="a"))`, ["a"]],
    ["as statements after each other", `a = Agent(name="a"); b = Agent(name="b"); s = Swarm([a, b])`, ["a", "b"]],
    ["with a name of control characters", `s = Swarm([Agent(name="a\\nb")])`, ["a b"]],
    ["with a name of spaces only", `s = Swarm([Agent(name="   ")])`, ["agent"]],
    ["with a name of 300 characters", `s = Swarm([Agent(name="${"n".repeat(300)}")])`, ["n".repeat(190)]],
  ])("are read %s", (_, text, agents) => {
    const { flow, lost } = read(text);
    expect([[...flow.agents.keys()], lost]).toEqual([agents, []]);
  });

  it("that are shadowed by a function of the text are calls of that function", () => {
    const { flow } = read(`def Agent(name): return None\na = Agent(name="a")\nb = orbiter.Agent(name="b")`);
    expect([...flow.agents.keys()]).toEqual(["b"]);
  });

  it("of a class that the text binds anew are not read, and a loss", () => {
    const { imported, lost } = read(`b = Agent(name="b")\nAgent = make_class()\na = Agent(name="a")\n`);
    expect(lost).toEqual(["an expression that makes agents"]);
    expect(imported.quarantined.map(({ text }) => text)).toContain(`Agent(name="a")`);
  });

  it("draw a flow with operators, and name variables by the nodes they hold", () => {
    const text = `a, b, c, d = Agent(), Agent(name="second"), Agent(), Agent()
line = a >> (b | c)
s = Swarm(agents=[a, b, c, d], flow=line >> d)
`;
    const { flow, lost } = read(text);
    expect([readSource(read(text).imported.source).flow.compat, lost]).toEqual(["orbiter", []]);
    expect([...flow.agents.keys()]).toEqual(["a", "second", "c", "d"]);
    expect(read(text).imported.source).toContain("flow: a >> (second | c) >> d");
  });

  it("bind the name of an expression, which an agent without a name takes over", () => {
    const { flow, lost } = read(`s = Swarm(agents=[(writer := Agent(model="m"))])\n`);
    expect([flow.agents.get("writer")?.model, lost]).toEqual(["m", []]);
  });

  it("wrap a swarm as a node, twice under two names", () => {
    const { flow, lost } = read(`inner = Swarm([Agent(name="a")])
one = SwarmNode(swarm=inner, name="one")
two = SwarmNode(swarm=inner, name="two")
s = Swarm(agents=[one, two])
`);
    expect([[...flow.swarms.keys()], [...flow.agents.keys()], lost]).toEqual([["one", "two"], ["a"], []]);
  });

  it.each<[what: string, line: string, message: RegExp]>([
    ["a node of something unknown", `n = SwarmNode(swarm=load())`, /a SwarmNode that cannot be read/],
    ["a node with other arguments", `n = SwarmNode(swarm=s, retries=3)`, /argument retries of "swarm"/],
    ["a member that is a number", `t = Swarm(agents=[a, 3])`, /Expected an agent, group or swarm .* found a number/],
    ["a member that nothing is bound to", `t = Swarm(agents=[a, b])`, /Nothing that can be read is called `b`/],
    ["a flow of a number", `t = Swarm(agents=[a], flow=3)`, /argument flow of "swarm"/],
    [
      "a separator of a serial group",
      `g = SerialGroup(name="g", agents=[a], separator="x")`,
      /argument separator of "g"/,
    ],
    ["a name of a number", `b = Agent(name=3)`, /argument name/],
    ["tools of a text", `b = Agent(name="b", tools="x")`, /argument tools of "b"/],
    ["a positional argument too many", `t = Swarm([a], "x")`, /an argument without a name of "swarm"/],
    ["a lambda that makes agents", `make = lambda: Agent(name="b")`, /a lambda that makes agents/],
    ["a conditional expression", `x = Agent() if y else None`, /a conditional expression that makes agents/],
    ["a slice of a change", `a.tools[0:1] = []`, /a change of "a"/],
    ["a change through parentheses", `(a).tools.pop()`, /a call of `pop` that may change "a"/],
    ["a sign before an agent", `x = -Agent(name="b")`, /an expression that makes agents/],
  ])("lose %s", (_, line, message) => {
    const { lost } = read(`a = Agent(name="a")\ns = Swarm(agents=[a])\n${line}\n`);
    expect(lost.join("\n")).toMatch(message);
  });

  it.each<[what: string, argument: string]>([
    ["None", "tools=None, model=None, memory=None"],
    ["an empty list", "hooks=[], handoffs=[]"],
    ["an output type, which Orbiter never enforces", "output_type=Report"],
  ])("lose nothing by %s", (_, argument) => {
    expect(read(`a = Agent(name="a", ${argument})\n`).lost).toEqual([]);
  });
});

describe("the title of an imported flow", () => {
  it.each<[what: string, text: string, name: string]>([
    ["the first line of the docstring", `"""My desk\n\nMore."""\na = Agent(name="a")`, "My desk"],
    ["white space round it left out", `"""\n  My desk  \n"""\na = Agent(name="a")`, "My desk"],
    ["control characters as spaces", `"My\\tdesk"\na = Agent(name="a")`, "My desk"],
    ["at most 200 characters", `"${"x".repeat(300)}"\na = Agent(name="a")`, "x".repeat(200)],
    ["not an empty docstring", `""""""\na = Agent(name="a")`, "Imported flow"],
    ["not a text further down", `a = Agent(name="a")\n"My desk"`, "Imported flow"],
    ["not an f-string", `f"My desk"\na = Agent(name="a")`, "Imported flow"],
  ])("is %s", (_, text, name) => {
    expect(read(text).flow.name).toBe(name);
  });
});
