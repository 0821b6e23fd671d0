import type { Address } from '@ergon/protocols'
import type { Call, Intent } from '../store/intents.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { Chain } from './chain.ts'
import { signTransaction, type SignedTransaction } from './transaction.ts'

export type Signing = {
  /** The same call with a higher fee; undefined for another account's, and when that was done often enough. */
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
  readonly surroundings: Surroundings
}

/** Each raises the fee by a quarter: ten is nine times the fee, and past that a person should look. */
const maxReplacements = 10
const plainGas = 21_000n

export function createSigning(deps: SigningDeps): Signing {
  const { chain, account, privateKey } = deps
  const nothing: Call = { to: account, data: '0x', gas: plainGas.toString() }
  const signAgain = async (intent: Intent, call: Call): Promise<SignedTransaction | undefined> => {
    if (intent.account.toLowerCase() !== account.toLowerCase() || intent.transactions.length > maxReplacements)
      return undefined
    const fees = await chain.fees()
    // A replacement must raise both fees by a tenth; each attempt doubles down on the last (EIP-1559 pools).
    const factor = 125n ** BigInt(intent.transactions.length)
    const scale = 100n ** BigInt(intent.transactions.length)
    const raise = (fee: bigint): bigint => (fee * factor) / scale + 1n
    const maxFeePerGas = raise(fees.maxFeePerGas)
    const maxPriorityFeePerGas = raise(fees.maxPriorityFeePerGas)
    const { to, data, gas, authorizationList } = call
    const delegation = authorizationList === undefined ? {} : { authorizationList }
    const { accountNonce: nonce } = intent
    return signTransaction(
      { chainId: chain.chainId, nonce, maxFeePerGas, maxPriorityFeePerGas, gas: BigInt(gas), to, data, ...delegation },
      privateKey,
    )
  }
  return {
    replace: (intent) => signAgain(intent, intent.call),
    cancel: (intent) => signAgain(intent, nothing),
    async filler(nonce) {
      const transaction = signTransaction(
        { chainId: chain.chainId, nonce, ...(await chain.fees()), gas: plainGas, to: account, data: '0x' },
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
