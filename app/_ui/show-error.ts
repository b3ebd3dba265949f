import { toast } from "sonner";
import { messageOf } from "./fetch-json";

/** Says in passing what went wrong. */
export const showError = (error: unknown): void => {
  toast.error(messageOf(error));
};
