import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountCard } from "@/app/_accounts/forms/account-card";
import { toOwnPath } from "@/app/_accounts/own-path";
import { findAccountVisitor } from "@/app/_viewer/get-viewer";
import { listSignInOffers } from "@/lib/server/accounts/queries";
import { hasAccounts } from "@/lib/server/accounts/sign-up-rules";
import { getDb } from "@/lib/server/db";
import { SignInPane } from "./_sign-in/sign-in-pane";

export const metadata: Metadata = { title: "Sign in" };

/** Why a provider elsewhere has not signed a visitor in, by the code in the address. Other text in it is not shown. */
const problems: Readonly<Record<string, string>> = {
  access_denied: "You have cancelled signing in.",
  account_not_linked: "This e-mail address has an account here. Sign in to it with its password.",
  state_mismatch: "Signing in took too long, or was begun in another browser. Try again.",
  please_restart_the_process: "Signing in took too long, or was begun in another browser. Try again.",
};
const otherProblem =
  "Signing in there did not work. If you have no account here yet, ask an Admin of your team for an invitation to your e-mail address.";

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next, error } = await searchParams;
  const path = toOwnPath(next);
  if (await findAccountVisitor()) redirect(path);
  // Where no one can sign in, that page says how the first account is made.
  if (error === undefined && !(await hasAccounts(await getDb()))) redirect("/sign-up");
  return (
    <AccountCard title="Sign in to Swarmloom">
      <SignInPane
        offers={listSignInOffers()}
        next={path}
        initialProblem={error === undefined ? null : (problems[String(error)] ?? otherProblem)}
      />
    </AccountCard>
  );
}
