import type { Session } from "../state/session";

/** So many frames the form has to load before the focus stays where it is. */
const mostFrames = 120;

/** Shows the inspector and puts the focus into its first field; Escape there goes back to the element `from`. */
export function openInspector({ view }: Session, originId: string): void {
  view.setState({ inspectorOpen: true, narrowPane: "inspector", leaveInspectorTo: originId });
  const focus = (framesLeft: number): void => {
    const firstField = document.querySelector<HTMLElement>("[data-inspector-first]");
    if (firstField) firstField.focus();
    else if (framesLeft > 0) requestAnimationFrame(() => focus(framesLeft - 1));
  };
  requestAnimationFrame(() => focus(mostFrames));
}

/** Goes back to where the inspector was opened from, once its fields have taken back what was being written. */
export function leaveInspector({ view }: Session): void {
  const { leaveInspectorTo } = view.getState();
  view.setState(({ narrowPane }) => (narrowPane === "inspector" ? { narrowPane: "canvas" } : {}));
  requestAnimationFrame(() => document.getElementById(leaveInspectorTo)?.focus());
}
