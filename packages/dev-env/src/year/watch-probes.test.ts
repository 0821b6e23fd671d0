import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Stage } from '../storm/stage/stage.ts'
import { watchProbes } from './watch-probes.ts'

test('a word that was waited for is among those that were said, though a server says it once', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.end(JSON.stringify({ reasons: asked === 3 ? ['clock_far_off'] : [] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens
  const members = new Map([['server-a', { url: `http://127.0.0.1:${String(port)}` }]])
  const probes = watchProbes({ members } as unknown as Stage) // nothing else of it is asked
  await probes.until('clock_far_off', 20_000)
  expect(await probes.stop()).toEqual(['clock_far_off'])
})
