import type { Mutant } from './mutant.ts'

const flows = 'packages/core/src/flows'
const settle = `${flows}/settle.ts`
const findOrder = 'apps/server/src/adapters/rails/find-order.ts'
const order = 'apps/server/src/adapters/rails/order-request.ts'
const client = 'apps/server/src/adapters/facilitator/facilitator-client.ts'

function one(name: string, what: string, file: string, find: string, replace: string): Mutant {
  return { name, what, replacements: [{ file, find, replace }] }
}

/** Siblings in the service: what it believes, what it repeats, what it forgets. */
export const flowMutants: readonly Mutant[] = [
  one(
    'silence is a no',
    'A request to the facilitator that nobody answered counts as one that never left.',
    client,
    "return error.sent ? { kind: 'unknown' } : { kind: 'unavailable', sent: false }",
    "return { kind: 'unavailable', sent: error.sent && request.timeoutMs === 0 }",
  ),
  one(
    'sent before it is claimed',
    'The order of a lock is with the facilitator before anything is written down: what dies in between forgets it.',
    `${flows}/assign.ts`,
    '  await deps.store.transaction(async (tx) => {\n    const { hasNotes, current }',
    `  const until = settlement.sentUntil ?? new Date(now.getTime() + 10_000)
  await deps.rails(task.bounty.asset.network).send(settlement.order, deps.settings.settleWaitMs, until)
  await deps.store.transaction(async (tx) => {
    const { hasNotes, current }`,
  ),
  one(
    'confirmed twice',
    'A settlement that is confirmed already is confirmed again.',
    `${flows}/confirm.ts`,
    "if (current.status === 'confirmed') return true",
    '',
  ),
  one(
    'a stale attempt gives back',
    'An attempt whose settlement another process has taken up since still gives the claim back.',
    `${flows}/give-back.ts`,
    'if (!isOpen(current) || current.attempts !== settlement.attempts) return false',
    "if (current.purpose === 'stray') return false",
  ),
  one(
    'booked twice',
    'A movement that is booked already is booked again.',
    `${flows}/book-movement.ts`,
    'if (!(await tx.addMovement(movement, { taskId: task.id, settlementId }))) return false',
    'await tx.addMovement(movement, { taskId: task.id, settlementId })',
  ),
  one(
    'a sweep booked twice',
    'Fees that were moved to the treasury are booked by the sweep and by the reader of the chain.',
    `${flows}/follow-chain.ts`,
    'if (!(await tx.addDistribution(distribution))) return',
    'await tx.addDistribution(distribution)',
  ),
  one(
    'a refund is given up',
    'A refund that must land is given back like any other settlement.',
    settle,
    'if (mustLand)\n    return postpone(',
    "if (mustLand && order.key === '')\n    return postpone(",
  ),
  one(
    'the fee rounds up',
    'The books round the fee up where the contract rounds it down.',
    'packages/contract/src/facts/fee.ts',
    'const fee = (gross * BigInt(shareBps)) / 10_000n',
    'const fee = (gross * BigInt(shareBps) + 9_999n) / 10_000n',
  ),
  {
    name: 'a lock proven by two looks',
    what: 'Our own lock is looked for first and any other use of its signature afterwards, in the newest block of whatever node answers.',
    replacements: [
      {
        file: findOrder,
        find: 'return isNonceSpent(network, order, await network.chain.deepBlock())',
        replace: 'return isNonceSpent(network, order)',
      },
      {
        file: findOrder,
        find: '  const log = await network.chain.findLog(expectCollected(',
        replace:
          "  const own = await network.chain.findLog(expectedEvents(order, network)[0])\n  if (own !== undefined) return { state: 'landed', ...landedBy(own) }\n  const log = await network.chain.findLog(expectCollected(",
      },
      {
        file: findOrder,
        find: 'const isIts = findEvent(expectedEvents(order, network)[0], [log]) !== undefined',
        replace: 'const isIts = false',
      },
      {
        file: findOrder,
        find: "return isIts ? { state: 'landed', ...landedBy(log) } : absentOr(isDead)",
        replace: "return isIts ? { state: 'landed', ...landedBy(log) } : absentOr(isDead || !isIts)",
      },
    ],
  },
  {
    name: 'a lock that holds nothing',
    what: 'A signature whose money went back already is found on the chain, used before it was claimed or not, and a worker is assigned on it.',
    replacements: [
      {
        file: findOrder,
        find: 'return state.capturable === 0n ? findEmptied(network, order) : findCollected(network, order)',
        replace: 'return findCollected(network, order)',
      },
      {
        file: `${flows}/assign.ts`,
        find: 'isUsed ? await refuseUsed(deps, settlement) : await attempt(deps, settlement)',
        replace: 'await attempt(deps, settlement)',
      },
    ],
  },
  // Told by the facilitator's clock it would be no bug that shows: whatever it refuses under a key is bound to the key
  // first.
  one(
    'a clock ends a direct payment',
    'A direct payment is given back because it was claimed a while ago by our clock.',
    settle,
    'return dead ? refused(',
    "return dead || (order.kind === 'charge' && deps.clock.now().getTime() - settlement.createdAt.getTime() > 4_000) ? refused(",
  ),
  one(
    'nobody watches',
    'A signature that was given up is not looked at again, and the reader of the chain returns nothing.',
    `${flows}/watch.ts`,
    'isIts || capturable === 0n\n        ? null',
    'isIts || capturable >= 0n\n        ? null',
  ),
  one(
    'the same key again',
    'What is left of a payment is ordered under the key of the whole.',
    'packages/core/src/settlements/order.ts',
    'const key = `${base}~${String(Number(count) + 1)}`',
    "const key = count === '' ? base : order.key",
  ),
  one(
    'a dead process keeps its claim',
    'A claim is owned for a day by whoever made it.',
    'packages/core/src/settlements/settlement.ts',
    'export const claimLeaseMs = 8_000',
    'export const claimLeaseMs = 864_000_000',
  ),
  one(
    'reopened before the money is back',
    'A worker steps down and the task is open again, before the refund is on chain.',
    `${flows}/withdraw.ts`,
    "await tx.changeTask(task.id, { escrowStatus: 'refunding' }, now)",
    'await openAgain({ deps, tx, task, now }, task.executorId, null)',
  ),
  one(
    'a fee is not watched',
    'The fee of an approval that was given back is forgotten, though its payer signed it.',
    `${flows}/give-back.ts`,
    'const watchUntil = fee === null ? null : watchEnd(fee, now)',
    "const watchUntil = fee === null || fee.id !== '' ? null : watchEnd(fee, now)",
  ),
  one(
    'one nonce under two claims',
    'A direct payment that was sent under two claims is booked for each.',
    `${flows}/book-transfer.ts`,
    'if ((await tx.movements(network, nonce)).length > 0) return false',
    '',
  ),
  one(
    'left in between',
    'An assignment that is given back leaves its task as it was while the lock was on its way.',
    `${flows}/give-back.ts`,
    "if (canMove(task.status, 'undoLock'))\n        await",
    "if (canMove(task.status, 'assign'))\n        await",
  ),
  one(
    'a lock that was undone stays in doubt',
    'What is to be done with a lock that a reorganization took for good is tried for ever.',
    `${flows}/settle-rest.ts`,
    "return capturable === 0n ? endUndone(deps, settlement, order) : 'unreadable'",
    "return capturable < 0n ? endUndone(deps, settlement, order) : 'unreadable'",
  ),
  one(
    'what was undone is left behind',
    'A payout or a refund that a reorganization undid is unbooked, and what the escrow still holds stays there.',
    `${flows}/take-up-undone.ts`,
    'if (capturable === 0n || stays.has(movement.kind)) return null',
    'if (capturable >= 0n || stays.has(movement.kind)) return null',
  ),
  one(
    'a sweep is never read again',
    'Fees that were moved in a block that was undone stay booked as they were.',
    `${flows}/follow-chain.ts`,
    'if (!(await tx.dropDistribution(distribution))) return',
    'if (distribution.atomic >= 0n || !(await tx.dropDistribution(distribution))) return',
  ),
  {
    name: 'a node that is behind is believed',
    what: 'A payment of which the chain tells nowhere ends as one that was undone, whatever the books know of it.',
    replacements: [
      {
        file: `${flows}/settle-rest.ts`,
        find: 'if ((await place.tx.movements(networkOf(order), order.payment.hash)).length > 0)',
        replace: 'if ((await place.tx.movements(networkOf(order), order.payment.hash)).length > 1_000)',
      },
    ],
  },
  {
    name: 'signed anew',
    what: 'Each attempt of an order of our own has another nonce and another key, and is made again after a moment.',
    replacements: [
      { file: order, find: 'async function ownRequest(', replace: 'let signed = 0\nasync function ownRequest(' },
      {
        file: order,
        find: "${action === 'release' ? 'release' : 'refund'} order ${order.key}`",
        replace: "${action === 'release' ? 'release' : 'refund'} order ${order.key} ${String(signed += 1)}`",
      },
      {
        file: order,
        find: 'return { key: order.key, body }',
        replace: 'return { key: `${order.key}.${String(signed)}`, body }',
      },
      {
        file: 'apps/server/src/adapters/rails/facilitated-rail.ts',
        find: "const answer = await deps.facilitator.post('/settle', body, { timeoutMs: waitMs, key, before, network })",
        replace:
          "const first = await deps.facilitator.post('/settle', body, { timeoutMs: 1_500, key, before, network })\n  const again = first.kind === 'unknown' ? await settleRequest(order, deps) : undefined\n  const answer = again === undefined ? first : await deps.facilitator.post('/settle', again.body, { timeoutMs: waitMs, key: again.key, before, network })",
      },
    ],
  },
]
