import { expect, test } from 'vitest'
import type { MarketDeps } from './deps.ts'
import { buyer, channel, channelStage } from '../testing/scripted-channels.ts'
import { refusalOf, scriptedDeps, scriptedNow } from '../testing/scripted-deps.ts'
import { chainLags, closedNetworks } from '../views/house-views.ts'
import { bindChannel } from './bind-channel.ts'
import { channelOffer, openChannel } from './open-channel.ts'
import { readable } from './readable.ts'
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
