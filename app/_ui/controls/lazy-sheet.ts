import dynamic from "next/dynamic";
import { loadPart } from "../loading/load-part";

export const loadSheet = () => loadPart(() => import("./sheet"));
export const Sheet = dynamic(loadSheet, { ssr: false });
