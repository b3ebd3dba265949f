import { forgetLocalData } from "../_ui/local-data";
import { anyAnswer, requestAccount } from "./request-account";

/** Signs this browser out, and deletes what it keeps of the user's work. Throws RequestError. */
export async function signOut(): Promise<void> {
  await requestAccount("sign-out", anyAnswer, { json: {} });
  await forgetLocalData();
  window.location.assign("/sign-in");
}
