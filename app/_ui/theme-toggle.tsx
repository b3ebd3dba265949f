"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button";
import { Menu, MenuChoice } from "./menu";
import { type Theme, themeCookie } from "./theme";

const options = [
  { value: "system", label: "System", icon: <Monitor size={14} /> },
  { value: "light", label: "Light", icon: <Sun size={14} /> },
  { value: "dark", label: "Dark", icon: <Moon size={14} /> },
] as const;

const yearSeconds = 31_536_000;

/** Chooses light, dark or the machine's own; kept in a cookie. */
export function ThemeToggle({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const show = (): void => {
      document.documentElement.dataset.theme = theme === "system" ? (query.matches ? "dark" : "light") : theme;
    };
    show();
    query.addEventListener("change", show);
    return () => query.removeEventListener("change", show);
  }, [theme]);
  const choose = (next: Theme): void => {
    setTheme(next);
    document.cookie = `${themeCookie}=${next}; path=/; max-age=${yearSeconds}; samesite=lax`;
  };
  return (
    <Menu
      trigger={
        <IconButton label="Theme" side="bottom">
          {options.find(({ value }) => value === theme)?.icon}
        </IconButton>
      }
    >
      <MenuChoice label="Theme" value={theme} options={options} onValueChange={choose} />
    </Menu>
  );
}
