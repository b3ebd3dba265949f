import { createStore } from "zustand/vanilla";
import { type ThemeChoice, themeCookie } from "./theme";

/** The choice since the page was loaded; null: the cookie's choice is current. */
export const themeChoice = createStore<{ choice: ThemeChoice | null }>(() => ({ choice: null }));

export function applyTheme(choice: ThemeChoice): void {
  document.cookie = `${themeCookie}=${choice}; path=/; max-age=31536000; samesite=lax`;
  const dark = choice === "dark" || (choice === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  themeChoice.setState({ choice });
}
