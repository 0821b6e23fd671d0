import { bytesToHex, lowerAddress, utf8, type Hex, type Signer, type TypedData } from '@ergon/protocols'

/** The wallet of a page, `window.ethereum` or any other, by its one method (EIP-1193). */
export type Eip1193Provider = { request(call: { method: string; params?: unknown }): Promise<unknown> }

/** A wallet behind an EIP-1193 provider; asks it for an account unless one is named. */
export async function eip1193Signer(provider: Eip1193Provider, account?: string): Promise<Signer> {
  const address = lowerAddress(account ?? (await firstAccount(provider)))
  const ask = async (method: string, params: readonly unknown[]): Promise<Hex> =>
    signature(await provider.request({ method, params }))
  return {
    address,
    signMessage: (message) =>
      ask('personal_sign', [bytesToHex(typeof message === 'string' ? utf8(message) : message), address]),
    signTypedData: (document) => ask('eth_signTypedData_v4', [address, JSON.stringify(withDomainType(document))]),
  }
}

async function firstAccount(provider: Eip1193Provider): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof first !== 'string') throw new TypeError('the wallet offers no account')
  return first
}

const domainTypes = [
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'address'],
  ['salt', 'bytes32'],
] as const

/** Wallets want the type of the domain spelled out; documents here leave it to EIP-712. */
function withDomainType(document: TypedData): TypedData {
  const { domain } = document
  const EIP712Domain = domainTypes
    .filter(([name]) => domain[name] !== undefined)
    .map(([name, type]) => ({ name, type }))
  return { ...document, types: { EIP712Domain, ...document.types } }
}

function signature(answer: unknown): Hex {
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(answer))
    throw new TypeError('the wallet answered no signature')
  // The pattern above is the type.
  return answer as Hex
}
