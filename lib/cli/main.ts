import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
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
  parseJsonAs(readFileSync(new URL("../../package.json", import.meta.url), "utf8"), packageSchema).version;

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError("Expected a number of seconds above 0.");
}

type EndCommand = (exitCode: number) => void;

/** The program. Each command loads only what it needs, so that `parse` starts fast and only `start` loads the server. */
function createProgram(end: EndCommand): Command {
  const program = new Command("swarmloom")
    .description("Draw swarms of LLM agents, run them, and inspect the runs.")
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError("(swarmloom --help lists the commands)");
  addParse(program, end);
  addCheck(program, end);
  addFmt(program, end);
  addExport(program, end);
  addImport(program, end);
  addRun(program, end);
  addStart(program, end);
  return program;
}

const addParse = (program: Command, end: EndCommand): Command =>
  program
    .command("parse")
    .description("parse a flow text such as a >> (b | c) and print it as JSON")
    .argument("[dsl]", "the text")
    .option("--stdin", "read JSON lines {id, dsl, names?}, print one JSON line for each")
    .action(async (dsl: string | undefined, options: { stdin?: boolean }) => {
      const { runParse } = await import("./commands/parse-command");
      end(await runParse(dsl, options));
    });

const addCheck = (program: Command, end: EndCommand): Command =>
  program
    .command("check")
    .description("report the problems of flow files")
    .argument("<files...>", "flow files (YAML)")
    .option("--json", "print one JSON line for each file")
    .action(async (files: string[], options: { json?: boolean }) => {
      const { runCheck } = await import("./commands/check-command");
      end(await runCheck(files, options));
    });

const addFmt = (program: Command, end: EndCommand): Command =>
  program
    .command("fmt")
    .description("print a flow file in canonical form, with its comments and meaning unchanged")
    .argument("<file>", "flow file (YAML)")
    .option("--write", "overwrite the file instead of printing")
    .action(async (file: string, options: { write?: boolean }) => {
      const { runFmt } = await import("./commands/fmt-command");
      end(await runFmt(file, options));
    });

const addExport = (program: Command, end: EndCommand): Command =>
  program
    .command("export")
    .description("print a flow file in another format")
    .argument("<file>", "flow file (YAML); - reads standard input")
    .addOption(new Option("--to <format>", "the format").choices(exportFormats).makeOptionMandatory())
    .action(async (file: string, { to }: { to: ExportFormat }) => {
      const { runExport } = await import("./commands/export-command");
      end(await runExport(file, to));
    });

const addImport = (program: Command, end: EndCommand): Command =>
  program
    .command("import")
    .description("convert a text in another format to a flow file and print it; runs nothing from the text")
    .argument("<file>", "the text; - reads standard input")
    .addOption(new Option("--from <format>", "the format (default: detected)").choices(importFormats))
    .action(async (file: string, { from: format }: { from?: ImportFormat }) => {
      const { runImport } = await import("./commands/import-command");
      end(await runImport(file, format));
    });

const addRun = (program: Command, end: EndCommand): Command =>
  program
    .command("run")
    .description("run a flow file without a database and print the output")
    .argument("<file>", "flow file (YAML)")
    .requiredOption("--input <text>", "the input of the flow; - reads standard input")
    .option("--messages <file>", "JSON file with the conversation before the input")
    .option("--model <provider:model>", "use this model for every agent")
    .option("--events", "print every event as a JSON line instead of the output")
    .option("--json", "print the result as JSON: status, output, messages, usage, steps, nodes, error")
    .option("--max-seconds <number>", "end the run with TIMEOUT after this time", readSeconds)
    .action(async (file: string, options: RunCommandOptions) => {
      const { runRun } = await import("./commands/run-command");
      end(await runRun(file, options));
    });

const addStart = (program: Command, end: EndCommand): Command =>
  program
    .command("start")
    .description("build if needed and serve the app on http://127.0.0.1:3000")
    .option("--token", "generate a token, print it in the address, and require it for every page and API call")
    .action(async (options: { token?: boolean }) => {
      const { start } = await import("./start");
      end(await start(options));
    });

/** Runs the command and returns its exit code: 0 fine, 1 the flow or run failed, 2 wrong usage. */
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

/** Recognised by its name, because only some commands load the module of the environment. */
const isUsageProblem = (error: unknown): error is Error =>
  error instanceof UsageError || (error instanceof Error && error.name === "EnvironmentError");

// A reader such as `head` closes the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await main();
