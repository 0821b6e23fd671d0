import { deployment } from '../chain/deployment.ts'
import { paymentStateOf } from '../chain/escrow.ts'
import { topicOf } from '../chain/names.ts'
import type { MemoryDatabase } from '../store/index.ts'
import type { CaseFile } from '../people/case-file.ts'
import { wallets } from '../people/wallets.ts'
import type { Universe } from '../world/universe.ts'
import { readChain, type ChainFacts, type Transferred } from './movements.ts'

const storeCreated = topicOf('Escrow', 'TokenStoreCreated')
const usedTopic = topicOf('TestUSD', 'AuthorizationUsed')

type Account = { readonly account: string; readonly books: bigint; readonly chain: bigint }

/** The payments and the nonces that we were ever told of: what a payer signed and never sent is no business of ours. */
export function known(database: MemoryDatabase): ReadonlySet<string> {
  return new Set(
    database.rows
      .settlements()
      .map(({ settlement: { order } }) => (order.kind === 'charge' ? order.transfer.nonce : order.payment.hash)),
  )
}

/**
 * A plain transfer of a wallet's own has no place in our books, nor has what moved for a payment that we never heard
 * of.
 */
function isOurs({ receipt }: Transferred, ours: ReadonlySet<string>): boolean {
  const { to, data } = receipt.transaction
  if (to === deployment.token && data.startsWith('0xa9059cbb')) return false
  const names = receipt.logs.flatMap(({ address, topics }) => {
    if (address === deployment.escrow && topics[0] !== storeCreated) return [topics[1]]
    return to === deployment.token && topics[0] === usedTopic ? [topics[2]] : []
  })
  return names.length === 0 || names.some((name) => name !== undefined && ours.has(name))
}

/** Where the books and the chain differ, account by account. */
export function differences(
  universe: Universe,
  database: MemoryDatabase,
  files: readonly CaseFile[],
): readonly string[] {
  const facts = readChain(universe.driver.chain)
  const ours = known(database)
  const said = balances(database)
  const found: string[] = accounts(said, facts, ours)
    .filter((one) => one.books !== one.chain)
    .map(({ account, books, chain }) => `${account}: the books say ${String(books)}, the chain says ${String(chain)}`)
  for (const file of files) {
    for (const { kind, name } of file.signed) {
      if (kind !== 'lock' || !ours.has(name)) continue
      const { capturable } = paymentStateOf(universe.driver.chain, name)
      const books = said.of(`escrow:${name}`)
      if (books !== capturable)
        found.push(
          `${file.name}, escrow ${name.slice(0, 10)}: the books say ` +
            `${String(books)}, the chain says ${String(capturable)}`,
        )
    }
  }
  return found
}

type Sums = { readonly of: (account: string) => bigint; readonly add: (account: string, atomic: bigint) => void }

function sums(): Sums {
  const all = new Map<string, bigint>()
  const of = (account: string): bigint => all.get(account) ?? 0n
  return {
    of,
    add: (account, atomic) => {
      all.set(account, of(account) + atomic)
    },
  }
}

/** What the books say of each account. */
function balances(database: MemoryDatabase): Sums {
  const books = sums()
  for (const { account, atomic } of database.rows.ledger()) books.add(account, atomic)
  return books
}

function accounts(said: Sums, { transfers }: ChainFacts, known: ReadonlySet<string>): readonly Account[] {
  const change = sums()
  for (const transfer of transfers) {
    if (!isOurs(transfer, known)) continue
    change.add(transfer.to, transfer.amount)
    change.add(transfer.from, -transfer.amount)
  }
  return [
    ...wallets.map(({ name, address }) => ({
      account: `wallet of ${name}`,
      books: said.of(`wallet:${address}`),
      chain: change.of(address),
    })),
    { account: 'operator', books: said.of('operator'), chain: change.of(deployment.operator) },
    { account: 'treasury', books: said.of('treasury'), chain: change.of(deployment.treasury) },
  ]
}
