import { inGroup } from "./editor-command";

export const fileCommands = inGroup("File", [
  {
    id: "versions",
    title: "Versions",
    words: "history revisions restore compare diff older",
    run: ({ view }) => view.setState({ surface: { type: "versions" } }),
  },
  {
    id: "members",
    title: "Who may do what…",
    words: "roles members permissions share access",
    run: ({ view }) => view.setState({ surface: { type: "members" } }),
    when: ({ access }) => access.team !== null && access.mayManage,
  },
  {
    id: "publish",
    title: "Publish…",
    words: "release live version draft api schedule",
    run: ({ view }) => view.setState({ surface: { type: "publish" } }),
  },
  {
    id: "export",
    title: "Export…",
    words: "download save python json mermaid svg png",
    run: ({ view }) => view.setState({ surface: { type: "export" } }),
  },
  {
    id: "import",
    needs: "mayEdit",
    title: "Import…",
    words: "open paste load orbiter yaml json python",
    run: ({ view }) => view.setState({ surface: { type: "import", text: "" } }),
  },
]);
