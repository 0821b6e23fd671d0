import { describe, expect, test } from 'vitest'
import type { Caller, WalletCaller } from '../caller.ts'
import { payerPct } from '../disputes/ruling.ts'
import type { RulingTerms } from '../ports/signatures.ts'
import { linesOf, refusalOf, scriptedNow, type Script, walletOf } from '../testing/scripted-deps.ts'
import { ruling as standing, view } from '../testing/scripted-disputes.ts'
import { plainSignature } from '../testing/fake-ports.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask, offer, placeOn } from '../testing/scripted-money.ts'
import { readPolicy } from '../policy/policy.ts'
import { appeal, arbiters, readRuling, rule, rulingChallenge, type RulingInput } from './rule.ts'

const now = scriptedNow
const hourMs = 3_600_000
const after = (ms: number): Date => new Date(now.getTime() + ms)
const arbiter = walletOf('arbiter', 7)

const task = heldTask({ status: 'disputed', escrowStatus: 'authorized', publisherAgentId: 1 })
const worker = { id: 'executor', wallet: 'receiver', agentId: 2 }
const payout = (own: string | null) => (id: string) => (id === 'executor' ? 'address' : own)

function stage(script: Script = {}, named: readonly string[] | undefined = ['arbiter', 'other']) {
  const one = placeOn(task, {
    dispute: view(),
    lockDispute: view(),
    lockRulingOf: null,
    task,
    worker,
    workerByWallet: null,
    payoutAddress: payout(null),
    insertRuling: true,
    ...script,
  })
  const settings = { ...one.deps.settings, ...(named === undefined ? {} : { arbiters: named }) }
  const signed: RulingTerms[] = []
  const signatures = {
    ...one.deps.signatures,
    rulingDocument(terms: RulingTerms) {
      signed.push(terms)
      return one.deps.signatures.rulingDocument(terms)
    },
  }
  return { ...one, deps: { ...one.deps, settings, signatures }, signed }
}

const words = { verdict: 'split', splitPct: 40, reason: 'Half of it is there.', criteria: ['complete'] } as const
const input = (change: Partial<RulingInput> = {}): RulingInput => ({
  ...words,
  deadline: after(hourMs),
  nonce: '0x01',
  signature: plainSignature('arbiter', '0x01'),
  ...change,
})

describe('the words of a ruling', () => {
  const challenge = (one: ReturnType<typeof stage>) => rulingChallenge(one.deps, arbiter, 'dispute', words)

  test('say what is decided and by whom, and can be signed for an hour, in whole seconds', async () => {
    const one = stage()
    one.clock.advance(999)
    const nonce = `0x${'1'.padStart(64, '0')}`
    const deadline = after(hourMs)
    expect(await challenge(one)).toEqual({ disputeId: 'dispute', typedData: { nonce }, nonce, deadline })
    const about = { disputeId: 'dispute', taskId: 'task', network: 'localnet', arbiter: 'arbiter' }
    const said = { verdict: 'split', payerPct: 40, reason: words.reason, criteria: ['complete'] }
    expect(one.signed).toEqual([{ ...about, ...said, deadline, nonce }])
  })
  test.each([
    ['localnet', 'localnet'],
    ['ticks', 'preferred'],
    ['gone', 'preferred'],
  ])('of a task on %s are signed for %s: a signature names a chain', async (network, signedFor) => {
    const one = stage({ task: { ...task, bounty: { ...task.bounty, asset: { ...task.bounty.asset, network } } } })
    const networks = [...one.deps.networks, { ...one.deps.networks[0], name: 'ticks', chainId: null }]
    const settings = { ...one.deps.settings, preferredNetwork: 'preferred' }
    await rulingChallenge({ ...one.deps, networks, settings } as typeof one.deps, arbiter, 'dispute', words)
    expect(one.signed[0]?.network).toBe(signedFor)
  })
  test.each([
    ['refund', null, 100],
    ['release', null, 0],
    ['split', 40, 40],
    ['split', null, 0],
  ] as const)('%s %j: %j of a hundred go back', (verdict, splitPct, pct) => {
    expect(payerPct(verdict, splitPct)).toBe(pct)
  })
  test('are refused for a share that is none', async () => {
    const refused = rulingChallenge(stage().deps, arbiter, 'dispute', { ...words, splitPct: 100 })
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'split_pct' } })
  })
  test('are for those whom the operator lets rule, and everybody may know them', async () => {
    expect(await arbiters(stage().deps)).toEqual(['arbiter', 'other'])
    expect(await arbiters(placeOn(task).deps)).toEqual([])
  })
})

