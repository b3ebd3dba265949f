import "server-only";
import { answer, askedWith, bodyOf, calling, resultOf, system, user, wholeBody } from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [current, older] = ["MiniMax-M3", "MiniMax-M2"];

export const minimaxExamples: ServiceExamples = {
  broken: [
    ["minimax/one-system", older, bodyOf(system, system, user)],
    ["minimax/system-first", older, bodyOf(user, answer, system, user)],
    ["minimax/orphans", older, bodyOf(user, answer, resultOf())],
    ["minimax/arguments", older, bodyOf(user, calling({}, { arguments: "{broken" }), resultOf())],
    ["minimax/tool-parameters", older, askedWith({ tools: [{ type: "function", function: { name: "calculate" } }] })],
  ],
  right: [
    ["a whole request", current, wholeBody({ reasoning_details: [{ type: "reasoning.text", text: "A sum." }] })],
    ["a whole request to an older model", older, wholeBody({ reasoning_content: "A sum." })],
  ],
};
