import type { ReactNode } from "react";

interface SectionProps {
  id: string;
  title: string;
  description: string;
  children: ReactNode;
}

/** One subject of a page of settings. */
export const Section = ({ id, title, description, children }: SectionProps) => (
  <section
    id={id}
    aria-labelledby={`${id}-title`}
    className="flex scroll-mt-4 flex-col gap-4 rounded-lg border bg-surface p-4"
  >
    <div>
      <h2 id={`${id}-title`} className="font-semibold text-base">
        {title}
      </h2>
      <p className="mt-1 text-text-muted">{description}</p>
    </div>
    {children}
  </section>
);
