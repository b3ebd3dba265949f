"use client";
import { useRouter } from "next/navigation";
import { FormProblem } from "@/app/_accounts/forms/fields";
import { anyAnswer, requestAccount } from "@/app/_accounts/request-account";
import { Button } from "@/app/_ui/controls/button";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { useSubmit } from "@/app/_ui/loading/use-submit";
import type { AccountDetail } from "@/lib/server/accounts/queries";
import { describeDevice } from "./describe-device";

export function SessionList({ sessions }: Pick<AccountDetail, "sessions">) {
  const router = useRouter();
  const { pending, problem, perform } = useSubmit();
  const signOutOthers = async (): Promise<void> => {
    await requestAccount("revoke-other-sessions", anyAnswer, { json: {} });
    router.refresh();
  };
  return (
    <>
      <ul aria-label="Sessions" className="divide-y rounded-md border">
        {sessions.map(({ id, userAgent, startedAt, isPresent }) => (
          <li key={id} className="flex min-h-11 flex-wrap items-center gap-x-3 px-3 py-1">
            <span className="min-w-0 flex-1 font-medium" title={userAgent}>
              {describeDevice(userAgent)}
              {isPresent && <span className="ml-2 font-normal text-success text-xs">This browser</span>}
            </span>
            <span className="text-text-muted text-xs">
              Signed in <RelativeTime at={startedAt} />
            </span>
          </li>
        ))}
      </ul>
      <FormProblem text={problem} />
      {sessions.length > 1 && (
        <Button pending={pending} className="self-start" onClick={() => void perform(signOutOthers)}>
          Sign out all other browsers
        </Button>
      )}
    </>
  );
}
