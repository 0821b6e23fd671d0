import { expect, test } from 'vitest'
import { codeForm, consented, createBench, refreshForm } from './bench.ts'

test('a refresh token of a grant that was renewed too often today is kept: the tool is told to wait', async () => {
  const bench = createBench()
  const clientId = await bench.client()
  const { refresh_token: token } = await bench.server.tokens.answer(
    codeForm(clientId, await consented(bench, clientId)),
  )
  const renew = () => bench.server.tokens.answer(refreshForm(clientId, String(token)))
  const [grant] = bench.store.grants()
  bench.store.spent.add(String(grant?.id))
  await expect(renew()).rejects.toMatchObject({
    code: 'temporarily_unavailable',
    message: expect.stringMatching(/too often today/) as string,
  })
  bench.store.spent.clear()
  expect((await renew()).refresh_token).toMatch(/^[\w-]{43}$/)
})
