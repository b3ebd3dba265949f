import { createContext } from "react";
import type { ThemeChoice } from "./theme";

/** The choice in the cookie of the request. */
export const ThemeContext = createContext<ThemeChoice>("system");
