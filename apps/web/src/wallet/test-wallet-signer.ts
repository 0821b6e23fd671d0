import { generatePrivateKey, privateKeySigner, type Signer } from '@ergon/sdk'
import { hexToBytes, type Hex, type TypedData } from '@ergon/protocols'

/** Answers what a wallet is asked (EIP-1193), with the key that the page keeps. */
export async function answerAsTestWallet(
  readKey: (create: () => string) => string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  // A key this module made, or one an earlier visit kept.
  const signer = privateKeySigner(readKey(generatePrivateKey) as Hex)
  if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [signer.address]
  if (method === 'personal_sign') return signMessage(signer, params[0])
  if (method === 'eth_signTypedData_v4') return signer.signTypedData(documentOf(params[1]))
  throw Object.assign(new Error(`the test wallet knows no ${method}`), { code: 4200 })
}

function signMessage(signer: Signer, message: unknown): Promise<Hex> {
  if (typeof message !== 'string' || !message.startsWith('0x')) throw new TypeError('personal_sign takes bytes in hex')
  return signer.signMessage(hexToBytes(message as Hex))
}

function documentOf(text: unknown): TypedData {
  const { types, ...rest } = JSON.parse(String(text)) as TypedData
  const { EIP712Domain: _domain, ...own } = types
  return { ...rest, types: own }
}
