import { describe, expect, test } from 'vitest'
import { saltOf } from '@ergon/contract/facts'
import { directNonceOf } from '../escrow/direct-nonce.ts'
import type { Task } from '../tasks/task.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { followed, seen, spent, written, type Given } from '../testing/scripted-logs.ts'
import { heldTask, moved, payment, submission } from '../testing/scripted-money.ts'

/** What a database that is older than its chain does not name (decisions 0115 and 0189). */

const taskId = '01950000-0000-7000-8000-000000000001'
const taskOf = (change: Partial<Task> = {}) => heldTask({ id: taskId, ...change })
/** Whether what was read is done with, or is read again. */
const isPast = ({ lines }: Awaited<ReturnType<typeof followed>>): boolean =>
  lines.filter((line) => line.startsWith('putFollowing')).length === 2

describe('a direct payment that no row names', () => {
  const nonce = directNonceOf(taskId, 'payout', 1n)
  const lost = (change: Given = {}): Given => ({
    lostLocks: 'book',
    window: { spent: [{ ...spent, nonce }] },
    ...change,
    script: {
      task: taskOf({ status: 'verifying', escrowStatus: 'none' }),
      settlement: null,
      submissions: [submission()],
      worker: { id: 'executor', wallet: 'receiver' },
      claimSettlement: true,
      ...change.script,
    },
  })
  const claims = (lines: Lines): Lines => lines.filter((line) => line.startsWith('claimSettlement'))
  const findings = (lines: Lines): Lines => lines.filter((line) => line.includes('unclaimed'))
  const landed = { state: 'landed', txHash: '0xspent', blockNumber: 7n, logIndex: 3 } as const

  test('is booked after a restore, for the work that waits', async () => {
    const lines = await written(lost({ found: landed, script: { lockTask: taskOf({ escrowStatus: 'none' }) } }))
    expect(claims(lines)).toHaveLength(2)
    expect(findings(lines)).toEqual([])
  })
  test('is for a person to see, where its task waits for no such payment', async () => {
    const task = taskOf({ status: 'expired', escrowStatus: 'none' })
    const lines = await written(lost({ script: { task, submissions: [] } }))
    // As `linesOf` shows it.
    const said = nonce.replaceAll(/0x0{30,}/g, '0x…')
    const scope = `unclaimed:localnet:${said}`
    expect(findings(lines)).toEqual([
      `reportFindings [${scope}] [{kind:unclaimed,scope:${scope},subject:${said},taskId:${taskId},settlementId:null,` +
        'network:localnet,asset:null,atomic:null,' +
        'detail:payer paid 0xspent for this task, which is expired and waits for no such payment}] now',
    ])
  })
  test.each<[string, Given]>([
    ['where it is not after a restore', lost({ lostLocks: 'report', found: landed })],
    ['where it carries no task of ours', lost({ script: { task: null } })],
  ])('is left alone %s', async (_where, given) => {
    const lines = await written(given)
    expect([...claims(lines), ...findings(lines)]).toEqual([])
    expect(isPast(await followed(given))).toBe(true)
  })
  test('is looked for again, where the chain cannot be read', async () => {
    expect(isPast(await followed(lost({ found: null })))).toBe(false)
  })
  test('and does not hide the next', async () => {
    const other = { ...spent, nonce: directNonceOf(taskId, 'payout', 2n) }
    const given = lost({ window: { spent: [{ ...spent, nonce }, other] }, script: { submissions: [] } })
    expect(findings(await written(given))).toHaveLength(2)
  })
})

describe('a lock that no row names', () => {
  const authorization = { validAfter: 0n, validBefore: 0n, nonce: 'nonce', signature: '0x' }
  const strange = seen('authorized', { lock: { payment: { ...payment, salt: saltOf(taskId, 1n) }, authorization } })
  const open = { status: 'published', escrowStatus: 'pending_assignment', executorId: null } as const
  const lost = (change: Given = {}): Given => ({
    lostLocks: 'book',
    window: { movements: [strange] },
    movements: [strange],
    ...change,
    script: {
      task: taskOf(open),
      workerByWallet: { id: 'executor', wallet: 'receiver' },
      lockTask: taskOf(open),
      claimSettlement: true,
      ...change.script,
    },
  })
  const moves = (lines: Lines): Lines => lines.filter((line) => line.startsWith('moveTask'))
  const findings = (lines: Lines): Lines => lines.filter((line) => line.includes('[unclaimed'))
  const told = 'our facilitator sent 0xauthorized, and no payment here is hash; payer pays receiver'
  const found = (detail: string, task: string): string =>
    `reportFindings [unclaimed:localnet:hash] [{kind:unclaimed,scope:unclaimed:localnet:hash,subject:hash,` +
    `taskId:${task},settlementId:null,network:localnet,asset:null,atomic:10000000n,detail:${detail}}] now`

  test('is booked after a restore, for the task that waits for it', async () => {
    const lines = await written(lost())
    expect(moves(lines)[0]).toBe(`moveTask ${taskId} assigning now {escrowStatus:authorizing}`)
    expect(findings(lines)).toEqual([])
  })
  test('is for a person to see, where its task waits for nobody', async () => {
    const task = taskOf({ status: 'accepted' })
    const lines = await written(lost({ script: { task, lockTask: task } }))
    expect(moves(lines)).toEqual([])
    expect(findings(lines)).toEqual([found(`${told}, for this task, which is accepted`, taskId)])
  })
  test('is for a person to see, where it is not after a restore', async () => {
    const lines = await written(lost({ lostLocks: 'report' }))
    expect([moves(lines), findings(lines)]).toEqual([[], [found(told, 'null')]])
  })
  test('is over, where its money has left the escrow again', async () => {
    const back = seen('voided', { logIndex: 2, blockNumber: 8n })
    const lines = await written(lost({ lostLocks: 'report', window: { movements: [strange, back] } }))
    expect(findings(lines)).toEqual(['reportFindings [unclaimed:localnet:hash,unclaimed:localnet:hash] [] now'])
  })
  test.each<[string, Given]>([
    ['that another account sent', lost({ sent: [] })],
    ['of another operator', lost({ window: { movements: [{ ...strange, operator: 'another' }] } })],
  ])('is left alone, one %s', async (_what, given) => {
    const lines = await written(given)
    expect([...moves(lines), ...findings(lines)]).toEqual([])
    expect(isPast(await followed(given))).toBe(true)
  })
  test.each<[string, Given]>([
    ['who sent it cannot be read', lost({ sent: null })],
    ['its movements cannot be read', lost({ movements: null })],
    ['its movements do not show it yet', lost({ movements: [] })],
  ])('is looked for again, where %s', async (_what, given) => {
    expect(isPast(await followed(given))).toBe(false)
  })
  test('that is over after a restore is no finding', async () => {
    const over = [strange, { ...moved('voided'), operator: null, lock: null }]
    expect(findings(await written(lost({ movements: over })))).toEqual([])
  })
})
