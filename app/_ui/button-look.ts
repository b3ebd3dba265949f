export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "small" | "medium";

const base =
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors aria-disabled:opacity-60 disabled:cursor-not-allowed disabled:opacity-60";

const variants: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-accent text-on-accent not-disabled:hover:bg-accent-hover",
  secondary: "border-line-strong bg-surface text-text not-disabled:hover:bg-surface-hover",
  ghost: "border-transparent text-text-muted not-disabled:hover:bg-surface-hover not-disabled:hover:text-text",
  danger:
    "border-line-strong bg-surface text-danger not-disabled:hover:border-danger not-disabled:hover:bg-danger-soft",
};

const sizes: Record<ButtonSize, string> = {
  small: "h-7 px-2 text-xs pointer-coarse:h-9",
  medium: "h-8 px-3 text-[13px] pointer-coarse:h-10",
};

/** The classes of a button, also for links that look like one. */
export const buttonLook = (variant: ButtonVariant = "secondary", size: ButtonSize = "medium"): string =>
  `${base} ${variants[variant]} ${sizes[size]}`;
