import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localRoles } from '@ergon/contracts'
import { loadFastKeccak, networks } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { createAdapters, type Adapters } from '../../src/adapters/index.ts'
import { treasury as wallet } from './rig.ts'

/** More than there are connections to one origin. */
const many = 70

async function textOf(request: IncomingMessage): Promise<string> {
  let text = request.url ?? ''
  for await (const part of request) text += String(part)
  return text
}

const asset = (network: string) => ({ symbol: 'USDC', network, decimals: 6 })
const terms = (network: string) =>
  ({
    ...{ network, agentId: 1, score: 80, tag1: 'a', tag2: 'b', endpoint: '', feedbackUri: 'http://a' },
    feedbackHash: `0x${'00'.repeat(32)}`,
  }) as Parameters<Adapters['ratings']['prepare']>[0]
const asks: readonly (readonly [what: string, ask: (adapters: Adapters, network: string) => Promise<unknown>])[] = [
  ['agents of wallets', ({ identities }, network) => identities.lookup(network, wallet)],
  ['holders of agents', ({ identities }, network) => identities.holder(network, 1)],
  [
    'registrations',
    ({ identities }, network) =>
      identities.register({
        network,
        wallet,
        key: `${network} ${String(Math.random())}`,
      }),
  ],
  ['reputations', ({ ratings }, network) => ratings.summary(network, 1)],
  ['ratings to be signed', ({ ratings }, network) => ratings.prepare(terms(network), wallet, new Date())],
  ['sweeps', ({ rails }, network) => rails(network).sweepFees(asset(network), `sweep ${String(Math.random())}`)],
]

test.each(asks)('%s of a network that never answers leave room for those of another', async (_what, ask) => {
  await loadFastKeccak()
  await using stack = new AsyncDisposableStack()
  // Like a facilitator one of whose networks answers nothing.
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      if (!text.includes('base-sepolia')) response.writeHead(400).end('{"errorCode":"none"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stack.defer(() => {
    server.closeAllConnections()
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'ergon-lanes-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const { localnet } = networks
  const sick = { ...localnet, name: 'base-sepolia', caip2: 'eip155:31338', chainId: 31_338 } as const
  const adapters = stack.use(
    createAdapters({
      facilitatorUrl: `http://127.0.0.1:${String(port)}`,
      networks: [localnet, sick].map((network) => ({ network, rpcUrls: ['http://127.0.0.1:1'] })),
      orderSignerKey: localRoles.service.privateKey,
      dataDir,
      secret: 'a secret of this test alone',
      baseUrl: 'http://market.test',
    }),
  )
  const ill = Array.from({ length: many }, () => ask(adapters, 'base-sepolia').catch(() => 'no answer'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const answered = ask(adapters, 'localnet').then(
    () => 'answered',
    () => 'answered',
  )
  expect(await Promise.race([answered, ...ill])).toBe('answered')
  server.close()
  server.closeAllConnections()
  await Promise.all(ill)
})
