import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type RunParameters, runParametersSchema } from "@/lib/core/flow/schemas/run-parameters";
import { exportFormats, importFormats } from "@/lib/core/source/formats/format-names";
import { printable } from "./commands/report";
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

/** Reads a whole number as the parameter of a run of that name; its bounds are those of the agents' field. */
const readParameter =
  (name: keyof RunParameters) =>
  (text: string): number => {
    const { data, error } = runParametersSchema.safeParse({ [name]: text.trim() === "" ? Number.NaN : Number(text) });
    const value = data?.[name];
    if (value !== undefined) return value;
    throw new InvalidArgumentError(`Expected a whole number: ${error?.issues[0]?.message ?? "not valid"}.`);
  };

function readMoveSource(text: string): string {
  if (text === "sqlite" || /^file:./.test(text)) return text;
  throw new InvalidArgumentError("Expected sqlite, or file: and the path of a SQLite database.");
}

/** The program; `end` receives the exit code of the command that was called. */
function createProgram(end: (exitCode: number) => void): Command {
  const perform = toPerform(end);
  const program = new Command("swarmloom")
    .description("Draw swarms of LLM agents, run them, and inspect the runs.")
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError("(swarmloom --help lists the commands)");
  const addCommand = (name: string, description: string): Command => program.command(name).description(description);

  addCommand("parse", "parse a flow text such as a >> (b | c) and print it as JSON")
    .argument("[dsl]", "the text")
    .option("--stdin", "read JSON lines {id, dsl, names?}, print one JSON line for each")
    .action(perform(async () => (await import("./commands/parse-command")).runParse));
  addCommand("check", "report the problems of flow files")
    .argument("<files...>", "flow files (YAML)")
    .option("--json", "print one JSON line for each file")
    .action(perform(async () => (await import("./commands/check-command")).runCheck));
  addCommand("fmt", "print a flow file in canonical form, with its comments and meaning unchanged")
    .argument("<file>", "flow file (YAML)")
    .option("--write", "overwrite the file instead of printing")
    .action(perform(async () => (await import("./commands/fmt-command")).runFmt));
  addCommand("export", "print a flow file in another format")
    .argument("<file>", "flow file (YAML); - reads standard input")
    .addOption(new Option("--to <format>", "the format").choices(exportFormats).makeOptionMandatory())
    .action(perform(async () => (await import("./commands/export-command")).runExport));
  addCommand("import", "convert a text in another format to a flow file and print it; runs nothing from the text")
    .argument("<file>", "the text; - reads standard input")
    .addOption(new Option("--from <format>", "the format (default: detected)").choices(importFormats))
    .action(perform(async () => (await import("./commands/import-command")).runImport));
  addRunCommand(addCommand, perform);
  addCommand("start", "build if needed and serve the app on http://127.0.0.1:3000")
    .option("--token", "generate a token, print it in the address, and require it for every page and API call")
    .action(perform(async () => (await import("./start")).start));
  addCommand("worker", "drive runs beside the servers of the same PostgreSQL, as many processes as wanted").action(
    perform(async () => (await import("./worker")).runWorker),
  );
  addDatabaseCommands(addCommand, perform);
  return program;
}

/** Loads a command when it is called, so that `parse` starts fast and only `start` loads the server. */
const toPerform =
  (end: (exitCode: number) => void) =>
  <Args extends unknown[]>(load: () => Promise<(...args: Args) => Promise<number>>) =>
  async (...args: Args): Promise<void> =>
    end(await (await load())(...args));

function addRunCommand(
  addCommand: (name: string, description: string) => Command,
  perform: ReturnType<typeof toPerform>,
): void {
  addCommand("run", "run a flow file without a database and print the output")
    .argument("<file>", "flow file (YAML)")
    .requiredOption("--input <text>", "the input of the flow; - reads standard input")
    .option("--messages <file>", "JSON file with the conversation before the input")
    .option("--model <provider:model>", "use this model for every agent")
    .option("--events", "print every event as a JSON line instead of the output")
    .option("--json", "print the result as JSON: status, output, messages, usage, steps, nodes, error")
    .option("--max-seconds <number>", "end the run with TIMEOUT after this time", readSeconds)
    .option(
      "--max-steps <number>",
      "most model calls of each agent, instead of its max_steps",
      readParameter("max_steps"),
    )
    .option(
      "--max-retries <number>",
      "most retries of a failed model call, instead of each agent's max_retries",
      readParameter("max_retries"),
    )
    .option(
      "--loop-threshold <number>",
      "equal tool calls in a row that fail the run, instead of each agent's loop_threshold",
      readParameter("loop_threshold"),
    )
    .action(perform(async () => (await import("./commands/run-command")).runRun));
}

function addDatabaseCommands(
  addCommand: (name: string, description: string) => Command,
  perform: ReturnType<typeof toPerform>,
): void {
  addCommand("backup", "write a checked copy of the database to a file, also while the server runs")
    .argument("<file>", "the file to write")
    .option("--force", "replace the file if it exists")
    .action(perform(async () => (await import("./commands/backup-command")).runBackup));
  addCommand("restore", "replace the database with a backup; servers and workers must be stopped")
    .argument("<file>", "a file that backup wrote")
    .action(perform(async () => (await import("./commands/restore-command")).runRestore));
  addCommand("migrate", "bring the database up to date, or copy an installation to PostgreSQL")
    .addOption(
      new Option(
        "--from <source>",
        "copy from SQLite to the empty database of DATABASE_URL: `sqlite` (the data folder's), or `file:<path>`",
      ).argParser(readMoveSource),
    )
    .action(perform(async () => (await import("./commands/migrate-command")).runMigrate));
  addCommand("rotate-secret", "seal the keys that were entered in the app with another secret").action(
    perform(async () => (await import("./commands/rotate-secret")).runRotateSecret),
  );
}

/** Runs the command that `args` call and returns its exit code: 0 fine, 1 the flow or run failed, 2 wrong usage. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = createProgram((exitCode) => {
    code = exitCode;
  });
  try {
    await program.parseAsync(args, { from: "user" });
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
