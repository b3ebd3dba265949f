import { forgetLocalData } from "../_ui/local-data";
import { anyAnswer, requestAccount } from "./request-account";

/** Signs this browser out, deletes what it keeps of the user's work, and opens a path. Throws RequestError. */
export async function signOut(next = "/sign-in"): Promise<void> {
  await requestAccount("sign-out", anyAnswer, { json: {} });
  await forgetLocalData();
  window.location.assign(next);
}
