import { expect, test } from 'vitest'
import { scriptedDeps } from '../testing/scripted-deps.ts'
import { auditMoney } from './audit-money.ts'
import { auditRatings } from './audit-ratings.ts'
import type { MarketDeps } from './deps.ts'
import { duties } from './duties.ts'
import { onEach } from './each-network.ts'

const local = scriptedDeps().deps.networks[0]
const networks = ['healthy', 'sick'].map((name) => ({ ...local, name })) as MarketDeps['networks']

test('a round on a network ends whatever the rounds on others do, and the first that failed is told', async () => {
  const ended: string[] = []
  const rounds = onEach({ networks }, undefined, async (network) => {
    if (network === 'healthy') throw new Error('broken')
    for (let turns = 0; turns < 50; turns += 1) await Promise.resolve()
    ended.push(network)
    return 1
  })
  await expect(rounds).rejects.toThrow('broken')
  expect(ended).toEqual(['sick'])
})

test('what rounds finished is added up, on the networks that are named or on all', async () => {
  expect(await onEach({ networks }, undefined, async () => 2)).toBe(4)
  expect(await onEach({ networks }, ['sick'], async () => 2)).toBe(2)
})

test.each([
  ['reconcile', 'leaseSettlements'],
  ['finishCashOuts', 'leaseCashOuts'],
  ['watchRefused', 'leaseWatched'],
  ['disburseFees', 'owedFees'],
  ['relayRatings', 'leaseRatings'],
  ['expire', 'dueTasks'],
  ['runTimers', 'leaseTimers'],
  ['checkIdentities', 'leaseIdentities'],
] as const)('%s takes the rows of one network after its own time, and asks for those of each', async (duty, method) => {
  const of = (network: string): unknown => (network === 'sick' ? new Promise(() => undefined) : [])
  const { deps, of: asked } = scriptedDeps({ [method]: of }, { networks })
  expect(await duties[duty](deps, ['healthy'])).toBe(0)
  expect(asked(method).map(([network]) => network)).toEqual(['healthy'])
  void duties[duty](deps)
  await expect.poll(() => asked(method).map(([network]) => network)).toEqual(['healthy', 'healthy', 'sick'])
})

test('chains are followed apart', async () => {
  const { deps, of } = scriptedDeps({ leaseFollowing: null }, { networks })
  expect(await duties.followChains(deps, 'report', ['sick'])).toBe(0)
  expect(of('leaseFollowing').map(([network]) => network)).toEqual(['sick'])
})

/** What the audit of one chain found is kept, and what is no chain's is looked at, although another one broke. */
test.each([
  [
    'money',
    auditMoney,
    { leaseAudit: { sums: false }, ledgerDrift: [], stuckSettlements: [], unnamedPayments: [], followings: [] },
    'leaseEscrowAudits',
    ['ledger', 'settlements', 'names', 'following'],
  ],
  ['ratings', auditRatings, { stuckRatings: [], leaseRatingAudits: [] }, 'leaseSentRatings', ['ratings']],
] as const)(
  'an audit of %s that breaks on one network ends on the others',
  async (_what, audit, script, lease, scopes) => {
    const breaking = (network: string): unknown => {
      if (network === 'sick') throw new Error('broken')
      return []
    }
    const { deps, of } = scriptedDeps({ ...script, leaseProofs: [], [lease]: breaking }, { networks })
    await expect(audit(deps)).rejects.toThrow('broken')
    expect(of('reportFindings').map(([scope]) => scope)).toEqual([scopes])
    expect(of(lease === 'leaseEscrowAudits' ? 'leaseProofs' : 'leaseRatingAudits').map(([network]) => network)).toEqual(
      ['healthy'],
    )
  },
)
