import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import { linesOf, refusalOf, scriptedDeps, type Script } from '../testing/scripted-deps.ts'
import { agentNow, checkIdentities, heldNow } from './agent-now.ts'

const wallet = 'wallet'

type Given = {
  readonly script?: Script
  /** Who owns each agent, and what each wallet owns first. */
  readonly owners?: Readonly<Record<number, string>>
  readonly owns?: Readonly<Record<string, number>>
  /** Agents that cannot be asked for. */
  readonly unread?: readonly number[]
  readonly broken?: boolean
  /** Agents whose registration may still be undone. */
  readonly unsettled?: readonly number[]
}

function stage({ script = {}, owners = {}, owns = {}, unread = [], broken = false, unsettled = [] }: Given) {
  const one = scriptedDeps(script)
  const registry: unknown[][] = []
  const identities = {
    holder(network: string, agentId: number) {
      registry.push(['holder', network, agentId])
      if (broken) return Promise.reject(new Error('broken'))
      if (unread.includes(agentId)) return Promise.reject(new MarketError('identity_check_unavailable'))
      const owner = owners[agentId]
      return Promise.resolve(
        owner === undefined ? null : { owner, wallet: 'payout', uri: null, isSettled: !unsettled.includes(agentId) },
      )
    },
    lookup(network: string, of: string) {
      registry.push(['lookup', network, of])
      return Promise.resolve(owns[of] ?? null)
    },
  }
  const deps = { ...one.deps, identities } as unknown as typeof one.deps
  return { ...one, deps, registry }
}

describe('the agent that a wallet is stored with', () => {
  test('is its own while it owns it, whatever wallet it names, and nothing is written', async () => {
    const one = stage({ owners: { 7: wallet } })
    expect(await agentNow(one.deps, 'localnet', wallet, 7)).toBe(7)
    expect([one.registry, one.asked]).toEqual([[['holder', 'localnet', 7]], []])
  })
  test('is said to be settled as the registry says, and where another was found', async () => {
    const settled = async (given: Given) => (await heldNow(stage(given).deps, 'localnet', wallet, 7))?.isSettled
    expect(await settled({ owners: { 7: wallet }, unsettled: [7] })).toBe(false)
    expect(await settled({ owners: { 7: wallet } })).toBe(true)
    expect(await settled({ owners: {}, owns: { wallet: 8 } })).toBe(true)
    expect(await settled({ owners: {}, owns: { wallet: 7 } })).toBe(true)
  })
  test.each<[string, Given['owners']]>([
    ['another owns it', { 7: 'stranger' }],
    ['nobody owns it', {}],
  ])('is the one that it owns now where %s, and that is stored', async (_what, owners = {}) => {
    const one = stage({ owners, owns: { wallet: 8 } })
    expect(await agentNow(one.deps, 'localnet', wallet, 7)).toBe(8)
    expect(linesOf(one.asked)).toEqual([
      'changeIdentity {network:localnet,wallet:wallet,from:7,at:now,to:8,publishedSince:2026-11-20T12:00:00.000Z}',
    ])
  })
  test('is forgotten where it owns none, unless it was stored within the hour', async () => {
    const one = stage({ owners: { 7: 'stranger' } })
    expect(await agentNow(one.deps, 'localnet', wallet, 7)).toBeNull()
    expect(linesOf(one.asked)).toEqual([
      'forgetIdentity {network:localnet,wallet:wallet,from:7,at:now,storedBefore:2026-11-21T11:00:00.000Z}',
    ])
  })
  test('stays where a second look finds it, behind a node that knew nobody', async () => {
    const one = stage({ owns: { wallet: 7 } })
    expect([await agentNow(one.deps, 'localnet', wallet, 7), one.asked]).toEqual([7, []])
  })
  test('is not guessed', async () => {
    const one = stage({ unread: [7] })
    expect(await refusalOf(() => agentNow(one.deps, 'localnet', wallet, 7))).toEqual(['identity_check_unavailable', {}])
    expect(one.asked).toEqual([])
  })
})

describe('identities that are due', () => {
  const due = [
    { network: 'localnet', wallet, agentId: 7 },
    { network: 'localnet', wallet: 'other', agentId: 8 },
  ]
  test('are held against the registry, three in a round, and are due again later', async () => {
    const one = stage({
      script: { leaseIdentities: due },
      owners: { 7: 'other', 8: wallet },
      owns: { wallet: 8, other: 7 },
    })
    expect(await checkIdentities(one.deps)).toBe(2)
    const since = 'publishedSince:2026-11-20T12:00:00.000Z'
    const change = (of: string, from: number, to: number): string =>
      `changeIdentity {network:localnet,wallet:${of},from:${String(from)},at:now,to:${String(to)},${since}}`
    const lines = linesOf(one.asked)
    expect([lines[0], lines.slice(1, 3).toSorted(), lines.slice(3)]).toEqual([
      'leaseIdentities localnet now 2026-11-21T12:01:00.000Z 3',
      [change('other', 8, 7), change(wallet, 7, 8)].toSorted(),
      ['identitiesChecked [{network:localnet,wallet:wallet,agentId:7},{network:localnet,wallet:other,agentId:8}] now'],
    ])
  })
  test('that cannot be read are due again when their lease is over', async () => {
    const one = stage({ script: { leaseIdentities: due }, owners: { 8: 'other' }, unread: [7] })
    expect(await checkIdentities(one.deps)).toBe(1)
    expect(linesOf(one.asked).slice(1)).toEqual(['identitiesChecked [{network:localnet,wallet:other,agentId:8}] now'])
  })
  test('of which none can be read, or that are none, are written nowhere', async () => {
    const one = stage({ script: { leaseIdentities: due }, unread: [7, 8] })
    expect([await checkIdentities(one.deps), one.of('identitiesChecked')]).toEqual([0, []])
  })
  test('do not hide what is broken', async () => {
    const one = stage({ script: { leaseIdentities: due }, broken: true })
    await expect(checkIdentities(one.deps)).rejects.toThrow('broken')
  })
})
