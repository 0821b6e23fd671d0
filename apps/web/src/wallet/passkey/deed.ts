import {
  anyPayment,
  isCanonicalSignInMessage,
  networkByChainId,
  parseSignInMessage,
  sameAddress,
  tokenByAddress,
  type Address,
  type Network,
  type TypedData,
} from '@ergon/protocols'

/** What a signature does, read from the signed bytes alone and from nothing that a page claims. */
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
  | {
      readonly kind: 'divides'
      readonly toWorker: bigint
      readonly toPayer: bigint
      readonly worker: string
      readonly until: number
    }
  | { readonly kind: 'rulesAll'; readonly for: 'worker' | 'payer' }
  | { readonly kind: 'rulesSplit'; readonly payerPct: number }
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
  if (primaryType === 'SettlementOffer') return division(message, network, wallet)
  if (primaryType === 'DisputeRuling') return ruling(message, wallet)
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

/** How two sides divide what is held; one of them is this wallet, whichever side it is (decision 0167). */
function division(message: Fields, network: Network, wallet: Address): Deed | Unread {
  const [payer, worker] = [addressIn(message['payer']), addressIn(message['worker'])]
  const [toWorker, toPayer] = [wholeIn(message['workerAmount']), wholeIn(message['payerAmount'])]
  const until = wholeIn(message['expiry'])
  if (payer === undefined || worker === undefined) return unreadable
  if (toWorker === undefined || toPayer === undefined || until === undefined) return unreadable
  if (!sameAddress(payer, wallet) && !sameAddress(worker, wallet)) return { kind: 'unread', why: 'notYours' }
  const token = tokenByAddress(network, addressIn(message['token']) ?? '')
  if (token?.decimals !== 6) return { kind: 'unread', why: 'token' }
  return { kind: 'divides', toWorker, toPayer, worker, until: Number(until) }
}

/** What this wallet decides as an arbiter; the share says the same as the verdict (decision 0168). */
function ruling(message: Fields, wallet: Address): Deed | Unread {
  const [arbiter, payerPct] = [addressIn(message['arbiter']), wholeIn(message['payerPct'])]
  if (arbiter === undefined || payerPct === undefined) return unreadable
  if (!sameAddress(arbiter, wallet)) return { kind: 'unread', why: 'notYours' }
  const { verdict } = message
  if (verdict === 'release' && payerPct === 0n) return { kind: 'rulesAll', for: 'worker' }
  if (verdict === 'refund' && payerPct === 100n) return { kind: 'rulesAll', for: 'payer' }
  if (verdict !== 'split' || payerPct < 1n || payerPct > 99n) return unreadable
  return { kind: 'rulesSplit', payerPct: Number(payerPct) }
}

type Fields = Readonly<Record<string, unknown>>

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
