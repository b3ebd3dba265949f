import { RequestError } from "@/app/_ui/loading/fetch-json";

/** Performs an action; where it needs a recent sign-in, once more after the user has confirmed who they are. Throws as the action does. */
export async function withConfirmation<T>(action: () => Promise<T>, confirm: () => Promise<boolean>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof RequestError && error.code === "SESSION_NOT_FRESH")) throw error;
    if (await confirm()) return action();
    throw new Error("Nothing was changed. Confirm that it is you, then it is done.");
  }
}
