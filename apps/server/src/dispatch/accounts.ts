import { MarketError, type AccountProof } from '@ergon/core'
import { createBoundedCache } from '../surroundings/bounded-cache.ts'
import { isRefused } from './prove.ts'

/** Someone who proved an address, and by what. */
export type Proven = { readonly wallet: string; readonly proof: AccountProof }

export type Accounts = {
  /** @throws ACCOUNT_PROOF_DIFFERS when the address is an account that is proven otherwise */
  check(proven: Proven): Promise<void>
  /** What an account is known to prove itself by; null for a wallet that never acted here. */
  proofOf(wallet: string): Promise<AccountProof | null>
  /**
   * Runs an act; the first that takes effect says how the account proves itself from then on. @throws
   * ACCOUNT_PROOF_DIFFERS
   */
  acting<T>(proven: Proven, act: () => Promise<T>): Promise<T>
}

/** Where it is kept how accounts prove themselves. */
export type AccountBook = {
  find(wallet: string): Promise<Known | null>
  begin(wallet: string, proof: AccountProof): Promise<Known>
  keep(wallet: string): Promise<void>
}
type Known = { readonly proof: AccountProof; readonly hasActed: boolean }

const maxWallets = 20_000
const keepMs = 3_600_000

/**
 * One address is one account, and one account has one proof (decision 0097). What stays as it is is remembered here.
 */
export function createAccounts(book: AccountBook): Accounts {
  const lasting = createBoundedCache<AccountProof>(maxWallets, keepMs)
  const demand = ({ wallet, proof: given }: Proven, { proof, hasActed }: Known): boolean => {
    if (hasActed) lasting.set(wallet, proof)
    if (proof !== given) throw new MarketError('ACCOUNT_PROOF_DIFFERS', { wallet, account: proof, given })
    return hasActed
  }
  const find = async (wallet: string): Promise<Known | null> => {
    const proof = lasting.get(wallet)
    return proof === undefined ? book.find(wallet) : { proof, hasActed: true }
  }
  return {
    async check(proven) {
      const known = await find(proven.wallet)
      if (known !== null) demand(proven, known)
    },
    async proofOf(wallet) {
      const known = await find(wallet)
      if (known?.hasActed === true) lasting.set(wallet, known.proof)
      return known?.proof ?? null
    },
    async acting(proven, act) {
      const { wallet } = proven
      if (lasting.get(wallet) === proven.proof || demand(proven, await book.begin(wallet, proven.proof))) return act()
      const answer = await act().catch(async (error: unknown) => {
        // What was refused did nothing; of anything else nobody knows.
        if (!isRefused(error)) await book.keep(wallet).catch(() => undefined)
        throw error
      })
      // The act is done and is answered as such; the next one of this account notes it again.
      await book.keep(wallet).catch(() => undefined)
      return answer
    },
  }
}
