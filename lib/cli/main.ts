import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import {
  type ExportFormat,
  exportFormats,
  type ImportFormat,
  importFormats,
} from "@/lib/core/source/formats/format-names";
import { printable } from "./commands/report";
import type { RunCommandOptions } from "./commands/run-command";
import { UsageError } from "./usage-error";

const packageSchema = z.object({ version: z.string() });

/** The version in package.json. */
const readVersion = (): string =>
  packageSchema.parse(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))).version;

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError("Expected a number of seconds above 0.");
}

/** The commands. Each loads only what it needs, so that `parse` starts fast and nothing but `start` knows the server. */
function createProgram(end: (code: number) => void): Command {
  const program = new Command("swarmloom")
    .description("Draw swarms of LLM agents, run them, and read what happened.")
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError("(swarmloom --help tells what there is)");

  program
    .command("parse")
    .description("read a flow text such as a >> (b | c); prints JSON")
    .argument("[dsl]", "the text")
    .option("--stdin", "read JSON lines {id, dsl, names?}, print one JSON line for each")
    .action(async (dsl: string | undefined, options: { stdin?: boolean }) => {
      const { runParse } = await import("./commands/parse-command");
      end(await runParse(dsl, options));
    });

  program
    .command("check")
    .description("tell what is wrong with flow files")
    .argument("<files...>", "flow files (YAML)")
    .option("--json", "print one JSON line for each file")
    .action(async (files: string[], options: { json?: boolean }) => {
      const { runCheck } = await import("./commands/check-command");
      end(await runCheck(files, options));
    });

  program
    .command("fmt")
    .description("print a flow file in the usual form; comments and meaning stay")
    .argument("<file>", "flow file (YAML)")
    .option("--write", "put it in the place of the file")
    .action(async (file: string, options: { write?: boolean }) => {
      const { runFmt } = await import("./commands/fmt-command");
      end(await runFmt(file, options));
    });

  program
    .command("export")
    .description("print a flow file in another format")
    .argument("<file>", "flow file (YAML); - reads standard input")
    .addOption(new Option("--to <format>", "the format").choices(exportFormats).makeOptionMandatory())
    .action(async (file: string, { to }: { to: ExportFormat }) => {
      const { runExport } = await import("./commands/export-command");
      end(await runExport(file, to));
    });

  program
    .command("import")
    .description("print the flow file that a text in another format makes; nothing of the text is run")
    .argument("<file>", "the text; - reads standard input")
    .addOption(new Option("--from <format>", "the format (usual: what it looks like)").choices(importFormats))
    .action(async (file: string, { from: format }: { from?: ImportFormat }) => {
      const { runImport } = await import("./commands/import-command");
      end(await runImport(file, format));
    });

  program
    .command("run")
    .description("run a flow file without a database; prints the output")
    .argument("<file>", "flow file (YAML)")
    .requiredOption("--input <text>", "what the flow is run on; - reads standard input")
    .option("--messages <file>", "JSON file with the conversation before the input")
    .option("--model <provider:model>", "let every agent ask this model instead of its own")
    .option("--events", "print every event as a JSON line instead of the output")
    .option("--json", "print the result as JSON: status, output, messages, usage, steps, nodes, error")
    .option("--max-seconds <number>", "end the run with TIMEOUT after this time", readSeconds)
    .action(async (file: string, options: RunCommandOptions) => {
      const { runRun } = await import("./commands/run-command");
      end(await runRun(file, options));
    });

  program
    .command("start")
    .description("build if needed and serve the app on http://127.0.0.1:3000")
    .option("--token", "make a token, print it in the address, and demand it of every page and API call")
    .action(async (options: { token?: boolean }) => {
      const { start } = await import("./start");
      end(await start(options));
    });
  return program;
}

/** Runs the command and gives its exit code: 0 fine, 1 the flow or run failed, 2 wrong usage. */
async function main(): Promise<number> {
  let code = 0;
  try {
    await createProgram((ended) => {
      code = ended;
    }).parseAsync();
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isUsageProblem(error)) throw error;
    console.error(`error: ${printable(error.message)}`);
    return 2;
  }
}

/** Known by name: the module of the environment is loaded by the commands that need it only. */
const isUsageProblem = (error: unknown): error is Error =>
  error instanceof UsageError || (error instanceof Error && error.name === "EnvironmentError");

// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await main();
