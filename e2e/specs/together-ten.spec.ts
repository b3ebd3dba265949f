import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { expect, test } from "../fixtures/test";
import { Person } from "../pages/together";

/** An own line of the text and an own card for each. */
const names = ["ann", "bob", "cem", "dan", "eve", "fay", "gil", "hal", "ida", "jon"];
const source = `name: Ten
${names.map((name) => `# ${name}`).join("\n")}
agents:
${names.map((name) => `  ${name}_agent: { model: "demo:writer" }`).join("\n")}
swarm:
  type: workflow
  flow: ${names.map((name) => `${name}_agent`).join(" >> ")}
`;

test("ten people edit text and canvas through a network cut and a restart: the same bytes, and no edit lost", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const app = new AppServer({ SWARMLOOM_DEMO_SPEED: "0" });
  await app.start();
  try {
    const api = new Api(app.url);
    const { id } = await api.createFlow(source);
    const people: Person[] = [];
    for (const _ of names) people.push(await Person.enter(browser, app.url, id));
    const [first, second] = people;
    if (!first || !second) throw new Error("no one is there");
    await expect(first.people.getByRole("button").first()).toBeVisible();

    const everyoneTypes = (word: string) =>
      Promise.all(people.map((person, index) => person.typeAfter(`# ${names[index]}`, ` ${word}-${names[index]}`)));
    const everyoneChangesACard = () =>
      Promise.all(
        people.map(async (person, index) => {
          await person.select(`${names[index]}_agent`);
          await person.chooseModel("demo:critic");
        }),
      );
    await everyoneTypes("one");

    await second.context.setOffline(true);
    await everyoneTypes("two");
    await everyoneChangesACard();
    await second.context.setOffline(false);

    await app.kill();
    await everyoneTypes("three");
    await app.start();

    const expected = names
      .reduce((text, name) => text.replace(`# ${name}\n`, `# ${name} one-${name} two-${name} three-${name}\n`), source)
      .replaceAll('_agent: { model: "demo:writer" }', '_agent: { model: "demo:critic" }');
    await expect.poll(() => api.getSource(id), { timeout: 60_000 }).toBe(expected);
    for (const person of people) {
      await expect.poll(() => person.shownText()).toBe(expected);
      await person.saved();
    }
    for (const person of people) await person.context.close();
  } finally {
    await app.stop();
  }
});
