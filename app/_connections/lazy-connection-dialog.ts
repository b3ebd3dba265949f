import dynamic from "next/dynamic";
import { loadPart } from "../_ui/loading/load-part";

/** Loads the dialog before it is opened. */
export const loadConnectionDialog = () => loadPart(() => import("./connection-dialog"));

/** The dialog that asks for a provider's key, loaded when it is first shown. */
export const LazyConnectionDialog = dynamic(loadConnectionDialog, { ssr: false });
