import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";

const variants = {
  primary: "bg-accent text-on-accent border-transparent hover:bg-accent-hover",
  secondary: "bg-surface-raised text-text border-line-strong hover:bg-surface-hover",
  ghost: "bg-transparent text-text border-transparent hover:bg-surface-hover",
  danger: "bg-surface-raised text-danger border-line-strong hover:bg-danger-soft",
} as const;

const sizes = {
  small: "h-7 px-2 gap-1.5",
  medium: "h-8 px-3 gap-2",
  large: "h-10 px-4 gap-2 text-sm",
} as const;

export type ButtonVariant = keyof typeof variants;

interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: keyof typeof sizes;
  pending?: boolean;
}

export const buttonClass = (variant: ButtonVariant = "secondary", size: keyof typeof sizes = "medium"): string =>
  `inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-md border font-medium transition-colors duration-150 disabled:cursor-default disabled:opacity-50 ${variants[variant]} ${sizes[size]}`;

export function Button({ variant, size, pending = false, ...buttonProps }: ButtonProps) {
  return (
    <button
      type="button"
      {...buttonProps}
      disabled={buttonProps.disabled || pending}
      aria-busy={pending || undefined}
      className={`${buttonClass(variant, size)} ${buttonProps.className ?? ""}`}
    >
      {pending && <LoaderCircle size={14} aria-hidden className="animate-spin" />}
      {buttonProps.children}
    </button>
  );
}
