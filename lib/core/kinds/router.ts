import type { NodeDeclaration } from "../flow/flow";
import type { RouterLane } from "./declaration-reader";
import { defineControl } from "./define-kind";
import { routerLaneFieldTypes } from "./field-types";
import { searchField, searchFieldsOf } from "./search-field";

declare module "../flow/flow" {
  interface DeclarationTypes {
    router: Router;
  }
}

/** One of several named lanes, chosen by a model. */
export interface Router extends NodeDeclaration {
  type: "router";
  name: string;
  model?: string;
  instructions: string;
  lanes: ReadonlyMap<string, RouterLane>;
}

export const routerKind = defineControl<Router>({
  type: "router",
  section: "routers",
  fieldTypes: { model: "choice", instructions: "prompt", lanes: "topology" },
  nestedFieldTypes: { lanes: routerLaneFieldTypes },
  create: (name) => ({ type: "router", name, instructions: "", lanes: new Map() }),
  read(reader) {
    const model = reader.filledText("model", { prose: false });
    const lanes = reader.lanes("lanes");
    if (lanes.size === 0)
      reader.report(
        "no-members",
        `${reader.title} has no lanes. Write e.g. lanes: { billing: { when: invoices, flow: billing } }.`,
      );
    return {
      type: "router",
      name: reader.name,
      instructions: reader.text("instructions") ?? "",
      lanes,
      ...(model !== undefined && { model }),
      ...reader.fieldTexts(),
    };
  },
  restoreLanes: (router, previous, unread) => ({
    ...router,
    lanes: new Map(
      [...router.lanes].map(([name, lane]) => {
        const flow = unread.includes(name) ? previous.lanes.get(name)?.flow : undefined;
        return [name, flow ? { ...lane, flow } : lane];
      }),
    ),
  }),
  write: ({ model, instructions, lanes }, print) => [
    ["model", model],
    ["instructions", instructions === "" ? undefined : instructions],
    [
      "lanes",
      // The order of the lanes is that of the file, also of those whose names are numbers.
      new Map(
        [...lanes].map(([lane, { when, flow }]) => [
          lane,
          { ...(when !== "" && { when }), ...(flow && { flow: print(flow) }) },
        ]),
      ),
    ],
  ],
  lanes: ({ lanes }) => [...lanes].map(([lane, { flow }]) => [lane, flow]),
  searchFields: (router) => [
    ...searchFieldsOf(router, [
      ["models", "Model", "model"],
      ["instructions", "Instructions", "instructions"],
    ]),
    ...[...router.lanes].flatMap(([lane, { when }]) =>
      searchField("other", `When ${lane}`, ["lanes", lane, "when"], when),
    ),
  ],
  lanePath: (lane) => ["lanes", lane, "flow"],
  check({ name, model, written }, checks) {
    const use = { model, written, field: "model" };
    return [
      ...checks.model({ ...use, title: `Router "${name}"` }),
      ...checks.price({ ...use, title: `Router "${name}"` }),
    ];
  },
  card: ({ model = "no model" }) => ({ type: "frame", shape: "diamond", detail: model, condition: model }),
});
