import { bytesToHex, lowerAddress, utf8, type Hex, type Signer, type TypedData } from '@ergon/protocols'

/** What is asked of a signer elsewhere; plain JSON, to be carried over HTTP, a pipe or a queue. */
export type SigningRequest =
  | {
      readonly kind: 'message'
      readonly address: Hex
      /** Hex of the bytes; EIP-191 is the signer's part. */
      readonly message: Hex
    }
  | { readonly kind: 'typed_data'; readonly address: Hex; readonly typed_data: TypedData }

/**
 * A wallet whose key is elsewhere: a key service, a program, a person with a device. `ask` carries the request there
 * and brings the signature back.
 *
 * @example
 * const signer = remoteSigner(address, async (request) => (await (await fetch(url, { method: 'POST', body:
 * JSON.stringify(request) })).json()).signature)
 */
export function remoteSigner(wallet: string, ask: (request: SigningRequest) => Promise<string>): Signer {
  const address = lowerAddress(wallet)
  const asked = async (request: SigningRequest): Promise<Hex> => {
    const answer = (await ask(request)).trim()
    if (!/^0x(?:[0-9a-f]{2})+$/i.test(answer)) throw new TypeError('the remote signer answered no signature')
    // The pattern above is the type.
    return answer as Hex
  }
  return {
    address,
    signMessage: (message) =>
      asked({ kind: 'message', address, message: bytesToHex(typeof message === 'string' ? utf8(message) : message) }),
    signTypedData: (typed_data) => asked({ kind: 'typed_data', address, typed_data }),
  }
}
