import { readFileSync } from "node:fs";
import path from "node:path";
import type { Part } from "../parts";

/** Where a mend is: texts of a file, and what was in their places before. */
export interface MendText {
  file: string;
  replacements: readonly (readonly [present: string, previous: string])[];
}

/** What takes a mend out of the code again. */
export interface MendRemoval extends MendText {
  /** The simulations that find its absence, and what they say then. */
  part: Part;
  finding: RegExp;
}

/** Mends of faults that simulations must find once a mend is taken out. */
export const mends = {
  /** Updates that arrive while others are stored are kept for the next statement. */
  "kept-updates": {
    part: "document",
    finding: /gaps|another document|is there 0 times|waits for changes/,
    file: "lib/server/collaboration/stored-document.ts",
    replacements: [
      ["return pending.slice(0, end < 0 ? pending.length : end);", "return end < 0 ? pending : pending.slice(0, end);"],
    ],
  },
  /** A run whose database is away between its claim and its first read waits. */
  "patient-reads": {
    part: "runs",
    finding: /ended as FAILED for no reason: storage/,
    file: "lib/server/runs/drive/run-driver.ts",
    replacements: [["await this.#patiently(() => this.#load(claim))", "await this.#load(claim)"]],
  },
  /** A look at the schedules deals with all that are due, and what came while servers looked is not missed. */
  "full-looks": {
    part: "schedules",
    finding: /although a server could always start one/,
    file: "lib/server/schedules/scheduler.ts",
    replacements: [
      ["const pageSize = 25;", "const pageSize = 100;"],
      [
        "await Promise.all(\n      page\n        .filter(isReadable)\n        .map((schedule) =>",
        "for (const schedule of page.filter(isReadable))\n      await (",
      ],
      [
        "),\n        ),\n    );\n  } while (page.length === pageSize && page.some(hasTime));",
        ")\n      );\n  } while (false);",
      ],
      ["newest < look.since - graceMs", "newest < look.now - graceMs"],
    ],
  },
  /** A process looks at the monotonic clock before each call: it may have been frozen past its lease. */
  "confirmed-leases": {
    part: "runs",
    finding: /is called again|is not its any more/,
    file: "lib/server/runs/drive/held-lease.ts",
    replacements: [["while (monotonicNow() >= this.#heldUntil) {", "while (false) {"]],
  },
} satisfies Record<string, MendRemoval>;

export type Mend = keyof typeof mends;

export const isMend = (text: string): text is Mend => Object.hasOwn(mends, text);

/** The text of a file without a mend. Throws where the mend is not in the file as it is described here. */
export function readWithout({ file, replacements }: MendText, project: string): string {
  return replacements.reduce(
    (text, [present, previous]) => {
      const parts = text.split(present);
      if (parts.length !== 2)
        throw new Error(
          `expected "${present}" once in ${file}, found it ${parts.length - 1} times: describe the mend anew`,
        );
      return parts.join(previous);
    },
    readFileSync(path.join(project, file), "utf8"),
  );
}
