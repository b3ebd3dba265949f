import { createStore } from "zustand/vanilla";
import { type ThemeChoice, themeCookie } from "./theme";

/** The choice since the page was loaded; null: the cookie's choice is current. */
export const themeChoice = createStore<{ choice: ThemeChoice | null }>(() => ({ choice: null }));

/**
 * Shows the theme of the cookie, or the system's. The script in the head did so already, but in pages that React renders in the
 * browser alone, as those of missing things.
 */
export function showTheme(): void {
  const [, chosen] = new RegExp(`${themeCookie}=(light|dark)`).exec(document.cookie) ?? [];
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = chosen ?? system;
}

export function applyTheme(choice: ThemeChoice): void {
  document.cookie = `${themeCookie}=${choice}; path=/; max-age=31536000; samesite=lax`;
  const dark = choice === "dark" || (choice === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  themeChoice.setState({ choice });
}
