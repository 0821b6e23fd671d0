import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localAccounts, localRoles } from '@ergon/contracts'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { createFacilitator, decideConfig, readEnv, readSecrets } from '@ergon/facilitator'
import { expect, onTestFinished, test } from 'vitest'
import { createAdapters } from '../../src/adapters/index.ts'
import { authorizeOrder } from './orders.ts'
import { rpc, startRig, stranger } from './rig.ts'
import { facilitatorSchema } from '@ergon/facilitator/testing'

test('what a facilitator sent under the key it had before is known as its own', async () => {
  const database = await createTestDatabase(facilitatorSchema)
  onTestFinished(() => database[Symbol.asyncDispose]())
  const rig = await startRig({ DATABASE_URL: database.url })
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const answer = await rig.adapters
    .rails('localnet')
    .send(await authorizeOrder(rig.adapters), 10_000, new Date(Date.now() + 60_000))
  if (answer.outcome !== 'settled') throw new Error(answer.outcome)
  const foreign = await rpc(rig.chain.rpcUrl, 'eth_sendTransaction', [
    { from: stranger.address, to: stranger.address, value: '0x1' },
  ])

  const env = {
    FACILITATOR_PORT: '0',
    DATABASE_URL: database.url,
    FACILITATOR_NETWORKS: 'localnet',
    FACILITATOR_RPC_LOCALNET: rig.chain.rpcUrl,
    FACILITATOR_KEY: localAccounts[8]?.privateKey,
    FACILITATOR_ORDER_DELEGATES: localRoles.service.address,
    FACILITATOR_LOG_LEVEL: 'fatal',
  }
  const next = await createFacilitator(decideConfig(readEnv(env)), readSecrets(env))
  onTestFinished(() => next[Symbol.asyncDispose]())
  await using adapters = createAdapters({ ...rig.settings, facilitatorUrl: await next.listen() })
  const { logs } = adapters.rails('localnet')
  expect([...(await logs.sentByFacilitator([answer.txHash, String(foreign)]))]).toEqual([answer.txHash])
})

test.each([
  ['has no such path', 404, []],
  ['is silent for now', 503, 'CHAIN_UNAVAILABLE'],
  ['asks for patience', 429, 'CHAIN_UNAVAILABLE'],
] as const)('a facilitator that tells its keys and of no former ones %s', async (_what, status, expected) => {
  const rig = await startRig()
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const server = createServer((request, response) => {
    const isKnown = request.url === '/supported'
    response.writeHead(isKnown ? 200 : status, { 'content-type': 'application/json' })
    response.end(isKnown ? JSON.stringify({ kinds: [], signers: { 'eip155:*': [stranger.address] } }) : 'no')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port
  await using adapters = createAdapters({ ...rig.settings, facilitatorUrl: `http://127.0.0.1:${String(port)}` })
  const asked = adapters.rails('localnet').logs.sentByFacilitator([`0x${'11'.repeat(32)}`])
  if (typeof expected === 'string') await expect(asked).rejects.toThrow(expected)
  else expect([...(await asked)]).toEqual(expected)
})
