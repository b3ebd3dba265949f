/** Of each part of the app, the page that describes it, by the beginning of its address. The first one that fits counts. */
const helpPages: readonly (readonly [beginning: RegExp, address: string])[] = [
  [/^\/(?:docs\/api|settings\/access)/, "/docs/http-api"],
  [/^\/runs/, "/docs/runs"],
  [/^\/triggers/, "/docs/runs#triggers"],
  [/^\/inbox/, "/docs/teams#inbox"],
  [/^\/audit/, "/docs/teams#audit-log"],
  [/^\/gallery/, "/docs/teams#sharing"],
  [/^\/settings\/connections/, "/docs/configuration#connections"],
  [/^\/settings\/runs/, "/docs/operations#retention"],
  [/^\/settings\/tools/, "/docs/teams#tools"],
  [/^\/(?:settings|account|teams)/, "/docs/teams"],
];

/** Where the docs describe a page of the app. */
export const findHelp = (path: string): string =>
  helpPages.find(([beginning]) => beginning.test(path))?.[1] ?? "/docs/editor";
