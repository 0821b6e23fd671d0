import { isAddress, lowerAddress } from './bytes.ts'
import { ProtocolError } from './protocol-error.ts'

/** A chain as CAIP-2 names it. `chainId` is present for the `eip155` namespace only. */
export type ChainReference = { readonly namespace: string; readonly reference: string; readonly chainId?: number }
/** An account as CAIP-10 names it: a chain and an address on it. */
export type AccountReference = ChainReference & { readonly address: string }

/** `eip155:<chainId>`. */
export function caip2(chainId: number): string {
  return `eip155:${chainId}`
}

/** Reads a CAIP-2 chain id. Throws ProtocolError `malformed`, also for an EVM id with a leading zero. */
export function parseCaip2(text: string): ChainReference {
  const match = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})$/.exec(text)
  const [, namespace, reference] = match ?? []
  if (namespace === undefined || reference === undefined) throw new ProtocolError('malformed', 'not a CAIP-2 chain id')
  if (namespace !== 'eip155') return { namespace, reference }
  const chainId = Number(reference)
  if (!/^[1-9][0-9]*$/.test(reference) || !Number.isSafeInteger(chainId)) {
    throw new ProtocolError('malformed', 'not an EVM chain id')
  }
  return { namespace, reference, chainId }
}

/** `<chain>:<address>`; an EVM address is lowercased. The chain is a CAIP-2 id or an EVM chain number. */
export function caip10(chain: string | number, address: string): string {
  const prefix = typeof chain === 'number' ? caip2(chain) : chain
  const plain = prefix.startsWith('eip155:') ? lowerAddress(address) : address
  return `${prefix}:${plain}`
}

/** Reads a CAIP-10 account; an EVM address is answered in lowercase. Throws ProtocolError `malformed`. */
export function parseCaip10(text: string): AccountReference {
  const split = text.lastIndexOf(':')
  const chain = parseCaip2(text.slice(0, Math.max(split, 0)))
  const address = text.slice(split + 1)
  if (!/^[-.%a-zA-Z0-9]{1,128}$/.test(address)) throw new ProtocolError('malformed', 'not a CAIP-10 account')
  if (chain.namespace !== 'eip155') return { ...chain, address }
  if (!isAddress(address)) throw new ProtocolError('malformed', 'not an EVM account')
  return { ...chain, address: lowerAddress(address) }
}
