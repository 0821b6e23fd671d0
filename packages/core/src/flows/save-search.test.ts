import { expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { newSearch } from '../searches/saved-search.ts'
import { anyFilter as filter } from '../testing/any-filter.ts'
import { refusalOf, scriptedDeps, scriptedNow as now, type Script } from '../testing/scripted-deps.ts'
import { removeSearch, saveSearch, searches } from './save-search.ts'

const caller: WalletCaller = { kind: 'wallet', wallet: 'wallet', agentId: null, via: 'session' }
const scene = (script: Script = {}) => scriptedDeps({ putSearch: (search: unknown) => search, ...script })
const put = (one: ReturnType<typeof scene>, words: string | null = null, as = caller) =>
  saveSearch(one.deps, as, 3, { name: 'Gates', filter: { ...filter, words } })

test('a search is saved in its place, for the party of the profile or of the way of asking', async () => {
  const saved = (party: 'human' | 'agent' | 'robot') =>
    newSearch({ wallet: 'wallet', slot: 3, name: 'Gates', filter, party }, now)
  expect(await put(scene({ workerByWallet: null }))).toEqual(saved('human'))
  expect(await put(scene({ workerByWallet: null }), null, { ...caller, via: 'signature' })).toEqual(saved('agent'))
  expect(await put(scene({ workerByWallet: { party: 'robot' } }))).toEqual(saved('robot'))
})

test('words that no list takes are refused before anything is written', async () => {
  const one = scene({ workerByWallet: null })
  expect(await refusalOf(() => put(one, '!!'))).toMatchObject(['VALIDATION_FAILED', { field: 'q' }])
  expect(one.asked).toEqual([])
  await put(one, 'gate')
  expect(one.of('putSearch')).toHaveLength(1)
})

test('a wallet reads and removes its own; nobody has none', async () => {
  const one = scene({ searches: ['own'], removeSearch: true })
  expect([await searches(one.deps, caller), await searches(one.deps, { kind: 'anonymous' })]).toEqual([['own'], []])
  expect([await removeSearch(one.deps, caller, 2), one.of('searches'), one.of('removeSearch')]).toEqual([
    true,
    [['wallet']],
    [['wallet', 2]],
  ])
})
