import type { Mutant } from './mutant.ts'

const chain = 'apps/facilitator/src/chain'
const settle = 'apps/facilitator/src/settle'

function one(name: string, what: string, file: string, find: string, replace: string): Mutant {
  return { name, what, replacements: [{ file, find, replace }] }
}

/** Siblings in the facilitator: nonces, receipts, keys and its successor. */
export const facilitatorMutants: readonly Mutant[] = [
  one('superseded at once', 'A nonce that is used before its receipt is served counts as somebody else\'s, at the first look.', `${chain}/tracker.ts`,
    'supersededAfterMs: 10_000', 'supersededAfterMs: 0'),
  one('a refusal is said to be final', 'A refusal is told as final and bound to nothing: a copy under way is carried out.', `${settle}/carry-out.ts`,
    'const bound = await proven(() => deps.intents.bind(key, requestHash, stored, keepMs(terms, deps)))', 'throw new Refusal(stored.code, stored.message, { status: stored.status, details: { ...stored.details, final: keepMs(terms, deps) >= 0 } })\n  const bound = await proven(() => deps.intents.bind(key, requestHash, stored, 0))'),
  one('a predecessor is not fenced off', 'A process that has lost the account goes on writing and sending.', 'apps/facilitator/src/testing/memory-store.ts',
    'return account !== undefined && tables.epochs.get(account.toLowerCase()) === epoch', 'return account !== undefined && (tables.epochs.get(account.toLowerCase()) ?? 0) >= epoch'),
  one('a nonce is used twice', 'Two transactions of one batch are signed with one nonce.', `${chain}/prepare.ts`,
    '    nextNonce += 1\n    item.intentId = intent.id', '    item.intentId = intent.id'),
  one('sent once', 'A transaction that the pool forgot is not handed to a node again.', `${chain}/revisit.ts`,
    '  await hand(watch, waiting)\n', ''),
]
