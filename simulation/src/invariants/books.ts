import { deployment } from '../chain/deployment.ts'
import { paymentStateOf } from '../chain/escrow.ts'
import type { MemoryDatabase } from '../store/index.ts'
import type { CaseFile } from '../people/case-file.ts'
import { wallets } from '../people/wallets.ts'
import type { Universe } from '../world/universe.ts'
import { readChain, type ChainFacts, type Transferred } from './movements.ts'

type Account = { readonly account: string; readonly books: bigint; readonly chain: bigint }

/** A plain transfer of somebody's own has no place in our books. */
function isOurs({ receipt }: Transferred): boolean {
  const { to, data } = receipt.transaction
  return to !== deployment.token || !data.startsWith('0xa9059cbb')
}

/** Where the books and the chain differ, account by account. */
export function differences(universe: Universe, database: MemoryDatabase, files: readonly CaseFile[]): readonly string[] {
  const facts = readChain(universe.driver.chain)
  const found: string[] = accounts(database, facts).filter((one) => one.books !== one.chain)
    .map(({ account, books, chain }) => `${account}: the books say ${String(books)}, the chain says ${String(chain)}`)
  for (const file of files) {
    for (const { kind, name } of file.signed) {
      if (kind !== 'lock') continue
      const { capturable } = paymentStateOf(universe.driver.chain, name)
      const books = balance(database, `escrow:${name}`)
      if (books !== capturable) found.push(`${file.name}, escrow ${name.slice(0, 10)}: the books say ${String(books)}, the chain says ${String(capturable)}`)
    }
  }
  return found
}

function balance(database: MemoryDatabase, account: string): bigint {
  return database.rows.ledger().reduce((sum, row) => (row.account === account ? sum + row.atomic : sum), 0n)
}

function accounts(database: MemoryDatabase, { transfers }: ChainFacts): readonly Account[] {
  const ours = transfers.filter(isOurs)
  const change = (address: string): bigint => ours.reduce((sum, { from, to, amount }) => sum + (to === address ? amount : 0n) - (from === address ? amount : 0n), 0n)
  return [
    ...wallets.map(({ name, address }) => ({ account: `wallet of ${name}`, books: balance(database, `wallet:${address}`), chain: change(address) })),
    { account: 'operator', books: balance(database, 'operator'), chain: change(deployment.operator) },
    { account: 'treasury', books: balance(database, 'treasury'), chain: change(deployment.treasury) },
  ]
}
