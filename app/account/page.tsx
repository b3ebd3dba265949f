import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { SignInOffers } from "@/app/_accounts/sign-in/requests";
import { Section } from "@/app/_ui/controls/section";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { getViewer } from "@/app/_viewer/get-viewer";
import { getAccount, listSignInOffers } from "@/lib/server/accounts/queries";
import { isTeamMode } from "@/lib/server/auth/team-mode";
import { listPersonalKeys } from "@/lib/server/connections/personal-keys";
import { Confirmation } from "./_account/confirm/confirmation";
import { NameForm } from "./_account/name-form";
import { PasskeyList } from "./_account/passkey-list";
import { PasswordForm } from "./_account/password-form";
import { PersonalKeys } from "./_account/personal-keys";
import { SessionList } from "./_account/session-list";
import { TwoFactor } from "./_account/two-factor";

export const metadata: Metadata = { title: "Account" };

export default async function AccountPage() {
  if (!isTeamMode()) notFound();
  const viewer = await getViewer();
  const { name, email, hasPassword, linked, hasTwoFactor, passkeys, sessions } = await getAccount(
    viewer,
    await headers(),
  );
  const proofs = {
    ...{ email, hasPassword, hasPasskey: passkeys.length > 0 },
    offers: toLinkedOffers(listSignInOffers(), linked),
  };
  const linkedNote = linked.length > 0 && <p>You sign in with {linked.join(" and ")}.</p>;
  return (
    <PageFrame width="narrow" className="flex flex-col gap-6">
      <h1 className="font-semibold text-xl tracking-tight">Account</h1>
      <Section id="profile" title="Profile" description={`You are signed in as ${email}.`}>
        {linkedNote}
        <NameForm name={name} />
      </Section>
      <Confirmation proofs={proofs}>
        <Section id="password" title="Password" description="Changing it signs you out in all other browsers.">
          {hasPassword ? <PasswordForm email={email} /> : <NoPassword />}
        </Section>
        <Section
          id="two-factor"
          title="Two-factor authentication"
          description="Signing in with your password then also needs a code of an app on your phone. Changing it signs you out in all other browsers."
        >
          {hasPassword ? <TwoFactor isOn={hasTwoFactor} /> : <NoPassword />}
        </Section>
        <Section
          id="passkeys"
          title="Passkeys"
          description="Sign in with the fingerprint, face or PIN of a device, or with a security key, in place of your password."
        >
          <PasskeyList passkeys={passkeys} />
        </Section>
      </Confirmation>
      <Section
        id="keys"
        title="Your keys"
        description="Your own keys of model providers. When you start a run you can choose them in place of the team's; no one else can."
      >
        <PersonalKeys keys={await listPersonalKeys(viewer)} />
      </Section>
      <Section id="sessions" title="Sessions" description="The browsers in which you are signed in.">
        <SessionList sessions={sessions} />
      </Section>
    </PageFrame>
  );
}

/** Of the providers, those with which this account signs in. */
const toLinkedOffers = ({ github, oidc }: SignInOffers, linked: readonly string[]): SignInOffers => ({
  github: github && linked.includes("GitHub"),
  oidc: oidc !== null && linked.includes(oidc) ? oidc : null,
});

const NoPassword = () => (
  <p className="text-text-muted">
    This account has no password. “Forgot your password?” on the page to sign in sets one.
  </p>
);
