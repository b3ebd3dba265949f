import { expect, it } from "vitest";
import { RequestError } from "@/app/_ui/loading/fetch-json";
import { withConfirmation } from "./with-confirmation";

const notFresh = new RequestError("SESSION_NOT_FRESH", "You signed in more than 15 minutes ago.", 403);

/** An action that throws these errors in turn, then succeeds, and a user who confirms or not. */
function perform(errors: Error[], isConfirmed: boolean) {
  const calls: string[] = [];
  const action = async (): Promise<string> => {
    calls.push("action");
    const error = errors.shift();
    if (error) throw error;
    return "done";
  };
  const confirm = async (): Promise<boolean> => {
    calls.push("confirm");
    return isConfirmed;
  };
  const outcome = withConfirmation(action, confirm).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  return outcome.then((result) => [result, calls.join(" ")]);
}

it("an action after a recent sign-in asks for nothing", async () => {
  expect(await perform([], true)).toEqual(["done", "action"]);
});

it("an action that needs a recent sign-in is done once the user has confirmed, in place", async () => {
  expect(await perform([notFresh], true)).toEqual(["done", "action confirm action"]);
});

it("a user who does not confirm learns that nothing was changed", async () => {
  expect(await perform([notFresh], false)).toEqual([expect.stringMatching(/^Nothing was changed/), "action confirm"]);
});

it("every other error is the action's own, and no one is asked twice", async () => {
  expect(await perform([new Error("The password is wrong.")], true)).toEqual(["The password is wrong.", "action"]);
  expect(await perform([notFresh, notFresh], true)).toEqual([notFresh.message, "action confirm action"]);
});
