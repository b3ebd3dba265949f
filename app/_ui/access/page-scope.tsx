"use client";
import { type ReactNode, useContext, useLayoutEffect } from "react";
import { type Access, AccessContext, FlowAccessContext, useAccess } from "./access";

interface PageScopeProps {
  access: Access;
  /** By the id of a flow. */
  flows?: Readonly<Record<string, Access>>;
  children: ReactNode;
}

const noFlows = {};

/** What a page shows belongs to a team, which need not be the one that was chosen last, and allows the user some things. */
export const PageScope = ({ access, flows = noFlows, children }: PageScopeProps) => (
  <AccessContext value={access}>
    <FlowAccessContext value={flows}>
      {access.team !== null && <ShownTeam id={access.team} />}
      {children}
    </FlowAccessContext>
  </AccessContext>
);

/** What is about one flow of a page. */
export function InFlow({ id, children }: { id: string; children: ReactNode }) {
  const access = useAccess();
  return <AccessContext value={useContext(FlowAccessContext)[id] ?? access}>{children}</AccessContext>;
}

/** Names the team for the requests of the page. Before its other parts, whose effects send some. */
function ShownTeam({ id }: { id: string }) {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const before = dataset.team;
    dataset.team = id;
    return () => {
      if (before === undefined) delete dataset.team;
      else dataset.team = before;
    };
  }, [id]);
  return null;
}
