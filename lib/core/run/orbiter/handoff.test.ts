import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import type { Message } from "../events/messages";
import { agents, call, echo, reply, runFile, sentTo } from "./flow-file.arbitrary";

const swarm = (rest: string): string => `${agents("triage", "billing", "tech")}\nswarm:\n  type: handoff\n${rest}\n`;
const toBilling = swarm("  agents: [triage, billing, tech]\n  edges: [[triage, billing], [billing, triage]]");
const prior: readonly Message[] = [{ role: "user", content: "old" }];

describe("handoff", () => {
  test("81: an answer that is the name of a declared target hands over", async () => {
    const ran = await runFile(toBilling, { script: { triage: [reply("billing")], billing: [reply("done")] } });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "done" } });
    expect(ran.started.map(({ kind, path }) => [kind, path])).toContainEqual(["handoff", "/#handoff-1"]);
    expect(ran.end("/#handoff-1").metadata).toEqual({ from: "triage", to: "billing" });
  });

  test("81: a transfer tool hands over, with its reason", async () => {
    const ran = await runFile(toBilling, {
      script: { triage: [call("transfer_to_billing", { reason: "an invoice" })], billing: [reply("done")] },
    });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "done" } });
    expect(ran.started.find(({ kind }) => kind === "handoff")?.input.text).toBe("an invoice");
    expect(ran.models.requestsOf("triage")[0]?.tools.map(({ name }) => name)).toEqual(["transfer_to_billing"]);
  });

  test("82: the target gets its own instructions, the question, the conversation and the reason", async () => {
    const ran = await runFile(toBilling, {
      input: "my invoice is wrong",
      script: { triage: [call("transfer_to_billing", { reason: "an invoice" })], billing: [reply("done")] },
    });
    expect(sentTo(ran, "billing")).toEqual([
      [
        "S:I am billing",
        "U:my invoice is wrong",
        "A:+transfer_to_billing",
        "T:Handed over to billing.",
        "U:(triage handed this conversation over to you, billing. Reason: an invoice)",
      ],
    ]);
  });

  test("83: there is one system text, however long the chain, and the history precedes the question", async () => {
    const file = swarm("  agents: [triage, billing, tech]\n  edges: [[triage, billing], [billing, tech]]");
    const ran = await runFile(file, {
      messages: prior,
      script: { triage: [reply("billing")], billing: [reply("tech")], tech: [reply("fin")] },
    });
    expect(sentTo(ran, "tech")[0]?.slice(0, 3)).toEqual(["S:I am tech", "U:old", "U:Q"]);
    expect(sentTo(ran, "tech")[0]?.filter((text) => text.startsWith("S:"))).toHaveLength(1);
  });

  test("84: white space round the name does not count", async () => {
    const ran = await runFile(toBilling, { script: { triage: [reply("\n billing \n")], billing: [reply("done")] } });
    expect(ran.last.output.text).toBe("done");
  });

  test.each([
    ["85: another case is no name", "Billing"],
    ["86: more than the name is no handoff", "transfer to billing"],
    ["86: nor is a name with a full stop", "billing."],
    ["88: a member that is not declared as a target gets nothing", "tech"],
  ])("%s", async (_, text) => {
    const ran = await runFile(toBilling, { script: { triage: [reply(text)] } });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text } });
  });

  test("87: a target outside the swarm is reported, and no handoff reaches it", async () => {
    const file = swarm("  agents: [triage, billing]\n  edges: [[triage, tech]]");
    const { problems } = readSource(file);
    expect(problems.some(({ message }) => message.includes('"tech" is no member of this swarm'))).toBe(true);
    const ran = await runFile(file, { script: { triage: [reply("tech")] } });
    expect(ran.last.output.text).toBe("tech");
  });

  test("89: one handoff of one", async () => {
    const ran = await runFile(`${toBilling}  max_handoffs: 1\n`, {
      script: { triage: [reply("billing")], billing: [reply("done")] },
    });
    expect(ran.last.status).toBe("SUCCESS");
  });

  test("90: a second handoff of one fails, names the limit, and keeps the last output", async () => {
    const ran = await runFile(`${toBilling}  max_handoffs: 1\n`, {
      script: { triage: [reply("billing")], billing: [reply("I looked", { calls: [{ name: "transfer_to_triage" }] })] },
    });
    expect(ran.last).toMatchObject({ status: "FAILED", output: { text: "I looked" }, error: { code: "limit" } });
    expect(ran.last.error?.message).toContain("1 handoffs are the limit");
  });

  test("91: for ever to and fro ends after four calls of three handoffs", async () => {
    const ran = await runFile(`${toBilling}  max_handoffs: 3\n`, {
      script: ({ agent }) => reply(agent === "triage" ? "billing" : "triage"),
    });
    expect(ran.last.status).toBe("FAILED");
    expect(ran.models.requests).toHaveLength(4);
    expect(ran.started.filter(({ kind }) => kind === "agent").map(({ path }) => path)).toEqual([
      "triage",
      "billing",
      "triage#2",
      "billing#2",
    ]);
  });

  test("92: with none allowed the target is not called", async () => {
    const ran = await runFile(`${toBilling}  max_handoffs: 0\n`, { script: { triage: [reply("billing")] } });
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "limit" } });
    expect(ran.models.requestsOf("billing")).toEqual([]);
  });

  test("93: exactly max_handoffs are allowed, not one fewer", async () => {
    const ran = await runFile(`${toBilling}  max_handoffs: 2\n`, {
      script: { triage: [reply("billing"), reply("fin")], billing: [reply("triage")] },
    });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "fin" } });
  });

  test("94: the first of the flow starts; otherwise the flow has no meaning", async () => {
    const file = swarm("  flow: billing >> triage\n  edges: [[billing, triage]]");
    const ran = await runFile(file, { script: { billing: [reply("alone")] } });
    expect(ran.last.output.text).toBe("alone");
    expect(ran.models.requests).toHaveLength(1);
  });

  test("95: an agent that hands over to itself is allowed, and counted", async () => {
    const file = swarm("  agents: [triage]\n  edges: [[triage, triage]]\n  max_handoffs: 2");
    const ran = await runFile(file, { script: { triage: [reply("triage"), reply("triage"), reply("triage")] } });
    expect(ran.last.error?.code).toBe("limit");
  });

  test("96: groups and swarms may be members", async () => {
    const file = `${agents("a", "b", "c")}\ngroups:\n  both: { type: parallel, flow: "a | b" }\nswarm:\n  type: handoff\n  agents: [both, c]\n  edges: [[both, c]]\n  max_handoffs: 1\n`;
    const ran = await runFile(file, { script: { a: [reply("c")], b: [reply("")], c: [reply("C")] } });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "C" } });
    expect(sentTo(ran, "c")[0]).toEqual(["S:I am c", "U:Q", "U:(both handed this conversation over to you, c.)"]);
  });

  test("97: streamed and drained agree: the events of the target contain the same request", async () => {
    const ran = await runFile(toBilling, { script: { triage: [reply("billing")], billing: [reply("done")] } });
    const streamed = ran.events.flatMap((event) => (event.type === "text.appended" ? [event.text] : []));
    expect(streamed).toEqual(["billing", "done"]);
    expect(sentTo(ran, "billing")).toEqual([
      ["S:I am billing", "U:Q", "U:(triage handed this conversation over to you, billing.)"],
    ]);
  });

  test("98: the last turn decides, not the text of a turn with tool calls", async () => {
    const file = `${agents("a", "b").replace('I am a"', 'I am a", tools: [echo]')}\nswarm: { type: handoff, agents: [a, b], edges: [[a, b]] }\n`;
    const ran = await runFile(file, {
      tools: [echo],
      script: { a: [reply("thinking ", { calls: [{ name: "echo" }] }), reply("b")], b: [reply("B")] },
    });
    expect(ran.last.output.text).toBe("B");
  });

  test("99: both members' own steps are in the stream, and the handoff between them", async () => {
    const ran = await runFile(toBilling, { script: { triage: [reply("billing")], billing: [reply("done")] } });
    expect(ran.started.map(({ path }) => path)).toEqual([
      "/",
      "triage",
      "triage#llm-1",
      "/#handoff-1",
      "billing",
      "billing#llm-1",
    ]);
  });

  test("compat: orbiter hands over by text only, and offers no tools for it", async () => {
    const ran = await runFile(`compat: orbiter\n${toBilling}`, {
      script: { triage: [reply("billing")], billing: [reply("done")] },
    });
    expect(ran.last.output.text).toBe("done");
    expect(ran.models.requests.flatMap(({ tools }) => tools)).toEqual([]);
  });
});
