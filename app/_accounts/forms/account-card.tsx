import type { ReactNode } from "react";
import { Logo } from "../../_ui/shell/logo";

interface AccountCardProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** A page with one short form. */
export const AccountCard = ({ title, description, children }: AccountCardProps) => (
  <div className="flex w-full flex-1 flex-col items-center bg-surface-sunken px-4 pt-[12vh] pb-8">
    <div className="flex w-full max-w-96 flex-col gap-4 rounded-lg border bg-surface p-6 shadow-card">
      <div className="flex flex-col gap-2">
        <Logo size={24} />
        <h1 className="text-balance font-semibold text-lg tracking-tight">{title}</h1>
        {description !== undefined && <div className="text-pretty text-text-muted">{description}</div>}
      </div>
      {children}
    </div>
  </div>
);

export const cardLink = "font-medium text-accent-text underline underline-offset-2";
