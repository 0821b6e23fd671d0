import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Fault } from '../testing/fake-chain.ts'
import { linesOf, refusalOf, scriptedNow, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { charge, heldTask, payment, placeOn, settlementOf } from '../testing/scripted-money.ts'
import { feeChallenge, feePaid, payFee } from './pay-fee.ts'

const now = scriptedNow
const publisher: WalletCaller = { kind: 'wallet', wallet: 'payer', agentId: null, via: 'signature' }
const stranger: WalletCaller = { ...publisher, wallet: 'stranger' }
const fee = { atomic: 1_300_000n, asset: payment.asset }
const owed = {
  taskId: 'task',
  submissionId: 'submission',
  executorId: 'executor',
  subject: 'fee:submission',
  fee,
  payer: 'payer',
  isUnderWay: false,
}
const signed = JSON.stringify({ from: 'payer', to: 'treasury', amount: '1300000', nonce: 'nonce' })

/** A worker who was paid, and a fee that was not. */
function stage(script: Script = {}, fault: Fault = 'none', funds = fee.atomic) {
  const own = heldTask({ status: 'completed', escrowStatus: 'none' })
  const one = placeOn(own, {
    task: own,
    lockTask: own,
    feeOwedFor: owed,
    settlement: null,
    ...keptClaims(),
    ...script,
  })
  one.chain.fund('payer', funds)
  one.chain.fault = (method) => (method === 'send' ? fault : 'none')
  const woken: string[] = []
  const taken: number[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  const payments = { take: (_caller: unknown, count: number) => Promise.resolve(void taken.push(count)) }
  return { ...one, deps: { ...one.deps, wakeup, payments } as unknown as typeof one.deps, woken, taken }
}
const none = ['FEE_NOT_OWED', { task_id: 'task' }]
const forbidden = ['FORBIDDEN', { task_id: 'task' }]
const inFlight = ['APPROVAL_IN_FLIGHT', { task_id: 'task' }]
const underWay = { feeOwedFor: { ...owed, isUnderWay: true } }

describe('what a payer signs for a fee', () => {
  test('is a payment to the treasury', async () => {
    const { deps } = stage()
    const expiresAt = new Date(now.getTime() + 5)
    const directChallenge = (terms: object, at: Date) => ({ typedData: { terms, at }, envelope: {}, expiresAt })
    const signatures = { ...deps.signatures, directChallenge }
    const terms = { network: 'localnet', from: 'payer', to: 'treasury', amount: fee, taskId: 'task', part: 'fee' }
    expect(await feeChallenge({ ...deps, signatures }, publisher, 'task')).toEqual({
      taskId: 'task',
      fee,
      auth: { typedData: { terms, at: now }, envelope: {}, expiresAt },
    })
  })
  test('is nothing while what was signed before may still land', async () => {
    expect(await feeChallenge(stage(underWay).deps, publisher, 'task')).toEqual({ taskId: 'task', fee, auth: null })
  })
  test.each<[string, Script, WalletCaller, unknown]>([
    ['of a fee that is owed', { feeOwedFor: null }, publisher, none],
    ['by its publisher', {}, stranger, forbidden],
  ])('is asked for %s', async (_what, script, caller, refused) => {
    expect(await refusalOf(() => feeChallenge(stage(script).deps, caller, 'task'))).toEqual(refused)
  })
})

describe('a fee is paid', () => {
  const pay = (one: ReturnType<typeof stage>, caller = publisher) => payFee(one.deps, caller, 'task', signed)

  test('as at the approval: it is claimed before it is sent', async () => {
    const one = stage()
    const paid = await pay(one)
    expect(paid).toEqual({ state: 'paid', taskId: 'task', fee, feeTx: one.chain.landings[0]?.txHash })
    const [claim] = linesOf(one.asked).filter((line) => line.startsWith('claimSettlement'))
    expect(claim).toContain('submissionId:submission,executorId:executor')
    expect(claim).toContain('purpose:fee,subject:fee:submission,order:{kind:charge,key:charge:localnet:nonce:#1')
    expect([one.taken, one.woken, one.chain.balance('treasury')]).toEqual([[1], [], fee.atomic])
  })
  test('and goes on where no answer came', async () => {
    const one = stage({}, 'lost before')
    expect(await pay(one)).toEqual({ state: 'paying', taskId: 'task', fee, feeTx: null })
    expect(one.woken).toEqual(['settlements'])
  })
  test('not where the chain refuses it', async () => {
    const one = stage({}, 'refused')
    const refused = pay(one)
    await expect(refused).rejects.toMatchObject({ details: { task_id: 'task' } })
    expect(one.woken).toEqual([])
  })
  test('not by who does not have it: nothing is claimed, and no gas counted', async () => {
    const one = stage({}, 'none', fee.atomic - 1n)
    expect(await refusalOf(() => pay(one))).toEqual(['INSUFFICIENT_FUNDS', expect.anything()])
    expect([one.taken, one.of('claimSettlement')]).toEqual([[], []])
  })
  test.each<[string, Script, WalletCaller, unknown]>([
    ['where it is owed', { feeOwedFor: null }, publisher, none],
    ['by its publisher', {}, stranger, forbidden],
    ['beside one that may still land', underWay, publisher, inFlight],
    ['beside another', { claimSettlement: false }, publisher, inFlight],
  ])('only %s', async (_what, script, caller, refused) => {
    const one = stage(script)
    expect(await refusalOf(() => pay(one, caller))).toEqual(refused)
    expect(one.chain.landings).toEqual([])
  })
  test('and whoever pays twice hears why not', async () => {
    await expect(pay(stage(underWay))).rejects.toThrow(
      'The fee may already be in progress under the authorization signed earlier.',
    )
  })
})

describe('the state of a fee', () => {
  const order = charge({ amount: fee })
  const read = (change: Partial<Settlement> | null, caller = publisher) =>
    feePaid(stage({ settlement: change && settlementOf('fee', order, change) }).deps, caller, 'task')

  test.each<[string, Partial<Settlement> | null, object | null]>([
    ['paid', { status: 'confirmed', txHash: '0xfee' }, { state: 'paid', taskId: 'task', fee, feeTx: '0xfee' }],
    ['on its way', { txHash: '0xsent' }, { state: 'paying', taskId: 'task', fee, feeTx: null }],
    ['owed, where nobody pays it', null, null],
    ['owed, where it was refused', { status: 'refused' }, null],
  ])('%s', async (_how, settlement, expected) => {
    expect(await read(settlement)).toEqual(expected)
  })
  test('is read by its publisher alone', async () => {
    expect(await refusalOf(() => read(null, stranger))).toEqual(forbidden)
  })
})
