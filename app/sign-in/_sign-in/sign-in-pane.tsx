"use client";
import type { SignInOffers } from "../../_accounts/sign-in/requests";
import { SignInForm } from "../../_accounts/sign-in/sign-in-form";

interface SignInPaneProps {
  offers: SignInOffers;
  next: string;
  initialProblem: string | null;
}

export const SignInPane = (props: SignInPaneProps) => (
  <SignInForm {...props} onSignedIn={() => window.location.assign(props.next)} />
);
