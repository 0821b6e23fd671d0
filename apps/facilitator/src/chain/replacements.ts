import type { Address } from '@ergon/protocols'
import type { Call, Intent } from '../store/intents.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { Chain, Fees } from './chain.ts'
import { feesOf, signTransaction, type SignedTransaction } from './transaction.ts'

export type Signing = {
  /** Whether its newest form pays what the next block takes, as far as the chain tells. */
  pays(intent: Intent): Promise<boolean>
  /**
   * The same call with a higher fee; undefined for another account's, when that was done often enough, and when the
   * most that this service pays for gas leaves no room for it.
   */
  replace(intent: Intent): Promise<SignedTransaction | undefined>
  /** Nothing, under the same nonce and with a higher fee. */
  cancel(intent: Intent): Promise<SignedTransaction | undefined>
  /** An intent that does nothing but use up a nonce. */
  filler(nonce: number): Promise<Intent>
}

export type SigningDeps = {
  readonly network: string
  readonly chain: Chain
  readonly account: Address
  readonly privateKey: Uint8Array
  /** Wei for each gas; without it, no limit. */
  readonly highestFee?: bigint | undefined
  readonly surroundings: Surroundings
}

/** Each raises the fee by a quarter at least: ten is nine times the fee, and past that a person should look. */
const maxReplacements = 10
const plainGas = 21_000n

export function createSigning(deps: SigningDeps): Signing {
  const { chain, account, privateKey } = deps
  const nothing: Call = { to: account, data: '0x', gas: plainGas.toString() }
  const signAgain = async (intent: Intent, call: Call): Promise<SignedTransaction | undefined> => {
    if (intent.account.toLowerCase() !== account.toLowerCase() || intent.transactions.length > maxReplacements)
      return undefined
    const newest = intent.transactions.at(-1)
    const fees = newest === undefined ? undefined : raised(feesOf(newest), await chain.fees(), deps.highestFee)
    if (fees === undefined) return undefined
    const { to, data, gas, authorizationList } = call
    const delegation = authorizationList === undefined ? {} : { authorizationList }
    const { accountNonce: nonce } = intent
    return signTransaction(
      { chainId: chain.chainId, nonce, ...fees, gas: BigInt(gas), to, data, ...delegation },
      privateKey,
    )
  }
  return {
    async pays({ transactions }) {
      const newest = transactions.at(-1)
      const [paid, asked] = [newest === undefined ? undefined : feesOf(newest), await chain.fees()]
      // The most that is asked for is twice the base fee and the tip.
      const needed = (asked.maxFeePerGas + asked.maxPriorityFeePerGas) / 2n
      return (
        paid !== undefined && paid.maxFeePerGas >= needed && paid.maxPriorityFeePerGas >= asked.maxPriorityFeePerGas
      )
    },
    replace: (intent) => signAgain(intent, intent.call),
    cancel: (intent) => signAgain(intent, nothing),
    async filler(nonce) {
      const transaction = signTransaction(
        {
          chainId: chain.chainId,
          nonce,
          ...capped(await chain.fees(), deps.highestFee),
          gas: plainGas,
          to: account,
          data: '0x',
        },
        privateKey,
      )
      return {
        id: deps.surroundings.id(),
        network: deps.network,
        kind: 'filler',
        onceKey: null,
        sameness: '',
        idempotencyKey: null,
        requestHash: '',
        account,
        accountNonce: nonce,
        transactions: [transaction],
        call: nothing,
        expectations: [],
        status: 'sent',
        outcome: null,
      }
    },
  }
}

/** A quarter more than before, no less than is asked now, up to the limit; undefined where pools would not take it. */
function raised(before: Fees, asked: Fees, highest: bigint | undefined): Fees | undefined {
  const up = (fee: bigint, now: bigint): bigint => {
    const more = (fee * 5n) / 4n + 1n
    return more > now ? more : now
  }
  const fees = capped(
    {
      maxFeePerGas: up(before.maxFeePerGas, asked.maxFeePerGas),
      maxPriorityFeePerGas: up(before.maxPriorityFeePerGas, asked.maxPriorityFeePerGas),
    },
    highest,
  )
  // A replacement must raise both fees by a tenth (EIP-1559 pools).
  const isEnough = (fee: bigint, was: bigint): boolean => fee * 10n >= was * 11n && fee > was
  return isEnough(fees.maxFeePerGas, before.maxFeePerGas) &&
    isEnough(fees.maxPriorityFeePerGas, before.maxPriorityFeePerGas)
    ? fees
    : undefined
}

function capped(fees: Fees, highest: bigint | undefined): Fees {
  const most = (fee: bigint): bigint => (highest === undefined || fee <= highest ? fee : highest)
  return { maxFeePerGas: most(fees.maxFeePerGas), maxPriorityFeePerGas: most(fees.maxPriorityFeePerGas) }
}
