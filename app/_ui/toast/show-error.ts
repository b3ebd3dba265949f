import { messageOf } from "../loading/fetch-json";
import { toast } from "./toast";

export const showError = (error: unknown): void => {
  toast.error(messageOf(error));
};
