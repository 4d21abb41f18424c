const PATIENCE_MS = 10_000;

/** Posts a JSON text to whoever wants to be told. @throws if it is not accepted within ten seconds */
export async function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`it answered ${answer.status}`);
}
