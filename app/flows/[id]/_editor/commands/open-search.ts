import type { Session } from "../state/session";

/** Opens the search over the canvas. */
export const openSearch = ({ view }: Session): void =>
  view.setState({ surface: { type: "search" }, narrowPane: "canvas" });
