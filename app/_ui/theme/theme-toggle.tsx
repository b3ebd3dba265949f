import { Monitor, Moon, Sun } from "lucide-react";
import { useStore } from "zustand";
import { IconButton } from "../controls/icon-button";
import { type ThemeChoice, themeChoices, themeLabels } from "./theme";
import { applyTheme, themeChoice } from "./theme-choice";

const icons = { system: Monitor, light: Sun, dark: Moon } as const;

export function ThemeToggle({ initial }: { initial: ThemeChoice }) {
  const choice = useStore(themeChoice, (state) => state.choice) ?? initial;
  const next = themeChoices[(themeChoices.indexOf(choice) + 1) % themeChoices.length] ?? "system";
  const Icon = icons[choice];
  return (
    <IconButton
      label={`Theme: ${themeLabels[choice]}. Switch to ${themeLabels[next].toLowerCase()}`}
      onClick={() => applyTheme(next)}
    >
      <Icon size={16} aria-hidden />
    </IconButton>
  );
}
