import type { Mutant } from './mutant.ts'

const flows = 'packages/core/src/flows'
const settle = `${flows}/settle.ts`
const client = 'apps/server/src/adapters/facilitator/facilitator-client.ts'

function one(name: string, what: string, file: string, find: string, replace: string): Mutant {
  return { name, what, replacements: [{ file, find, replace }] }
}

/** Siblings in the service: what it believes, what it repeats, what it forgets. */
export const flowMutants: readonly Mutant[] = [
  one('silence is a no', 'A request to the facilitator that nobody answered counts as one that never left.', client,
    "return error.sent ? { kind: 'unknown' } : { kind: 'unavailable', sent: false }", "return { kind: 'unavailable', sent: error.sent && request.timeoutMs === 0 }"),
  one('confirmed twice', 'A settlement that is confirmed already is confirmed again.', `${flows}/confirm.ts`,
    "if (task === null || current === null || current.status === 'confirmed') return", 'if (task === null || current === null) return'),
  one('a stale attempt gives back', 'An attempt whose settlement somebody else has taken up since still gives the claim back.', `${flows}/give-back.ts`,
    'if (!isOpen(current) || current.attempts !== settlement.attempts) return false', "if (current.purpose === 'stray') return false"),
  one('booked twice', 'A movement that is booked already is booked again.', `${flows}/book-movement.ts`,
    'if (!(await tx.addMovement(movement, { taskId: task.id, settlementId }))) return false', 'await tx.addMovement(movement, { taskId: task.id, settlementId })'),
  one('a sweep booked twice', 'Fees that were moved to the treasury are booked by the sweep and by the reader of the chain.', `${flows}/follow-chain.ts`,
    'if (!(await tx.addDistribution(distribution))) return', 'await tx.addDistribution(distribution)'),
  one('expired under a payment', 'A deadline ends a task while its money is on the way.', `${flows}/duties.ts`,
    ' || (await tx.hasOpenSettlement(taskId))) return \'not now\'', ") return 'not now'"),
  one('a refund is given up', 'A refund that must land is given back like any other settlement.', settle,
    'if (mustLand) return postpone(', "if (mustLand && order.key === '') return postpone("),
  one('the fee rounds up', 'The books round the fee up where the contract rounds it down.', 'packages/core/src/ledger/journal.ts',
    'const fee = (atomic * BigInt(feeBps ?? 0)) / 10_000n', 'const fee = (atomic * BigInt(feeBps ?? 0) + 9_999n) / 10_000n'),
  one('claimed without a claim', 'An assignment goes on although another one holds the claim.', `${flows}/assign.ts`,
    "if (!(await tx.claimSettlement(settlement, leaseEnd(now)))) throw new MarketError('ESCROW_NOT_ASSIGNABLE', { task_id: task.id })", 'await tx.claimSettlement(settlement, leaseEnd(now))'),
  one('approved without a claim', 'An approval goes on although another settlement is in flight.', `${flows}/approve.ts`,
    'if (!(await tx.claimSettlement(settlement, leaseEnd(now)))) throw inFlight(submission)', 'await tx.claimSettlement(settlement, leaseEnd(now))'),
  one('a lagging node is believed', 'A node that knows the escrow\'s state and not its log proves that nothing landed.', 'apps/server/src/adapters/rails/find-order.ts',
    "return { state: 'absent', isDead: true }\n    throw cannotTell(network)\n  }\n  // Another part", "return { state: 'absent', isDead: true }\n    return { state: 'absent' }\n  }\n  // Another part"),
  one('a clock ends a direct payment', 'A direct payment is given back because its deadline has passed by a clock.', settle,
    "return order.kind !== 'charge' && at !== null", 'return at !== null'),
  one('nobody watches', 'A signature that was given up is not looked at again, and the reader of the chain returns nothing.', `${flows}/watch.ts`,
    'const stray = isIts || capturable === 0n ? null : strayOf(', 'const stray = isIts || capturable >= 0n ? null : strayOf('),
  one('the same key again', 'What is left of a payment is ordered under the key of the whole.', 'packages/core/src/settlements/order.ts',
    'const key = `${base}~${String(Number(count) + 1)}`', 'const key = count === \'\' ? base : order.key'),
  one('a dead process keeps its claim', 'A claim is owned for a day by whoever made it.', 'packages/core/src/settlements/settlement.ts',
    'export const claimLeaseMs = 8_000', 'export const claimLeaseMs = 864_000_000'),
  one('reopened before the money is back', 'A worker steps down and the task is open again, before the refund is on chain.', `${flows}/withdraw.ts`,
    'await tx.changeTask(task.id, { escrowStatus: \'refunding\' }, now)', 'await openAgain({ deps, tx, task, now }, task.executorId, null)'),
]
