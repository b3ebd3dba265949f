import { expect, test } from "vitest";
import type { HumanInputAnswer, RunEvent } from "../events/events";
import type { NumberedQuestion } from "../ports/human-input";
import { Inbox } from "../ports/inbox";
import { continueRun } from "../testing/killed-run";

const source = `agents:
  a: { model: "scripted:m" }
  pay: { model: "scripted:m" }
approvals: { ok: { message: "Go on?" } }
swarm: { flow: a >> ok >> pay }
`;

/** `ask` answers a question; nothing: it waits for ever. */
function run(inbox: Inbox, ask: (question: NumberedQuestion) => HumanInputAnswer, stored?: readonly RunEvent[]) {
  const questions: NumberedQuestion[] = [];
  const humanInput = {
    ask: async (question: NumberedQuestion) => {
      questions.push(question);
      return ask(question);
    },
  };
  const script = ({ agent, messages }: { agent: string; messages: readonly { content: string }[] }) => ({
    text: `${agent}(${messages.map(({ content }) => content).join("+")})`,
  });
  const events = continueRun({ source, script, context: () => ({ humanInput }), options: { inbox } }, stored);
  return { questions, events };
}

const approved: HumanInputAnswer = { decision: "approved", by: "Bob" };
const message = { agent: "pay", text: "Pay Mallory.", by: "Ann" };

test("an approval shows the messages that wait for agents", async () => {
  const inbox = new Inbox();
  inbox.put(message);
  const { questions, events } = run(inbox, () => approved);
  expect((await events).at(-1)).toMatchObject({ status: "SUCCESS", output: { text: "pay(a(Q)+Pay Mallory.)" } });
  expect(questions).toHaveLength(1);
  expect(questions[0]?.message).toContain("Go on?\n\nAgents of this run get these messages next");
  expect(questions[0]?.message).toContain('To "pay", from Ann:\nPay Mallory.');
});

test("a message that comes before the answer is asked about, with the text as it was approved", async () => {
  const inbox = new Inbox();
  const { questions, events } = run(inbox, () => {
    if (questions.length === 1) inbox.put(message);
    return { ...approved, ...(questions.length === 1 && { text: "edited" }) };
  });
  expect((await events).at(-1)).toMatchObject({ status: "SUCCESS", output: { text: "pay(edited+Pay Mallory.)" } });
  expect(questions.map(({ text }) => text)).toEqual(["a(Q)", "edited"]);
  expect(questions[0]?.message).toBe("Go on?");
  expect(questions[1]?.message).toContain("asked again, because a message came");
  expect(questions[1]?.message).toContain("Pay Mallory.");
});

test("also where the process ended after the answer", async () => {
  const first = run(new Inbox(), () => approved);
  const all = await first.events;
  const stored = all.slice(0, all.findIndex(({ type }) => type === "answer.given") + 1);
  const inbox = new Inbox();
  inbox.put(message);
  const { questions, events } = run(inbox, () => approved, stored);
  expect((await events).at(-1)).toMatchObject({ status: "SUCCESS" });
  expect(questions).toHaveLength(1);
  expect(questions[0]?.message).toContain("Pay Mallory.");
});
