import type { Session } from "../state/session";

export const openExport = ({ view }: Pick<Session, "view">): void => view.setState({ surface: { type: "export" } });
