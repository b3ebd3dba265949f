import { createContext, type ReactNode } from "react";

/** The flow as the server draws it: on screen until the canvas is. */
export const PictureContext = createContext<ReactNode>(null);
