import { hexToBytes, lowerAddress, type Hex, type SignedAuthorization, type Signer } from '@ergon/protocols'

type SignableMessage = string | { readonly raw: Hex | Uint8Array }

/** What a local account of viem can do, as far as it is needed here; viem itself is not. */
export type ViemAccount = {
  readonly address: Hex
  // Written as methods, so that accounts whose parameters are told more exactly fit as well.
  signMessage(parameters: { message: SignableMessage }): Promise<Hex>
  signTypedData(parameters: {
    domain: object
    types: Record<string, { name: string; type: string }[]>
    primaryType: string
    message: Record<string, unknown>
  }): Promise<Hex>
  signAuthorization?(parameters: { chainId: number; address: Hex; nonce: number }): Promise<{
    readonly r: Hex
    readonly s: Hex
    readonly yParity?: number | undefined
    readonly v?: bigint | undefined
  }>
}

/** A wallet that is an account of viem: `viemSigner(privateKeyToAccount(key))`. */
export function viemSigner(account: ViemAccount): Signer {
  const address = lowerAddress(account.address)
  const { signAuthorization } = account
  return {
    address,
    signMessage: (message) =>
      account.signMessage({ message: typeof message === 'string' ? message : { raw: message } }),
    signTypedData: ({ domain, types, primaryType, message }) =>
      account.signTypedData({
        domain,
        types: Object.fromEntries(
          Object.entries(types).map(([name, fields]) => [name, fields.map((field) => ({ ...field }))]),
        ),
        primaryType,
        message: { ...message },
      }),
    ...(signAuthorization === undefined
      ? {}
      : {
          async signAuthorization(authorization): Promise<SignedAuthorization> {
            const { r, s, yParity, v } = await signAuthorization.call(account, authorization)
            return {
              ...authorization,
              address: lowerAddress(authorization.address),
              yParity: parityOf(yParity, v),
              r: word(r),
              s: word(s),
            }
          },
        }),
  }
}

function parityOf(yParity: number | undefined, v: bigint | undefined): 0 | 1 {
  return (yParity ?? Number((v ?? 27n) - 27n)) === 1 ? 1 : 0
}

/** A number of 32 bytes, written out. */
function word(hex: Hex): Hex {
  const padded: Hex = `0x${hex.slice(2).padStart(64, '0')}`
  hexToBytes(padded)
  return padded
}
