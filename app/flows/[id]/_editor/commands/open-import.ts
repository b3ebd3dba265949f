import type { Session } from "../state/session";

/**
 * Opens the preview of an import, with `text` read at once: what was recognised, a picture, and the ways to take it
 * over. Nothing of the flow changes before a person chooses one.
 */
export const openImport = ({ view }: Pick<Session, "view">, text = ""): void =>
  view.setState({ surface: { type: "import", text } });
