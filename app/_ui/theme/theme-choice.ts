import { createStore } from "zustand/vanilla";
import { type ThemeChoice, themeCookie } from "./theme";

/** What was chosen since the page was loaded; null: the cookie's choice still holds. */
export const themeChoice = createStore<{ choice: ThemeChoice | null }>(() => ({ choice: null }));

/** Shows a theme at once and remembers it for a year. */
export function applyTheme(choice: ThemeChoice): void {
  document.cookie = `${themeCookie}=${choice}; path=/; max-age=31536000; samesite=lax`;
  const dark = choice === "dark" || (choice === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  themeChoice.setState({ choice });
}
