import type { RunEvent } from "./events";

/** How long the texts of an event are that may be large, in UTF-16 units. */
export function countTextUnits(event: RunEvent): number {
  switch (event.type) {
    case "run.started":
    case "node.started":
      return event.input.text.length;
    case "run.finished":
    case "node.finished":
      return event.output.text.length;
    case "request.sent":
    case "response.received":
      return event.body.text.length;
    case "text.appended":
    case "reasoning.appended":
      return event.text.length;
    default:
      return 0;
  }
}
