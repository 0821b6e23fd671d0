import type { By, ChainAct, Flow, Nested, Plan, Portion, Step, Wait } from './steps.ts'

// Sequences that once broke something, or that the machine must know from its first run on.

const by =
  (who: By) =>
  (name: ChainAct['do'], portion: Portion = 'all'): ChainAct => ({
    on: 'chain',
    do: name,
    by: who,
    which: 'newest',
    portion,
  })
const payer = by('payer')
const facilitator = by('facilitator')
const market = (name: Flow['do'], ...before: readonly Nested[]): Flow => ({
  on: 'market',
  do: name,
  worker: 0,
  which: 'newest',
  ...(before.length === 0 ? {} : { during: { before, after: [], answer: 'kept' as const } }),
})
const plan = (...steps: readonly Step[]): Plan => ({ mode: 'fase2', bountyUsd: '10', steps })

const until = (name: Wait['do']): Wait => ({ on: 'time', do: name })

const assigned = market('assign')
const submitted = [assigned, market('submit')] as const
const disputed = [...submitted, market('reject')] as const
const dust = payer('release', 'a dust')

export const examples: Readonly<Record<string, Plan>> = {
  'a bounty of which the payer released a dust is still approved': plan(...submitted, dust, market('approve')),
  'a dust released while the approval is on its way': plan(...submitted, market('approve', dust), market('approve')),
  'a dispute over a bounty of which a dust was released ends for the worker': plan(
    ...disputed,
    dust,
    market('resolve for the worker'),
  ),
  'a dispute over a bounty of which a dust was released ends for the payer': plan(
    ...disputed,
    dust,
    market('resolve for the payer'),
  ),
  'a dispute over a bounty of which a dust was released is split': plan(...disputed, dust, market('split')),
  'a task of which a dust was released is cancelled': plan(assigned, dust, market('cancel')),
  'a worker steps down from a task of which a dust was released': plan(assigned, dust, market('withdraw')),
  'a task of which a dust was released expires': plan(assigned, dust),
  'an authorization that was used to charge before it arrives is no lock': plan(market('assign', payer('charge'))),
  'an authorization of which a third was charged before it arrives is no lock': plan(
    market('assign', payer('charge', 'a third')),
    market('assign'),
  ),
  'an authorization of which a dust was held before it arrives is no lock, and the dust goes back': plan(
    market('assign', payer('relay', 'a dust')),
  ),
  'a bounty the payer released whole past us is over for every flow': plan(
    ...submitted,
    payer('release'),
    market('approve'),
    market('reject'),
  ),
  'a third refunded by another client leaves the rest to approve': plan(
    ...submitted,
    facilitator('order a refund', 'a third'),
    market('approve'),
  ),
  'a payout that was refunded afterwards is booked': plan(
    ...submitted,
    market('approve'),
    facilitator('refundPostEscrow', 'a third'),
  ),
  'a dust held by an authorization that ran out before its answer goes back': plan(
    market('assign', payer('relay', 'a dust'), until('preApprovalExpiry')),
  ),
  'an approval whose order ran out on its way ends, and can be given again': plan(
    ...submitted,
    market('approve', until('minutes'), until('minutes'), until('minutes')),
    market('approve'),
  ),
  'an approval that arrives past the deadline of its task ends': plan(
    ...submitted,
    market('approve', until('the deadline')),
  ),
  'a dispute of which another client refunded a dust ends for the worker': plan(
    ...disputed,
    facilitator('order a refund', 'a dust'),
    market('resolve for the worker'),
  ),
  'money taken back after the authorization expired is booked': plan(
    assigned,
    until('authorizationExpiry'),
    payer('reclaim'),
  ),
}
