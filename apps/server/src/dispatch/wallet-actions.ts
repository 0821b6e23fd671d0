import {
  asksSignature,
  cappedApprovalErrors,
  pendingAction,
  signAction,
  signedAction,
  type Asks,
  type LackingCall,
  type LinkReason,
  type OperationName,
  type ToSign,
  type WalletAction,
} from '@ergon/contract'

type Json = Readonly<Record<string, unknown>>

/** A call that was refused, by whom: the wallet that its transport verified. */
export type Lacking = {
  readonly operation: OperationName
  readonly given: Json
  readonly code: string
  readonly wallet: string
}

/** What a signer that a wallet linked has done with one document (spec §5, OAuth 12). */
export type LinkAnswer =
  | { readonly state: 'signed'; readonly asked: ToSign; readonly signature: string }
  | {
      readonly state: 'pending'
      readonly reason: LinkReason
      readonly requestId: string
      readonly approvalUrl?: string
    }
  /** The caller signs by the recipe. */
  | { readonly state: 'kept'; readonly reason: LinkReason }

export interface LinkedSigner {
  /**
   * Null where the wallet has linked none. `about`: the fields that the challenge was asked with. Never throws for what
   * the signer does.
   */
  signatureFor(wallet: string, asked: ToSign, about: Json): Promise<LinkAnswer | null>
}

/** Hands out a challenge as the caller; throws or answers what refused it. */
export type ReadChallenge = (name: OperationName, input: Json) => Promise<unknown>

export type Handed = { readonly challenge: unknown; readonly wallet_action: WalletAction }

/** What a refused call lacks that its wallet can sign (spec §5, OAuth 10); null where no signature would help. */
export type WalletActions = (lacking: Lacking, read: ReadChallenge) => Promise<Handed | null>

const known: Readonly<Partial<Record<OperationName, readonly Asks[]>>> = asksSignature

/** Which challenge answers a refusal; undefined where none does. */
export const asksFor = ({ operation, code }: Pick<Lacking, 'operation' | 'code'>): Asks | undefined =>
  known[operation]?.find(({ codes }) => codes.some((one) => one === code))

const limits: ReadonlySet<string> = new Set(cappedApprovalErrors)
/** A limit that a call met: what cannot be handed out to be signed does not hide it. */
export const isLimit = (code: string): boolean => limits.has(code)

/** The same for every transport. Nothing has changed when a block is answered. */
export function createWalletActions({ linked }: { readonly linked: LinkedSigner | null }): WalletActions {
  return async (lacking, read) => {
    const asks = asksFor(lacking)
    if (asks === undefined) return null
    const { operation, given, code, wallet } = lacking
    const about = Object.fromEntries(
      asks.takes.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]),
    )
    const challenge = await read(asks.challenge, about)
    // The contract's output of that operation.
    const next = asks.next(challenge as Parameters<Asks['next']>[0], given, wallet)
    if (next === null) return null
    const call: LackingCall = { given, reason: code, signer: wallet }
    return { challenge, wallet_action: await blockOf(linked, { operation, ...next }, call, about) }
  }
}

async function blockOf(
  linked: LinkedSigner | null,
  asked: ToSign,
  call: LackingCall,
  about: Json,
): Promise<WalletAction> {
  const answer = (await linked?.signatureFor(call.signer, asked, about)) ?? null
  if (answer === null) return signAction(asked, call)
  if (answer.state === 'signed') return signedAction(answer.asked, call, answer.signature)
  if (answer.state === 'kept') return { ...signAction(asked, call), paybox_link: { reason: answer.reason } }
  const { reason, requestId, approvalUrl } = answer
  return pendingAction(asked, call, {
    reason,
    request_id: requestId,
    ...(approvalUrl === undefined ? {} : { approval_url: approvalUrl }),
  })
}
