/** Of each part of the app, the page that describes it, by the beginning of its address. The first one that fits counts. */
const described: readonly (readonly [beginning: RegExp, address: string])[] = [
  [/^\/(?:docs|settings\/access)/, "/docs/http-api"],
  [/^\/runs/, "/docs/runs"],
  [/^\/triggers/, "/docs/runs#triggers"],
  [/^\/settings\/connections/, "/docs/configuration"],
  [/^\/(?:settings|audit|account|teams|inbox|gallery)/, "/docs/teams"],
];

/** Where the docs describe a page of the app. */
export const findHelp = (path: string): string =>
  described.find(([beginning]) => beginning.test(path))?.[1] ?? "/docs/editor";
