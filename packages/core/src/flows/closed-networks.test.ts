import { expect, test } from 'vitest'
import type { MarketDeps } from './deps.ts'
import { buyer, channel, channelStage } from '../testing/scripted-channels.ts'
import { refusalOf, scriptedDeps, scriptedNow } from '../testing/scripted-deps.ts'
import { chainLags, closedNetworks } from '../views/house-views.ts'
import { bindChannel } from './bind-channel.ts'
import { duties } from './duties.ts'
import { channelOffer, openChannel } from './open-channel.ts'
import { readable } from './readable.ts'
import { attempt } from './settle.ts'
import type { VoidOrder } from '../settlements/order.ts'
import { claimed } from '../settlements/settlement.ts'
import { MarketError } from '../errors.ts'

const closing = (deps: MarketDeps, ...closed: readonly string[]): MarketDeps => ({
  ...deps,
  settings: { ...deps.settings, closedNetworks: closed },
})
const terms = { payer: 'payer', voucherKey: null }
const acts: readonly (readonly [string, (deps: MarketDeps) => Promise<unknown>])[] = [
  ['offered', (deps) => channelOffer(deps, buyer, 'task', { ...terms, depositUsd: null })],
  ['opened', (deps) => openChannel(deps, buyer, 'task', { ...terms, transaction: 'signed' })],
  ['bound', (deps) => bindChannel(deps, buyer, 'task', { ...terms, channelId: 'channel', payee: null })],
]

test.each(acts)('no channel is %s on a network that is closed, and its ledger is not asked', async (_what, act) => {
  const { deps, said } = channelStage()
  expect(await refusalOf(() => act(closing(deps, '*')))).toEqual(['NETWORK_CLOSED', expect.anything()])
  expect(said).toEqual([])
})

test('a channel that funds its task already is answered while the network is closed', async () => {
  const { deps } = channelStage({ script: { channelOf: channel() } })
  const again = { ...terms, channelId: 'channel', payee: null }
  expect(await bindChannel(closing(deps, '*'), buyer, 'task', again)).toEqual(channel())
})

test.each([
  [[], []],
  [['elsewhere'], []],
  [['localnet'], ['localnet']],
  [['*'], ['localnet']],
])('of %j are closed here %j', (closed, here) => {
  expect(closedNetworks(closing(scriptedDeps().deps, ...closed))).toEqual(here)
})

test('a chain that is served no more is not followed, so it is not behind', async () => {
  const block = { number: 7n, at: scriptedNow }
  const following = { first: 1n, followed: block, head: block, readAt: scriptedNow }
  const followings = [
    { network: 'gone', ...following },
    { network: 'localnet', ...following },
  ]
  expect(await chainLags(scriptedDeps({ followings }).deps)).toMatchObject([{ network: 'localnet' }])
})

test.each([
  ['CHAIN_UNAVAILABLE', null],
  ['NETWORK_NOT_ACCEPTED', null],
  ['TASK_NOT_FOUND', 'thrown'],
] as const)('what is read of a chain that throws %s is %s', async (code, read) => {
  const reading = readable(() => Promise.reject(new MarketError(code)))
  expect(await reading.catch(() => 'thrown')).toBe(read)
})

const unserved = (): never => {
  throw new MarketError('NETWORK_NOT_ACCEPTED', { network: 'gone' })
}

test('an order on a network that was left behind stays open: nobody knows of its copies', async () => {
  const { deps } = scriptedDeps({ lockSettlement: null }, { rails: unserved })
  const order = { kind: 'void', payment: { network: 'gone' } } as unknown as VoidOrder
  const about = { taskId: 'task', executorId: null, purpose: 'refund', subject: 'hash', mustLand: true } as const
  expect(await attempt(deps, claimed('id', scriptedNow, { ...about, order }))).toEqual({ state: 'open' })
})

test('fees of a network that was left behind keep no others from being moved', async () => {
  const fee = (network: string) => ({
    taskId: network,
    captured: { block: 1n },
    since: scriptedNow,
    bounty: { atomic: 100n, asset: { symbol: 'USDC', network, decimals: 6 } },
  })
  const { deps, of } = scriptedDeps({ owedFees: [fee('gone'), fee('localnet')], sweepAfter: null, leaseSweep: null })
  expect(await duties.disburseFees(deps)).toBe(0)
  expect(of('leaseSweep').map(([sweep]) => (sweep as { asset: { network: string } }).asset.network)).toEqual([
    'localnet',
  ])
})
