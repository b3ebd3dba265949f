/** What a simulation is about. */
export const parts = ["document", "runs", "schedules"] as const;
export type Part = (typeof parts)[number];

export const isPart = (text: string): text is Part => parts.some((part) => part === text);
