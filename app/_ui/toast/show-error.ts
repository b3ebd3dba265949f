import { messageOf } from "../loading/fetch-json";
import { toast } from "./toast";

/** Says in passing what went wrong. */
export const showError = (error: unknown): void => {
  toast.error(messageOf(error));
};
