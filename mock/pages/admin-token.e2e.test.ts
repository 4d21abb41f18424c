import { describeInBrowser } from '../testing/test-browser.ts';
import { served } from '../../http/testing/test-server.ts';
import { createMock, type Mock, type MockServer } from '../mock.ts';

const adminToken = 'open-sesame';

describeInBrowser('the pages with an admin token', (openPage) => {
  let mock: Mock;
  let server: MockServer;

  beforeAll(async () => {
    mock = createMock();
    server = await served(mock, { adminToken });
  });

  /** A page whose user enters the password once. */
  const pageOf = (password: string) => openPage({ httpCredentials: { username: 'anybody', password } });

  test('the dashboard and its events open to whoever gives the admin token as the password', async () => {
    const page = await pageOf(adminToken);
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    // A session has another path prefix, and needs the same password.
    for (const [query, prefix] of Object.entries({ '': '', '?session=one': '/_s/one' })) {
      await page.goto(`${server.url}/__admin/ui/${query}`);
      await page.getByText('live', { exact: true }).waitFor();
      await fetch(`${server.url}${prefix}/api/v1/agents/seen${query.length}`);
      await page.getByText(`seen${query.length}`).first().waitFor();
    }
    expect(troubles).toEqual([]);
  });

  test('the mock writes the first steps as shell commands', async () => {
    const { token, agentId } = mock.target;
    const page = await pageOf(adminToken);
    await page.goto(`${server.url}/__admin/ui/?session=two`);
    const lines = page.locator('.command code');
    await lines.filter({ hasText: agentId }).waitFor();
    await lines.filter({ hasText: 'First workspace' }).waitFor();
    expect(await lines.allTextContents()).toEqual([
      `curl -sS -i ${server.url}/_s/two/api/v1/agents/${agentId} -H 'Authorization: Bearer ${token}'`,
      `curl -sS -i ${server.url}/_s/two/api/v1/workspaces -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' --data-raw '{"name":"First workspace"}'`,
    ]);
  });

  test.each([
    ['its ids in it', adminToken, true],
    ['none of its ids in it, without the token', 'other', false],
  ])('the reference is shown, with %s', async (_, password, knows) => {
    const page = await pageOf(password);
    await page.goto(`${server.url}/docs/`);
    await page.getByText('List results of an agent').first().click();
    await page.getByRole('textbox').first().waitFor();
    expect((await page.locator('input').first().inputValue()) === mock.target.agentId).toBe(knows);
  });
});
