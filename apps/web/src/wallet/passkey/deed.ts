import {
  anyPayment,
  isCanonicalSignInMessage,
  networkByChainId,
  parseSignInMessage,
  sameAddress,
  tokenByAddress,
  type Address,
  type TypedData,
} from '@ergon/protocols'

/** What a signature does, read from what is signed itself and from nothing that a page says of it. */
export type Deed =
  | {
      readonly kind: 'pays'
      readonly payer: string
      readonly payee: string
      readonly atomic: bigint
      readonly network: string
      readonly until: number
    }
  | { readonly kind: 'releases' | 'returns' | 'approves'; readonly payee: string; readonly atomic: bigint }
  | { readonly kind: 'lets'; readonly atomic: bigint; readonly from: number; readonly until: number }
  | { readonly kind: 'rates' | 'names'; readonly network: string }
  | { readonly kind: 'signsIn'; readonly site: string }
  | { readonly kind: 'calls'; readonly method: string; readonly path: string }
  | { readonly kind: 'says' }

/** Nobody can put it into words, so nobody signs it. */
export type Unread = { readonly kind: 'unread'; readonly why: 'unreadable' | 'token' | 'notYours' }

const unreadable: Unread = { kind: 'unread', why: 'unreadable' }
const payments = ['ReceiveWithAuthorization', 'TransferWithAuthorization']
const ratings = ['RelayedGiveFeedback', 'RelayedRevokeFeedback', 'RelayedAppendResponse']

/** What an EIP-712 document does when `wallet` signs it. */
export function deedOfDocument(document: TypedData, wallet: Address): Deed | Unread {
  const { domain, primaryType, message } = document
  const network = networkByChainId(domain.chainId ?? 0)
  if (network === undefined) return unreadable
  if (payments.includes(primaryType)) {
    const token = tokenByAddress(network, domain.verifyingContract ?? '')
    // The wallet counts in dollars of six decimals, as every token of the table has them.
    if (token?.decimals !== 6) return { kind: 'unread', why: 'token' }
    const [payer, payee, atomic, until] = [
      addressIn(message['from']),
      addressIn(message['to']),
      wholeIn(message['value']),
      wholeIn(message['validBefore']),
    ]
    if (payer === undefined || payee === undefined || atomic === undefined || until === undefined) return unreadable
    if (!sameAddress(payer, wallet)) return { kind: 'unread', why: 'notYours' }
    return { kind: 'pays', payer, payee, atomic, network: network.name, until: Number(until) }
  }
  if (primaryType === 'LifecycleOrder') {
    const info = message['paymentInfo']
    const payee = typeof info === 'object' && info !== null ? addressIn(Reflect.get(info, 'receiver')) : undefined
    const atomic = wholeIn(message['amount'])
    if (payee === undefined || atomic === undefined) return unreadable
    return { kind: message['action'] === 'release' ? 'releases' : 'returns', payee, atomic }
  }
  if (primaryType === 'ReleaseApproval') {
    const [payer, atomic] = [addressIn(message['payer']), wholeIn(message['amount'])]
    return payer === undefined || atomic === undefined ? unreadable : { kind: 'approves', payee: payer, atomic }
  }
  if (primaryType === 'StandingOrder') return standing(message, wallet)
  if (ratings.includes(primaryType)) return { kind: 'rates', network: network.name }
  return primaryType === 'AgentWalletSet' ? { kind: 'names', network: network.name } : unreadable
}

/** What was counted when it was locked may go to its worker: one payment, once. A wider word is no consent here. */
function standing(message: Readonly<Record<string, unknown>>, wallet: Address): Deed | Unread {
  const [payer, payment] = [addressIn(message['payer']), message['payment']]
  const [atomic, count] = [wholeIn(message['maxTotal']), wholeIn(message['maxCount'])]
  const [from, until] = [wholeIn(message['notBefore']), wholeIn(message['notAfter'])]
  if (payer === undefined || atomic === undefined || from === undefined || until === undefined) return unreadable
  if (!sameAddress(payer, wallet)) return { kind: 'unread', why: 'notYours' }
  if (count !== 1n || typeof payment !== 'string' || payment === anyPayment) return unreadable
  return { kind: 'lets', atomic, from: Number(from), until: Number(until) }
}

/** What a text does when it is signed. */
export function deedOfText(text: string): Deed {
  if (isCanonicalSignInMessage(text)) return { kind: 'signsIn', site: parseSignInMessage(text).domain }
  // The base of a signed request: RFC 9421 §2.5.
  const [, method] = /^"@method": ([A-Z]{1,10})$/m.exec(text) ?? []
  const [, path] = /^"@path": (\/[!-~]{0,2000})$/m.exec(text) ?? []
  return method !== undefined && path !== undefined && /^"@signature-params": \(/m.test(text)
    ? { kind: 'calls', method, path }
    : { kind: 'says' }
}

const addressIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value : undefined

/** A whole number as documents write it; never a negative one. */
function wholeIn(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && /^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value) ? BigInt(value) : undefined
}
