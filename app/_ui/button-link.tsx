import Link from "next/link";
import type { ComponentProps } from "react";
import { type ButtonSize, type ButtonVariant, buttonLook } from "./button-look";

interface ButtonLinkProps extends ComponentProps<typeof Link> {
  variant?: ButtonVariant;
  size?: ButtonSize;
}

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function ButtonLink({ variant = "secondary", size = "medium", className = "", ...props }: ButtonLinkProps) {
  return <Link {...props} className={`${buttonLook(variant, size)} ${className}`} />;
}
