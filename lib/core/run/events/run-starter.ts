/** What starts runs instead of a person. */
export type TriggerType = "schedule" | "webhook";

/** The id under which the runs of a trigger are stored, where those of a person have the person's. */
export const toStarterId = (type: TriggerType, triggerId: string): string => `${type}:${triggerId}`;

/** Whether the starter of a run is a trigger. */
export const isTriggerStarter = (starterId: string): boolean => /^(schedule|webhook):/.test(starterId);

/** Whether the starter of a run is no person: a trigger or an API key. */
export const isAutomatic = (starterId: string): boolean => /^(schedule|webhook|key):/.test(starterId);
