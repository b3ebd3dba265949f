import { loadPart } from "../loading/load-part";
import { MessageText } from "../text/message-text";

const loadToasts = () => loadPart(() => import("sonner"));

export const toast = {
  error: (message: string): void =>
    void loadToasts().then((toasts) => toasts.toast.error(<MessageText text={message} />)),
  info: (message: string): void => void loadToasts().then((toasts) => toasts.toast(<MessageText text={message} />)),
};

/** A message with one button, for ten seconds. */
export const offerAction = (message: string, action: { label: string; onClick(): void }): void =>
  void loadToasts().then((toasts) => toasts.toast(message, { action, duration: 10_000 }));
