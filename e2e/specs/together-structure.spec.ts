import { expect, test } from "../fixtures/test";
import { Person } from "../pages/together";

const source = `name: Shared
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
  c: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> b >> c
`;

test("what two people change of the flow, one of them offline, is one flow afterwards", async ({ page, api, app }) => {
  const { id } = await api.createFlow(source);
  const browser = page.context().browser();
  if (!browser) throw new Error("no browser");
  const [ann, bob] = await Promise.all([Person.enter(browser, app.url, id), Person.enter(browser, app.url, id)]);
  await expect(ann.people.getByRole("button")).toHaveCount(1);
  await expect(bob.people.getByRole("button")).toHaveCount(1);
  await ann.context.setOffline(true);
  await ann.addAgent.click();
  await expect(ann.card("agent")).toBeVisible();
  await bob.addAgent.click();
  await bob.card("b").click();
  await bob.page.keyboard.press("Delete");
  await expect(bob.card("b")).toHaveCount(0);
  await bob.saved();
  await ann.context.setOffline(false);
  const readSecond = async () => /^ {2}(agent_\d\d):/m.exec(await ann.shownText())?.[1] ?? "";
  await expect.poll(readSecond).not.toBe("");
  const second = await readSecond();
  for (const person of [ann, bob])
    for (const agent of ["a", "c", "agent", second]) await expect(person.card(agent)).toBeVisible();
  await expect.poll(async () => (await ann.shownText()) === (await bob.shownText())).toBe(true);
  await ann.saved();
  const text = await api.getSource(id);
  expect(text).toBe(await bob.shownText());
  expect(text).toMatch(/flow: a >> c >> agent(_\d\d >> agent| >> agent_\d\d)\n/);
  await Promise.all([ann.context.close(), bob.context.close()]);
});
