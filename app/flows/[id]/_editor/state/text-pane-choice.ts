const storageKey = "swarmloom.text-pane";
/** In CSS pixels; the server renders by the same width. */
const wideFrom = 1600;

/** Whether the text pane opens with the editor: as the user left it, otherwise where it leaves room for the canvas. */
export function isTextPaneOpened(): boolean {
  if (typeof window === "undefined") return false;
  const choice = readChoice();
  return choice === null ? window.innerWidth >= wideFrom : choice === "open";
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

export function rememberTextPane(isOpen: boolean): void {
  try {
    localStorage.setItem(storageKey, isOpen ? "open" : "folded");
  } catch {
    // A browser without storage opens the pane by its width.
  }
}
