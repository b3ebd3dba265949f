import type { Metadata } from "next";
import Link from "next/link";
import { AccountCard } from "@/app/_accounts/forms/account-card";
import { roleDescriptions } from "@/app/_accounts/roles";
import { buttonClass } from "@/app/_ui/controls/button";
import { findAccountVisitor } from "@/app/_viewer/get-viewer";
import { findAccountHead, listSignInOffers } from "@/lib/server/accounts/queries";
import { roleNames } from "@/lib/server/auth/viewer";
import { isMailConfigured } from "@/lib/server/mail/send-mail";
import { describeInvitation } from "@/lib/server/teams/invitations";
import { InvitationPane } from "./_invitation/invitation-pane";

export const metadata: Metadata = { title: "Invitation" };

export default async function InvitationPage({ params }: PageProps<"/invitations/[token]">) {
  const viewer = await findAccountVisitor();
  const { token } = await params;
  const account = viewer && (await findAccountHead(viewer));
  const invitation = await describeInvitation(token, account?.email);
  if (!invitation) return <UnusableInvitation />;
  const { team, role, invitedBy, expiresAt, isForOneAddress, refusal } = invitation;
  return (
    <AccountCard
      title={`Join ${team}`}
      description={`${invitedBy} invites you as ${roleNames[role]}: ${roleDescriptions[role]}.`}
    >
      <InvitationPane
        invitation={{ token, team, expiresAt, isForOneAddress, refusal }}
        account={account}
        offers={listSignInOffers()}
        needsProof={isMailConfigured()}
      />
    </AccountCard>
  );
}

const UnusableInvitation = () => (
  <AccountCard
    title="This invitation cannot be used"
    description="It was used or withdrawn, has expired, or its link is incomplete. Ask the person who sent it for a new one."
  >
    <Link href="/" className={buttonClass("secondary", "large")}>
      Go to the flows
    </Link>
  </AccountCard>
);