describe('who may rule', () => {
  const forbidden = ['FORBIDDEN', { dispute_id: 'dispute' }]
  const unknown = ['ARBITER_UNKNOWN', { dispute_id: 'dispute' }]
  const named = (who: string) => ({ task: { ...task, policy: readPolicy({ arbiter: who }) } })
  const own = (agentId: number | null) => ({ workerByWallet: { id: 'own', wallet: 'arbiter', agentId } })

  test.each<[string, WalletCaller, Script, unknown]>([
    ['not the publisher', walletOf('payer'), {}, forbidden],
    ['not the worker', walletOf('receiver'), {}, forbidden],
    ['not the agent of the publisher', walletOf('arbiter', 1), {}, forbidden],
    ['not the agent of the worker', walletOf('arbiter', 2), {}, forbidden],
    ['not a worker of the same agent', walletOf('arbiter'), own(2), forbidden],
    ['not who is paid where the worker is', arbiter, { ...own(9), payoutAddress: payout('address') }, forbidden],
    ['who is paid elsewhere', arbiter, { ...own(9), payoutAddress: payout('elsewhere') }, null],
    ['who is paid nowhere yet, as the worker is', arbiter, { ...own(null), payoutAddress: null }, null],
    ['not whom the operator does not name', walletOf('stranger'), {}, unknown],
    ['whom the task names', arbiter, named('arbiter'), null],
    ['not beside whom the task names', arbiter, named('other'), unknown],
    ['nobody on what is not there', arbiter, { dispute: null }, ['DISPUTE_NOT_FOUND', { dispute_id: 'dispute' }]],
  ])('%s', async (_who, caller, script, refused) => {
    expect(await refusalOf(() => rulingChallenge(stage(script).deps, caller, 'dispute', words))).toEqual(refused)
  })
  test('and a party hears why not', async () => {
    await expect(rule(stage().deps, walletOf('payer'), 'dispute', input())).rejects.toThrow(
      'An arbiter is never a party, nor of the same owner as one.',
    )
  })
})

const locked: Lines = ['transaction', 'lockTask task', 'lockDispute dispute', 'hasOpenSettlement task']
const inserted = (appealUntil: string) =>
  'insertRuling {id:#1,disputeId:dispute,taskId:task,arbiter:arbiter,verdict:split,splitPct:40,' +
  'reason:Half of it is there.,criteria:[complete],nonce:0x01,deadline:2026-11-21T13:00:00.000Z,' +
  `signature:arbiter signs 0x01,status:standing,appealedBy:null,appealReason:null,createdAt:now,` +
  `appealUntil:${appealUntil},endedAt:null}`
const appealable = (until: string): Lines => [
  `changeTask task {turn:{kind:ruling,untilMs:${String(Date.parse(until))}}} now`,
  `putTimer task ruling_end ${until}`,
]
const moved = (id: number, deadline: string): Lines => [
  `changeTask task {deadline:${deadline}} now`,
  `addEvent {id:#${String(id)},type:task.deadline_moved,taskId:task,at:now,data:{task_id:task,` +
    `deadline:${deadline},was:2026-11-21T12:00:00.001Z,reason:ruled}}`,
]
const told = (id: number, until: string) =>
  `addEvent {id:#${String(id)},type:dispute.ruled,taskId:task,at:now,data:{task_id:task,dispute_id:dispute,` +
  `verdict:split,arbiter:arbiter,appeal_until:${until}}}`

/** 24 hours, or what the end of the authorization leaves of them: it ends in a day, less twelve hours. */
const [day, half] = ['2026-11-22T12:00:00.000Z', '2026-11-22T00:00:00.000Z']

async function ruled(script: Script = {}): Promise<readonly string[]> {
  const { deps, asked } = stage(script)
  await rule(deps, arbiter, 'dispute', input())
  const lines = linesOf(asked)
  return lines.slice(lines.indexOf('transaction'))
}

