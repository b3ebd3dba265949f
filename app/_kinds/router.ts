import type { Router } from "@/lib/core/kinds/router";
import { setControlText } from "./control-edits";
import { writeAgents, writeFlow } from "./fragments";
import { kindStyles } from "./kind-styles";
import type { KindView } from "./kind-view";

export const routerView: KindView<Router> = {
  ...kindStyles.router,
  toForm: (router) => [
    {
      type: "model",
      value: router.model,
      written: router.written?.model,
      toEdit: (text) => setControlText(router.name, ["model"], text),
    },
    {
      type: "prompt",
      label: "Instructions",
      value: router.instructions,
      placeholder: "How to choose, beyond the descriptions of the lanes.",
      toEdit: (text) => setControlText(router.name, ["instructions"], text),
    },
    { type: "router-lanes", router },
    { type: "links" },
  ],
  inserts: [
    {
      id: "router",
      label: "Router",
      description: "One of several lanes, chosen by a model",
      words: "switch control lanes",
      toFragment: (model) =>
        `${writeAgents(["first_lane", "second_lane"], model)}routers:
  router:
    model: ${JSON.stringify(model)}
    lanes:
      first: { when: the message is a question, flow: first_lane }
      second: { when: anything else, flow: second_lane }
${writeFlow("router")}`,
    },
  ],
  createControl: ({ model, addLane }) => ({
    model,
    lanes: {
      first: { when: "the message is a question", flow: addLane("first_lane") },
      second: { when: "anything else", flow: addLane("second_lane") },
    },
  }),
};
