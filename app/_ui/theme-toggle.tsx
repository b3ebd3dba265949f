"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./icon-button";
import { type ThemeChoice, themeChoices, themeCookie } from "./theme";

const looks = {
  system: { word: "System", icon: Monitor },
  light: { word: "Light", icon: Sun },
  dark: { word: "Dark", icon: Moon },
} as const;

function applyTheme(choice: ThemeChoice): void {
  document.cookie = `${themeCookie}=${choice}; path=/; max-age=31536000; samesite=lax`;
  const dark = choice === "dark" || (choice === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

/** Goes round system, light and dark. */
export function ThemeToggle({ initial }: { initial: ThemeChoice }) {
  const [choice, setChoice] = useState(initial);
  const next = themeChoices[(themeChoices.indexOf(choice) + 1) % themeChoices.length] ?? "system";
  const Icon = looks[choice].icon;
  const change = (): void => {
    applyTheme(next);
    setChoice(next);
  };
  return (
    <IconButton label={`Theme: ${looks[choice].word}. Switch to ${looks[next].word.toLowerCase()}`} onClick={change}>
      <Icon size={16} aria-hidden />
    </IconButton>
  );
}
