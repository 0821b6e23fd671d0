import { ProtocolError, unwrapSignature, type Address, type Hex } from '@ergon/protocols'
import { tooManyContracts } from '../dispatch/limits.ts'
import type { MayAskContract } from '../dispatch/contract-lanes.ts'

type PutUp = { readonly factory: Address; readonly call: Hex }
type Asked = {
  readonly chainId: number
  readonly address: Address
  readonly hash: Uint8Array
  readonly signature: Uint8Array
}

/** What the wallet itself signed, and who would put the wallet up where nobody is there yet (ERC-6492). */
export type OpenedSignature = { readonly signature: Hex; readonly putUp: PutUp | null }

/** Null for what is no signature of a key or of a contract, and for a wrapper that is not well formed. */
export function openSignature(text: string): OpenedSignature | null {
  if (!isSignature(text)) return null
  try {
    const wrapped = unwrapSignature(text)
    if (wrapped === undefined) return { signature: text, putUp: null }
    const { signature, factory, call } = wrapped
    return isSignature(signature) ? { signature, putUp: { factory, call } } : null
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}

/** Of a key or of a contract. */
const isSignature = (text: string): text is Hex => /^0x(?:[0-9a-fA-F]{2}){1,4096}$/.test(text)

export type AskWallet = (asked: Asked, putUp: PutUp, from: string) => Promise<'signed' | 'not-signed' | 'nobody'>

/**
 * Asks a wallet as it is; where nobody is there, as it would be once its factory has put it up. Only factories that the
 * operator named are called, and each question has its own place in the budget of who asks.
 * @throws RATE_LIMITED, identity_check_unavailable
 */
export function createAskWallet(deps: {
  readonly factories: ReadonlySet<string>
  readonly contracts: {
    ask(asked: Asked): Promise<'signed' | 'not-signed' | 'nobody'>
    askPutUp(asked: Asked & PutUp): Promise<'signed' | 'not-signed'>
  }
  readonly mayAskContract: MayAskContract
}): AskWallet {
  const spend = (from: string, { chainId, address }: Asked): void => {
    if (!deps.mayAskContract(from, { chainId, address })) throw tooManyContracts()
  }
  return async (asked, putUp, from) => {
    spend(from, asked)
    const word = await deps.contracts.ask(asked)
    if (word !== 'nobody' || !deps.factories.has(putUp.factory)) return word
    spend(from, asked)
    return deps.contracts.askPutUp({ ...asked, ...putUp })
  }
}
