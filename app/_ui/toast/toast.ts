import { loadPart } from "../loading/load-part";

const loadToasts = () => loadPart(() => import("sonner"));

export const toast = {
  error: (message: string): void => void loadToasts().then((toasts) => toasts.toast.error(message)),
  info: (message: string): void => void loadToasts().then((toasts) => toasts.toast(message)),
};
