import type { Mutant } from './mutant.ts'

const chain = 'apps/facilitator/src/chain'
const settle = 'apps/facilitator/src/settle'

function one(name: string, what: string, file: string, find: string, replace: string): Mutant {
  return { name, what, replacements: [{ file, find, replace }] }
}

/** Siblings in the facilitator: nonces, receipts, keys and its successor. */
export const facilitatorMutants: readonly Mutant[] = [
  one(
    'a refusal is said to be final',
    'A refusal is told as final and bound to nothing: a copy under way is carried out.',
    `${settle}/carry-out.ts`,
    'const bound = await proven(() => deps.intents.bind(key, requestHash, stored, keepMs(terms, deps)))',
    'throw new Refusal(stored.code, stored.message, { status: stored.status, details: { ...stored.details, final: keepMs(terms, deps) >= 0 } })\n  const bound = await proven(() => deps.intents.bind(key, requestHash, stored, 0))',
  ),
  {
    name: 'a spent budget binds no key',
    what: 'A payment that was refused for its gas is given back at once, and a copy of it finds gas again.',
    replacements: [
      {
        file: 'apps/facilitator/src/gas/payment-gas.ts',
        find: "isPassing: asks[index]?.share.of === 'sweeps'",
        replace: "isPassing: asks[index]?.share.of !== 'nothing'",
      },
      {
        file: 'apps/server/src/adapters/rails/facilitated-rail.ts',
        find: '{ ...spentForNow, body:',
        replace: '{ ...spentForNow, final: true, body:',
      },
    ],
  },
  one(
    'a revert is believed at once',
    'A transaction that the chain refused in a block that may still be undone has failed for good.',
    `${chain}/watch.ts`,
    'if (logs === undefined && receipt.blockNumber > deep)',
    'if (logs === undefined && receipt.blockNumber < 0 && deep < 0)',
  ),
  one(
    'sent once',
    'A transaction that the pool forgot is not handed to a node again.',
    `${chain}/revisit.ts`,
    '  await hand(watch, waiting)\n',
    '',
  ),
]
