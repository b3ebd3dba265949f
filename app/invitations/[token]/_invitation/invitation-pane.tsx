"use client";
import { useState } from "react";
import * as z from "zod/mini";
import { FormProblem } from "@/app/_accounts/forms/fields";
import { SignUpForm } from "@/app/_accounts/forms/sign-up-form";
import type { SignInOffers } from "@/app/_accounts/sign-in/requests";
import { SignInForm } from "@/app/_accounts/sign-in/sign-in-form";
import { signOut } from "@/app/_accounts/sign-out";
import { openTeam } from "@/app/_accounts/team-choice";
import { Button } from "@/app/_ui/controls/button";
import { ChoiceSwitch } from "@/app/_ui/controls/choice-switch";
import { Moment } from "@/app/_ui/format/moment";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { useSubmit } from "@/app/_ui/loading/use-submit";

interface InvitationPaneProps {
  invitation: {
    token: string;
    team: string;
    expiresAt: number;
    isForOneAddress: boolean;
    /** It is for another address than that of the account. */
    refusal: { isFor: string } | null;
  };
  /** Who is signed in; null: no one is. */
  account: { name: string; email: string } | null;
  offers: SignInOffers;
  /** Whether a new account begins with a link that is mailed to its address. */
  needsProof: boolean;
}

const joinedSchema = z.object({ team: z.object({ id: z.string() }) });

async function join(token: string): Promise<void> {
  const path = `/api/v1/invitations/${encodeURIComponent(token)}/accept`;
  const { team } = await fetchJson(path, joinedSchema, { method: "POST" });
  openTeam(team.id);
}

export function InvitationPane({ invitation, account, offers, needsProof }: InvitationPaneProps) {
  const { token, team, expiresAt, isForOneAddress, refusal } = invitation;
  return (
    <>
      <p className="text-text-muted text-xs">
        The invitation can be used once, until <Moment at={expiresAt} />
        {isForOneAddress && ", with the e-mail address that it was made for"}.
      </p>
      {account === null ? (
        <NewMember token={token} offers={offers} needsProof={needsProof} />
      ) : refusal ? (
        <OtherAddress token={token} email={account.email} isFor={refusal.isFor} />
      ) : (
        <JoinButton token={token} team={team} email={account.email} />
      )}
    </>
  );
}

interface NewMemberProps extends Pick<InvitationPaneProps, "offers" | "needsProof"> {
  token: string;
}

function NewMember({ token, offers, needsProof }: NewMemberProps) {
  const [form, setForm] = useState<"new" | "existing">("new");
  return (
    <>
      <ChoiceSwitch
        label="Your account"
        value={form}
        choices={[
          { value: "new", label: "Create an account" },
          { value: "existing", label: "Sign in" },
        ]}
        onChange={setForm}
      />
      {form === "new" ? (
        <SignUpForm token={token} needsProof={needsProof} onSignedUp={() => join(token)} />
      ) : (
        <SignInForm offers={offers} next={`/invitations/${token}`} onSignedIn={() => join(token)} />
      )}
    </>
  );
}

interface OtherAddressProps {
  token: string;
  /** Of the account that is signed in. */
  email: string;
  isFor: string;
}

function OtherAddress({ token, email, isFor }: OtherAddressProps) {
  const { pending, problem, perform } = useSubmit({ leaves: true });
  return (
    <>
      <p>
        This invitation is for <b>{isFor}</b>. You are signed in as <b>{email}</b>. Sign out to use it with the other
        account, or ask for an invitation to your address.
      </p>
      <FormProblem text={problem} />
      <Button
        variant="primary"
        size="large"
        pending={pending}
        onClick={() => void perform(() => signOut(`/invitations/${token}`))}
      >
        Sign out and continue
      </Button>
    </>
  );
}

function JoinButton({ token, team, email }: { token: string; team: string; email: string }) {
  const { pending, problem, perform } = useSubmit({ leaves: true });
  return (
    <>
      <p className="text-text-muted">You are signed in as {email}.</p>
      <FormProblem text={problem} />
      <Button variant="primary" size="large" pending={pending} onClick={() => void perform(() => join(token))}>
        Join {team}
      </Button>
    </>
  );
}
