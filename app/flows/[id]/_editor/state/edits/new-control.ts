import { printName } from "@/lib/core/dsl/print";
import type { Control, Flow } from "@/lib/core/flow/flow";
import { freeName, type NewControl } from "./node-edits";

/** A branch, router, loop or approval that can run as it is, with new agents of that model in its lanes. */
export function createControl(flow: Flow, type: Control["type"], model: string): NewControl {
  const name = freeName(flow, type);
  const agent = (base: string) => ({ name: freeName(flow, base), model });
  switch (type) {
    case "branch": {
      const [yes, no] = [agent("if_yes"), agent("if_no")];
      const fields = {
        condition: 'contains(input, "yes")',
        if_true: printName(yes.name),
        if_false: printName(no.name),
      };
      return { control: type, name, fields, agents: [yes, no] };
    }
    case "router": {
      const [first, second] = [agent("first_lane"), agent("second_lane")];
      const lanes = {
        first: { when: "the message is a question", flow: printName(first.name) },
        second: { when: "anything else", flow: printName(second.name) },
      };
      return { control: type, name, fields: { model, lanes }, agents: [first, second] };
    }
    case "loop": {
      const body = agent("in_loop");
      return { control: type, name, fields: { body: printName(body.name), count: 3 }, agents: [body] };
    }
    case "approval":
      return { control: type, name, fields: { message: "May this go on?" }, agents: [] };
  }
}
