/**
 * What each folder may import: other folders or files, and packages. `npm run lint` fails on everything else.
 *
 * A file follows the line with the longest path that contains it. It may always import files of that line's folder.
 * `*` allows every package without an owner; "packages with an owner" are listed below.
 */
export const folderDependencies: Readonly<Record<string, string>> = {
  "lib/core/flow": "zod",
  "lib/core/kinds": "lib/core/flow zod",
  "lib/core/condition": "lib/core/flow re2js",
  "lib/core/dsl": "lib/core/flow",
  "lib/core/check": "lib/core/flow lib/core/kinds ajv zod",
  "lib/core/layout": "lib/core/flow lib/core/kinds",
  "lib/core/history": "lib/core/flow zod",
  "lib/core/live": "lib/core/flow yjs diff zod",
  "lib/core/source":
    "lib/core/flow lib/core/kinds lib/core/check lib/core/layout lib/core/dsl lib/core/condition yaml zod ajv devalue",
  "lib/core/settle": "lib/core/flow lib/core/live lib/core/source yjs",
  "lib/core/source/formats/import/python": "lib/core/source lib/core/flow @lezer/python",
  "lib/core/run": "lib/core/flow lib/core/kinds lib/core/dsl lib/core/condition zod ajv",
  "lib/core/run/events": "lib/core/flow zod",
  "lib/core/trace": "lib/core/flow lib/core/run/events zod",
  "lib/core/index.ts": "lib/core/run lib/core/source",

  "lib/server": "lib/core lib/templates *",
  "lib/server/db.ts": "lib/core lib/server prisma *",
  "lib/server/start.ts": "lib/core lib/server prisma *",
  "lib/server/backup": "lib/core lib/server prisma *",
  "lib/server/runs/queue": "lib/core lib/server prisma *",
  "lib/cli": "lib/core lib/server *",
  "lib/templates": "lib/core *",
  "lib/bench": "lib/core lib/server prisma .config package.json *",
  "lib/simulate": "lib/core lib/server prisma *",
  prisma: "lib/core *",

  app: "lib/core lib/server lib/templates *",
  "app/_ui": "lib/core *",
  "app/_kinds": "lib/core app/_ui *",
  "app/_canvas": "lib/core app/_ui app/_kinds *",
  "app/_run": "lib/core app/_ui app/_kinds *",
  "app/_connections": "lib/core lib/server app/_ui *",
  "app/_formats": "lib/core app/_ui *",
  "app/_versions": "lib/core app/_ui app/_kinds app/_formats *",
  "app/_comments": "lib/core app/_ui *",
  "app/_share": "lib/core lib/server app/_ui app/_kinds app/_canvas app/_run/follow/throttle.ts *",
  "app/_run-view":
    "lib/core lib/server app/_ui app/_kinds app/_run app/_formats app/_connections app/_comments app/_share *",
  "app/flows/[id]/_editor/state": "lib/core app/_ui app/_kinds app/_canvas app/_run *",
  "app/flows/[id]/_editor/commands": "lib/core app/_ui app/_kinds app/_canvas app/_run app/flows/[id]/_editor/state *",
  "app/flows/[id]/_editor/panels":
    "lib/core lib/templates app/_ui app/_kinds app/_canvas app/_run app/_flows app/_formats app/_connections app/_versions app/_comments app/_share app/flows/[id]/_editor/state app/flows/[id]/_editor/commands *",
  "app/flows/[id]/_editor/shell":
    "lib/core app/_ui app/_kinds app/_canvas app/_run app/_connections app/flows/[id]/_editor *",
};

/** Packages that only these folders or files may import. */
export const packageOwners: Readonly<Record<string, string>> = {
  next: "app lib/cli/server/next-app.ts",
  react: "app",
  "react-dom": "app",
  "@xyflow/react": "app",
  "@xyflow/system": "app",
  "@prisma/client": "prisma",
  "@prisma/driver-adapter-utils": "prisma lib/simulate",
  "@prisma/adapter-better-sqlite3": "prisma lib/simulate",
  "@prisma/adapter-pg": "prisma",
  "better-sqlite3": "prisma lib/bench lib/simulate",
  pg: "prisma lib/server/runs/queue",
  "graphile-worker": "lib/bench prisma lib/server/runs/queue",
  openai: "lib/server/models",
  "@anthropic-ai/sdk": "lib/server/models",
  "@google/genai": "lib/server/models",
  "eventsource-parser": "lib/server/models lib/bench",
  undici: "lib/server/models lib/server/net",
};
