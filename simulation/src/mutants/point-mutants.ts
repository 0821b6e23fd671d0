import type { Mutant } from './mutant.ts'

const client = 'apps/server/src/adapters/facilitator/facilitator-client.ts'
const carryOut = 'apps/facilitator/src/settle/carry-out.ts'
const settle = 'packages/core/src/flows/settle.ts'

/** The four experiments as the product was when they broke it; each took what several files do wrong together. */
export const pointMutants: readonly Mutant[] = [
  {
    name: 'a lost insert is a no',
    what: 'An insert whose answer is lost counts as not made: the facilitator says that nothing was sent, the server gives the claim back, and the row is carried out later.',
    replacements: [
      {
        file: 'apps/facilitator/src/chain/write-intents.ts',
        find: 'return await store.fence(ids)',
        replace: "return 'fenced'",
      },
      {
        file: carryOut,
        find: 'const earlier = await proven(() => findBound(terms, deps))',
        replace: 'const earlier = undefined',
      },
      {
        file: client,
        find: "body['broadcast'] !== true) return { kind: 'unavailable', sent: true }",
        replace: "body['broadcast'] !== true) return { kind: 'unavailable', sent: false }",
      },
    ],
  },
  {
    name: 'a late order is carried out',
    what: 'The facilitator knows no deadline, and the server gives a claim back half a minute after it was made: a copy that was held in the network pays again.',
    replacements: [
      {
        file: carryOut,
        find: 'return settleBefore !== undefined && seconds(surroundings) >= settleBefore',
        replace: 'return settleBefore === -1 && seconds(surroundings) >= settleBefore',
      },
      {
        file: 'apps/facilitator/src/chain/prepare.ts',
        find: 'draft.settleBefore !== undefined && now >= draft.settleBefore',
        replace: 'draft.settleBefore === -1 && now >= draft.settleBefore',
      },
      {
        file: settle,
        find: 'return dead ? refused(',
        replace: 'return dead || deps.clock.now().getTime() - settlement.createdAt.getTime() > 30_000 ? refused(',
      },
    ],
  },
  {
    name: 'amounts are fixed',
    what: 'What was claimed is captured or returned, whatever is left of it: a payer who releases a trifle by hand makes the bounty unpayable.',
    replacements: [
      {
        file: settle,
        find: "const isMoved = (order.kind === 'capture' || order.kind === 'void') && (found.capturable ?? 0n) < order.amount.atomic",
        replace: 'const isMoved = order.key === found.state',
      },
      {
        file: settle,
        find: '      if (!fits) return rest(',
        replace: "      if (!fits && order.key === '') return rest(",
      },
    ],
  },
  {
    name: 'a charge is not looked for',
    what: 'The payer uses its authorization through `charge`, and nobody looks for that: the assignment stays in doubt.',
    replacements: [
      {
        file: 'packages/protocols/src/chain/proof-events.ts',
        find: "const events = [eventTopic('PaymentAuthorized'), eventTopic('PaymentCharged')]",
        replace: "const events = [eventTopic('PaymentAuthorized')]",
      },
      {
        file: 'apps/server/src/adapters/rails/find-order.ts',
        find: 'return state.capturable === 0n ? findEmptied(network, order) : findCollected(network, order)',
        replace: 'return findCollected(network, order)',
      },
    ],
  },
]
