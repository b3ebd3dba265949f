import { createContext, useContext } from "react";

/** What the user may do with the flow or run that a page shows; the server decides by itself. */
export interface Access {
  /** The team of what is shown; null: people do not sign in here, and have no roles. */
  team: string | null;
  /** Start, continue, pause and stop runs, and answer their questions. */
  mayRun: boolean;
  mayEdit: boolean;
  /** Decide about members, connections and keys. */
  mayManage: boolean;
}

export const fullAccess: Access = { team: null, mayRun: true, mayEdit: true, mayManage: true };

export const AccessContext = createContext(fullAccess);

/** In the team of a page, or in one flow of it: see `InFlow`. */
export const useAccess = (): Access => useContext(AccessContext);

/** The flows of a page in which the user may do something else than in the others. */
export const FlowAccessContext = createContext<Readonly<Record<string, Access>>>({});
