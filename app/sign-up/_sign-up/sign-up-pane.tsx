"use client";
import Link from "next/link";
import { AccountCard, cardLink } from "../../_accounts/forms/account-card";
import { SignUpForm } from "../../_accounts/forms/sign-up-form";
import { useHash } from "../../_accounts/forms/use-hash";

interface SignUpPaneProps {
  /** Whether no one has an account here yet. */
  isFirst: boolean;
  /** Whether everyone may create one. */
  isOpen: boolean;
  /** Whether a link that is mailed to the address comes first. */
  needsProof: boolean;
}

/** The token is after the hash of the address, which browsers send to no server. */
export function SignUpPane({ isFirst, isOpen, needsProof }: SignUpPaneProps) {
  const hash = useHash();
  if (hash === null) return <AccountCard title="Create an account">{null}</AccountCard>;
  const token = new URLSearchParams(hash).get("token");
  if (token === null && !isOpen) return <NoToken isFirst={isFirst} />;
  return (
    <AccountCard
      title={isFirst ? "Create the first account" : "Create an account"}
      description={
        isFirst ? "It owns the first team, with the flows and runs that are already here." : <SignInInstead />
      }
    >
      <SignUpForm
        token={token}
        needsProof={needsProof && token === null}
        onSignedUp={() => window.location.assign("/")}
      />
    </AccountCard>
  );
}

const SignInInstead = () => (
  <p>
    You have one?{" "}
    <Link href="/sign-in" className={cardLink}>
      Sign in
    </Link>
  </p>
);

const NoToken = ({ isFirst }: { isFirst: boolean }) =>
  isFirst ? (
    <AccountCard
      title="No one has an account here yet"
      description="To create the first one, open the address that the server printed when it started, in its terminal or log: it ends in #token= and the token of the server."
    >
      {null}
    </AccountCard>
  ) : (
    <AccountCard
      title="An account needs an invitation"
      description="Ask an Admin of your team for one: it is a link that you open in this browser."
    >
      <SignInInstead />
    </AccountCard>
  );
