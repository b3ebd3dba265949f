import type { Session } from "../state/session";

export const openImport = ({ view }: Pick<Session, "view">, text = ""): void =>
  view.setState({ surface: { type: "import", text } });
