import type { Metadata } from "next";
import Link from "next/link";
import { AccountCard } from "@/app/_accounts/forms/account-card";
import { buttonClass } from "@/app/_ui/controls/button";
import { findAccountVisitor } from "@/app/_viewer/get-viewer";
import { isMailConfigured } from "@/lib/server/mail/send-mail";
import { NewPassword } from "./_reset/new-password";
import { RequestLink } from "./_reset/request-link";

export const metadata: Metadata = { title: "Set a new password" };

export default async function ResetPasswordPage({ searchParams }: PageProps<"/reset-password">) {
  await findAccountVisitor();
  const { token } = await searchParams;
  if (typeof token === "string" && token !== "")
    return (
      <AccountCard title="Set a new password" description="You are then signed out everywhere, and sign in with it.">
        <NewPassword token={token} />
      </AccountCard>
    );
  if (isMailConfigured())
    return (
      <AccountCard title="Forgot your password?" description="A link to set a new one is sent to your e-mail address.">
        <RequestLink />
      </AccountCard>
    );
  return (
    <AccountCard
      title="Forgot your password?"
      description="This server sends no mail. Ask an Admin of your team: Settings, Team, “Link for a new password”."
    >
      <Link href="/sign-in" className={buttonClass("secondary", "large")}>
        Back to sign in
      </Link>
    </AccountCard>
  );
}
