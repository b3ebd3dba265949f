import { loadPart } from "../loading/load-part";

const loadToasts = () => loadPart(() => import("sonner"));

/** Says something in passing. What shows it comes after the page; until then the words wait. */
export const toast = {
  error: (message: string): void => void loadToasts().then((toasts) => toasts.toast.error(message)),
  info: (message: string): void => void loadToasts().then((toasts) => toasts.toast(message)),
};
