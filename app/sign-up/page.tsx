import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { findAccountVisitor } from "@/app/_viewer/get-viewer";
import { hasAccounts } from "@/lib/server/accounts/sign-up-rules";
import { getDb } from "@/lib/server/db";
import { getEnv } from "@/lib/server/env";
import { isMailConfigured } from "@/lib/server/mail/send-mail";
import { SignUpPane } from "./_sign-up/sign-up-pane";

export const metadata: Metadata = { title: "Create an account" };

export default async function SignUpPage() {
  if (await findAccountVisitor()) redirect("/");
  const isFirst = !(await hasAccounts(await getDb()));
  return (
    <SignUpPane
      isFirst={isFirst}
      isOpen={!isFirst && getEnv().SWARMLOOM_OPEN_SIGN_UP === "1"}
      needsProof={!isFirst && isMailConfigured()}
    />
  );
}
