/** Kinds of faults that a simulation may have. Each has some of them: what one hides another one shows. */
export const faultKinds = ["kill", "freeze", "cut-off", "outage", "loss", "slow", "notes"] as const;
export type FaultKind = (typeof faultKinds)[number];
