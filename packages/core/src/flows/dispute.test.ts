import { describe, expect, test } from 'vitest'
import type { AdminCaller, Caller, WalletCaller } from '../caller.ts'
import { linesOf, refusalOf, type Script, walletOf } from '../testing/scripted-deps.ts'
import { view } from '../testing/scripted-disputes.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { addStatement, disputes, readDispute } from './dispute.ts'

const admin: AdminCaller = { kind: 'admin' }
const page = { limit: 5, offset: 0, cursor: null }

function stage(script: Script = {}, arbiters: readonly string[] | null = ['arbiter']) {
  const one = placeOn(heldTask(), {
    task: heldTask({ status: 'disputed' }),
    dispute: view(),
    lockDispute: view(),
    disputes: 'a page',
    workerByWallet: null,
    ...script,
  })
  return { ...one, deps: { ...one.deps, settings: { ...one.deps.settings, ...(arbiters && { arbiters }) } } }
}

describe('disputes are listed', () => {
  const open = { status: 'open', taskId: 'task' } as const
  const asks = async (caller: Caller | AdminCaller, isArbiter?: boolean, arbiters?: readonly string[] | null) => {
    const one = stage({}, arbiters)
    const ask = { ...open, ...(isArbiter === undefined ? {} : { isArbiter }) }
    return { answer: await disputes(one.deps, caller, ask, page), asked: one.of('disputes') }
  }
  const none = { rows: [], total: 0 }

  test.each<[string, Caller | AdminCaller, string | null]>([
    ['a wallet, of which it is a party', walletOf('payer', 7), 'payer'],
    ['the operator, all of them', admin, null],
  ])('to %s', async (_who, caller, wallet) => {
    expect(await asks(caller)).toEqual({ answer: 'a page', asked: [[{ ...open, wallet }, page]] })
  })
  test('to an arbiter, with what it must not have in common with a party', async () => {
    const ruler = { wallet: 'arbiter', agentIds: [7], payoutAddress: null }
    expect(await asks(walletOf('arbiter', 7), true)).toEqual({
      answer: 'a page',
      asked: [[{ ...open, wallet: null, ruler }, page]],
    })
  })
  test.each<[string, Caller, boolean | undefined, readonly string[] | null | undefined]>([
    ['nobody without a name', { kind: 'anonymous' }, undefined, undefined],
    ['nobody without a name, as arbiter', { kind: 'anonymous' }, true, undefined],
    ['whoever may not rule', walletOf('stranger', 7), true, undefined],
    ['anybody where nobody may rule', walletOf('arbiter', 7), true, null],
  ])('as none to %s', async (_who, caller, isArbiter, arbiters) => {
    const { answer, asked } = await asks(caller, isArbiter, arbiters)
    expect([answer, asked]).toEqual([expect.objectContaining(none), []])
  })
  test('not to the operator as arbiter', async () => {
    expect(await refusalOf(() => asks(admin, true))).toEqual([
      'VALIDATION_FAILED',
      { field: 'role', constraint: 'the admin key is no arbiter', received: 'arbiter' },
    ])
  })
})

describe('a dispute is read', () => {
  const read = (caller: WalletCaller | AdminCaller) => {
    const one = stage()
    return { ...one, done: () => readDispute(one.deps, caller, 'dispute') }
  }
  test.each([walletOf('payer', 7), walletOf('receiver', 7), admin])('by %j', async (caller) => {
    const { done, of } = read(caller)
    expect(await done()).toEqual(view())
    expect(of('addAudit')).toEqual([])
  })
  test('by an arbiter, and the log has it', async () => {
    const { done, of } = read(walletOf('arbiter', 7))
    expect(await done()).toEqual(view())
    const why = { actor: 'arbiter', reason: 'an arbiter reads the dispute', action: 'dispute.read', subject: 'dispute' }
    expect(of('addAudit')[0]?.[0]).toMatchObject({ ...why, after: { what: 'dispute', task_id: 'task' } })
  })
  test('by nobody else', async () => {
    expect(await refusalOf(read(walletOf('stranger', 7)).done)).toEqual(['FORBIDDEN', { task_id: 'task' }])
  })
})

describe('either side adds what it has to say', () => {
  const words = { statement: 'It is sharp.', links: ['https://example.org'] }
  const adds = (one: ReturnType<typeof stage>, wallet: string) =>
    addStatement(one.deps, walletOf(wallet, 7), 'dispute', words)

  test.each([
    ['payer', 'publisher'],
    ['receiver', 'worker'],
  ])('%s, as the %s, and the other hears of it', async (wallet, side) => {
    const one = stage()
    const statement = await adds(one, wallet)
    expect(linesOf(one.asked)).toEqual([
      'dispute dispute',
      'transaction',
      'lockDispute dispute',
      `insertStatement {id:#1,disputeId:dispute,side:${side},statement:It is sharp.,` +
        'links:[https://example.org],createdAt:now}',
      'addEvent {id:#2,type:dispute.evidence_submitted,taskId:task,at:now,' +
        `data:{task_id:task,dispute_id:dispute,side:${side}}}`,
    ])
    expect(one.of('insertStatement')).toEqual([[statement]])
  })
  test.each<[string, string, Script, unknown]>([
    ['and nobody else', 'stranger', {}, ['FORBIDDEN', { dispute_id: 'dispute' }]],
    ['to what is there', 'payer', { dispute: null }, ['DISPUTE_NOT_FOUND', { dispute_id: 'dispute' }]],
    [
      'before it is decided',
      'payer',
      { lockDispute: view({ status: 'resolving' }) },
      ['DISPUTE_NOT_OPEN', { dispute_id: 'dispute', status: 'resolving' }],
    ],
    [
      'before it is gone',
      'payer',
      { lockDispute: null },
      ['DISPUTE_NOT_OPEN', { dispute_id: 'dispute', status: null }],
    ],
  ])('%s', async (_what, wallet, script, refused) => {
    const one = stage(script)
    expect(await refusalOf(() => adds(one, wallet))).toEqual(refused)
    expect([one.of('insertStatement'), one.of('addEvent')]).toEqual([[], []])
  })
})
