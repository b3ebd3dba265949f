import type { Session } from "../../state/session";

/** The list may still be loading. */
const mostFrames = 120;

/** Opens the inspector and moves the focus to the first problem in it. */
export function openProblems({ view }: Session): void {
  view.setState({ inspectorOpen: true, narrowPane: "inspector" });
  const focus = (framesLeft: number): void => {
    const firstRow = document.querySelector<HTMLElement>("section[aria-label=Problems] li button");
    if (firstRow) firstRow.focus();
    else if (framesLeft > 0) requestAnimationFrame(() => focus(framesLeft - 1));
  };
  requestAnimationFrame(() => focus(mostFrames));
}
