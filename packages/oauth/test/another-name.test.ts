import { expect, test } from 'vitest'
import { audience, codeForm, consented, createBench, refreshForm } from './bench.ts'

test('a refresh for a service that has another name since says so: its access token would open nothing', async () => {
  const bench = createBench({
    wrap: (store) => ({
      ...store,
      async rotate(...asked) {
        const grant = await store.rotate(...asked)
        return grant === null ? null : { ...grant, resource: 'https://old.example/mcp' }
      },
    }),
  })
  const clientId = await bench.client()
  const answer = await bench.server.tokens.answer(codeForm(clientId, await consented(bench, clientId)))
  await expect(bench.server.tokens.answer(refreshForm(clientId, answer.refresh_token))).rejects.toMatchObject({
    code: 'invalid_grant',
    message: `the resource here is ${audience} now: sign in again`,
  })
})
