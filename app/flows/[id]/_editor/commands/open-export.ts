import type { Session } from "../state/session";

/** Opens the ways to take this flow elsewhere: other formats and pictures. */
export const openExport = ({ view }: Pick<Session, "view">): void => view.setState({ surface: { type: "export" } });
