import type { Session } from "../state/session";

export const openSearch = ({ view }: Session): void =>
  view.setState({ surface: { type: "search" }, narrowPane: "canvas" });
