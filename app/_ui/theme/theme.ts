export const themeChoices = ["system", "light", "dark"] as const;
export type ThemeChoice = (typeof themeChoices)[number];
export const themeLabels: Record<ThemeChoice, string> = { system: "System", light: "Light", dark: "Dark" };

export const themeCookie = "swarmloom-theme";

export const readThemeChoice = (value: string | undefined): ThemeChoice =>
  themeChoices.find((choice) => choice === value) ?? "system";

/**
 * Runs in the head before anything is drawn, so that no page flashes in the wrong theme: `data-theme` becomes the
 * chosen theme, or the system's.
 */
export const themeScript = `(()=>{const q=matchMedia("(prefers-color-scheme: dark)");const m=document.cookie.match(/${themeCookie}=(light|dark)/);document.documentElement.dataset.theme=m?m[1]:q.matches?"dark":"light"})()`;
