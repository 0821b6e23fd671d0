import { hexToBytes, type Hex, type TypedData } from '@ergon/protocols'
import { PasskeyFault } from './faults.ts'
import { openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

/** Answers what a wallet is asked (EIP-1193). Whatever it does not know, it does not do. */
export async function answerAsPasskeyWallet(
  address: string,
  method: string,
  params: readonly unknown[],
  isShown: (subject: string | TypedData) => boolean,
  vault: Pick<Vault, 'signText' | 'signDocument'> = openVault(),
): Promise<unknown> {
  if (method === 'personal_sign') {
    const [text, account] = params
    requireAccount(account, address)
    if (typeof text !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(text)) throw new PasskeyFault('unreadable')
    const words = wordsIn(hexToBytes(text as Hex)) // the pattern above is the type
    return vault.signText(address, words, isShown(words))
  }
  if (method === 'eth_signTypedData_v4') {
    const [account, text] = params
    requireAccount(account, address)
    const document = documentOf(text)
    return vault.signDocument(address, document, isShown(document))
  }
  throw new PasskeyFault('method')
}

function requireAccount(account: unknown, address: string): void {
  if (typeof account !== 'string' || account.toLowerCase() !== address) throw new PasskeyFault('notYours')
}

/** What cannot be shown as it is, byte for byte, is not signed. */
function wordsIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new PasskeyFault('unreadable', {}, cause)
  }
}

/** The document without the type of its domain, which EIP-712 itself says. */
function documentOf(text: unknown): TypedData {
  let read: unknown
  try {
    read = typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    read = undefined
  }
  if (!isDocument(read)) throw new PasskeyFault('unreadable')
  const { domain, primaryType, message } = read
  const { EIP712Domain: _domain, ...types } = read.types
  return { domain, types, primaryType, message }
}

function isDocument(value: unknown): value is TypedData {
  if (typeof value !== 'object' || value === null) return false
  const isObject = (name: string): boolean => {
    const one: unknown = Reflect.get(value, name)
    return typeof one === 'object' && one !== null && !Array.isArray(one)
  }
  return (
    isObject('domain') &&
    isObject('types') &&
    isObject('message') &&
    typeof Reflect.get(value, 'primaryType') === 'string'
  )
}
