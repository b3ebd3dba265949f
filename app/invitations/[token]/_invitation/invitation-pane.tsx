"use client";
import { useState } from "react";
import * as z from "zod/mini";
import { FormProblem } from "@/app/_accounts/forms/fields";
import { SignUpForm } from "@/app/_accounts/forms/sign-up-form";
import { SignInForm, type SignInOffers } from "@/app/_accounts/sign-in/sign-in-form";
import { openTeam } from "@/app/_accounts/team-choice";
import { Button } from "@/app/_ui/controls/button";
import { ChoiceSwitch } from "@/app/_ui/controls/choice-switch";
import { Moment } from "@/app/_ui/format/moment";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { useSubmit } from "@/app/_ui/loading/use-submit";

interface InvitationPaneProps {
  invitation: { token: string; team: string; expiresAt: number; isForOneAddress: boolean };
  /** Who is signed in; null: no one is. */
  account: { name: string; email: string } | null;
  offers: SignInOffers;
}

const joinedSchema = z.object({ team: z.object({ id: z.string() }) });

async function join(token: string): Promise<void> {
  const path = `/api/v1/invitations/${encodeURIComponent(token)}/accept`;
  const { team } = await fetchJson(path, joinedSchema, { method: "POST" });
  openTeam(team.id);
}

export function InvitationPane({ invitation, account, offers }: InvitationPaneProps) {
  const { token, team, expiresAt, isForOneAddress } = invitation;
  return (
    <>
      <p className="text-text-muted text-xs">
        The invitation can be used once, until <Moment at={expiresAt} />
        {isForOneAddress && ", with the e-mail address that it was made for"}.
      </p>
      {account === null ? (
        <NewMember token={token} offers={offers} />
      ) : (
        <JoinButton token={token} team={team} email={account.email} />
      )}
    </>
  );
}

function NewMember({ token, offers }: { token: string; offers: SignInOffers }) {
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
        <SignUpForm token={token} onSignedUp={() => join(token)} />
      ) : (
        <SignInForm offers={offers} next={`/invitations/${token}`} onSignedIn={() => join(token)} />
      )}
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
