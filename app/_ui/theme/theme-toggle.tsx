import { Monitor, Moon, Sun } from "lucide-react";
import { useContext } from "react";
import { useStore } from "zustand";
import { IconButton } from "../controls/icon-button";
import { themeChoices, themeLabels } from "./theme";
import { applyTheme, themeChoice } from "./theme-choice";
import { ThemeContext } from "./theme-context";

const icons = { system: Monitor, light: Sun, dark: Moon } as const;

export function ThemeToggle() {
  const initial = useContext(ThemeContext);
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