describe('a ruling moves no money: it is kept, and can be appealed', () => {
  test('while what is held can still be paid out', async () => {
    expect(await ruled()).toEqual([
      ...locked,
      'escrowPayment task',
      inserted(half),
      'lockOffers task',
      ...appealable(half),
      'escrowPayment task',
      ...moved(2, half),
      told(3, half),
    ])
  })
  test('for a day where nothing is held, and there is a day more to carry it out', async () => {
    expect(await ruled({ lockTask: { ...task, escrowStatus: 'none' } })).toEqual([
      ...locked,
      inserted(day),
      'lockOffers task',
      ...appealable(day),
      ...moved(2, '2026-11-23T12:00:00.000Z'),
      told(3, day),
    ])
  })
  test('for a day where what was held is not known', async () => {
    expect(await ruled({ escrowPayment: null })).toContain(inserted(day))
  })
  test('and ends what the two sides offered each other', async () => {
    const open = offer({ status: 'open' })
    const lines = await ruled({ lockOffers: [open, { ...open, id: 'from payer', side: 'publisher' }] })
    expect(lines.filter((line) => line.startsWith('endOffer'))).toEqual([
      'endOffer offer withdrawn null now',
      'endOffer from payer withdrawn null now',
    ])
  })
  test('and is answered as it is kept', async () => {
    const { deps, of } = stage()
    expect(await rule(deps, arbiter, 'dispute', input())).toEqual(of('insertRuling')[0]?.[0])
  })

  const notFound = ['DISPUTE_NOT_FOUND', { dispute_id: 'dispute' }]
  const notOpen = (status: string, taskStatus = 'disputed') => [
    'DISPUTE_NOT_OPEN',
    { dispute_id: 'dispute', status, task_status: taskStatus },
  ]
  const late = (received: string) => [
    'VALIDATION_FAILED',
    { field: 'deadline', constraint: 'within the next hour', received },
  ]
  test.each<[string, Partial<RulingInput>, Script, unknown]>([
    ['that is signed until now', { deadline: now }, {}, late(now.toISOString())],
    ['that is signed for longer than an hour', { deadline: after(hourMs + 1) }, {}, late('2026-11-21T13:00:00.001Z')],
    ['of a task that is gone', {}, { lockTask: null }, notFound],
    ['of a dispute that is gone', {}, { lockDispute: null }, notFound],
    ['while money is under way', {}, { hasOpenSettlement: true }, ['APPROVAL_IN_FLIGHT', { dispute_id: 'dispute' }]],
    ['of a dispute that is decided', {}, { lockDispute: view({ status: 'resolved' }) }, notOpen('resolved')],
    ['of a task that ended', {}, { lockTask: { ...task, status: 'expired' } }, notOpen('open', 'expired')],
    ['beside another', {}, { insertRuling: false }, notOpen('open')],
  ])('but none %s', async (_what, change, script, refused) => {
    const { deps, of } = stage(script)
    expect(await refusalOf(() => rule(deps, arbiter, 'dispute', input(change)))).toEqual(refused)
    expect(of('putTimer')).toEqual([])
  })
  test('but none that another signed, and it is told what was to be signed for', async () => {
    const { deps, of } = stage()
    const ruling = rule(deps, arbiter, 'dispute', input({ signature: plainSignature('other', '0x01') }))
    await expect(ruling).rejects.toMatchObject({
      code: 'INVALID_SIGNATURE',
      message: 'The ruling is not signed by its arbiter.',
      details: { reason: 'the ruling is not signed by its arbiter', network: 'localnet' },
    })
    expect(of('transaction')).toEqual([])
  })
  test('but none whose share is none', async () => {
    const refused = await refusalOf(() => rule(stage().deps, arbiter, 'dispute', input({ splitPct: null })))
    expect(refused).toEqual(['VALIDATION_FAILED', expect.objectContaining({ field: 'split_pct' })])
  })
})

