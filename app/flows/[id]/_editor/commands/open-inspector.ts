import type { Session } from "../state/session";

/** The form may still be loading. */
const mostFrames = 120;

/** Escape in the inspector then returns the focus to the element `originId`. */
export function openInspector({ view }: Session, originId: string): void {
  view.setState({ inspectorOpen: true, narrowPane: "inspector", leaveInspectorTo: originId });
  const focus = (framesLeft: number): void => {
    const firstField = document.querySelector<HTMLElement>("[data-inspector-first]");
    if (firstField) focusWhole(firstField);
    else if (framesLeft > 0) requestAnimationFrame(() => focus(framesLeft - 1));
  };
  requestAnimationFrame(() => focus(mostFrames));
}

/** Typing replaces the whole name. */
function focusWhole(field: HTMLElement): void {
  field.focus();
  if (field instanceof HTMLInputElement && field.type === "text") field.select();
}

export function leaveInspector({ view }: Session): void {
  const { leaveInspectorTo } = view.getState();
  view.setState(({ narrowPane }) => (narrowPane === "inspector" ? { narrowPane: "canvas" } : {}));
  const target = document.getElementById(leaveInspectorTo);
  target?.focus();
  // In a narrow window the pane that it is in has yet to be shown.
  if (document.activeElement !== target) requestAnimationFrame(() => target?.focus());
}
