/** `system` follows the machine. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Name of the cookie that holds the choice, so that the server can answer without a flash. */
export const themeCookie = "theme";

export const toTheme = (value: string | undefined): Theme => themes.find((theme) => theme === value) ?? "system";

/** Runs before the first paint: `data-theme` on <html> becomes "light" or "dark" where the choice is the system's. */
export const themeScript =
  'if(!document.documentElement.dataset.theme)document.documentElement.dataset.theme=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"';