describe('a ruling is read', () => {
  const read = (caller: Caller | { readonly kind: 'admin' }, script: Script = { rulingOf: standing() }) => {
    const one = stage(script)
    return { ...one, done: () => readRuling(one.deps, caller, 'dispute') }
  }
  const forbiddenTask = ['FORBIDDEN', { task_id: 'task' }]

  test.each<[string, Caller | { readonly kind: 'admin' }]>([
    ['the publisher', walletOf('payer')],
    ['the worker', walletOf('receiver')],
    ['the operator', { kind: 'admin' }],
  ])('by %s', async (_who, caller) => {
    const { done, of } = read(caller)
    expect(await done()).toEqual(standing())
    expect(of('addAudit')).toEqual([])
  })
  test('by an arbiter, and the log has it', async () => {
    const { done, asked } = read(arbiter)
    expect(await done()).toEqual(standing())
    expect(linesOf(asked).filter((line) => line.startsWith('addAudit'))).toEqual([
      'addAudit {actor:arbiter,reason:an arbiter reads the ruling,requestId:,id:#1,at:now,action:dispute.read,' +
        'subject:dispute,before:{},after:{what:ruling,task_id:task}}',
    ])
  })
  test.each<[string, Caller, unknown]>([
    ['nobody without a name', { kind: 'anonymous' }, ['FORBIDDEN', { dispute_id: 'dispute' }]],
    ['no stranger', walletOf('stranger'), forbiddenTask],
  ])('by %s', async (_who, caller, refused) => {
    expect(await refusalOf(read(caller).done)).toEqual(refused)
  })
  test('where there is one', async () => {
    const { done } = read(walletOf('payer'), { rulingOf: null })
    expect(await refusalOf(done)).toEqual(['RULING_NOT_FOUND', { dispute_id: 'dispute' }])
  })
})

describe('a party takes a ruling to the operator', () => {
  const open = { lockRulingOf: standing({ appealUntil: after(1) }) }
  const looked: Lines = ['dispute dispute', 'transaction', 'lockTask task', 'lockRulingOf task']

  test.each([
    ['payer', 'publisher'],
    ['receiver', 'worker'],
  ])('%s, as the %s: nothing is carried out any more, and the other side hears of it', async (wallet, side) => {
    const { deps, asked } = stage(open)
    expect(await appeal(deps, walletOf(wallet), 'dispute', 'It is whole.')).toEqual({
      id: 'ruling',
      appealUntil: after(1),
      status: 'appealed',
      appealedBy: side,
      appealReason: 'It is whole.',
    })
    expect(linesOf(asked)).toEqual([
      ...looked,
      'hasOpenSettlement task',
      `appealRuling ruling ${side} It is whole.`,
      'changeTask task {turn:{kind:appealed}} now',
      'addEvent {id:#1,type:dispute.appealed,taskId:task,at:now,' +
        `data:{task_id:task,dispute_id:dispute,by:${side}}}`,
    ])
  })

  const none = ['RULING_NOT_FOUND', { dispute_id: 'dispute' }]
  const over = (status: string, until: Date) => [
    'DISPUTE_NOT_OPEN',
    { dispute_id: 'dispute', ruling_status: status, appeal_until: until.toISOString() },
  ]
  test.each<[string, string, Script, unknown]>([
    ['unless it is none', 'arbiter', open, ['FORBIDDEN', { dispute_id: 'dispute' }]],
    ['of a task that is there', 'payer', { ...open, lockTask: null }, none],
    ['that there is', 'payer', { lockRulingOf: null }, none],
    [
      'once',
      'payer',
      { lockRulingOf: standing({ status: 'appealed', appealUntil: after(1) }) },
      over('appealed', after(1)),
    ],
    ['in its time', 'payer', { lockRulingOf: standing() }, over('standing', now)],
    ['before its money is under way', 'payer', { ...open, hasOpenSettlement: true }, over('standing', after(1))],
  ])('%s', async (_what, wallet, script, refused) => {
    const { deps, of } = stage(script)
    expect(await refusalOf(() => appeal(deps, walletOf(wallet), 'dispute', 'It is whole.'))).toEqual(refused)
    expect(of('appealRuling')).toEqual([])
  })
  test('and hears when it is too late', async () => {
    const { deps } = stage({ lockRulingOf: standing() })
    await expect(appeal(deps, walletOf('payer'), 'dispute', '')).rejects.toThrow(
      'This ruling cannot be appealed any more.',
    )
  })
})
