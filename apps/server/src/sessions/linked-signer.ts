import { createHash } from 'node:crypto'
import type { ToSign } from '@ergon/contract'
import type { LinkAnswer, LinkedSigner } from '../dispatch/wallet-actions.ts'

type Standing = 'asks_owner' | 'autonomous_wallet' | 'approval_not_required' | 'unlinked' | 'unknown'
type SignerAnswer =
  | { readonly status: 'signed'; readonly signature: string; readonly secret: string | null }
  | { readonly status: 'pending'; readonly approvalUrl: string | null }
  | { readonly status: Exclude<Standing, 'asks_owner'> | 'denied' | 'refused' }

/** The external signer; it never throws. */
export interface SignerDoor {
  standing(wallet: string, secret: string): Promise<Standing>
  /** The same id is the same request, however often it is asked. */
  sign(request: {
    readonly id: string
    readonly wallet: string
    readonly secret: string | null
    readonly document:
      | { readonly kind: 'typed_data'; readonly typed_data: unknown }
      | { readonly kind: 'message'; readonly message: string }
  }): Promise<SignerAnswer>
}

type Kept = { readonly id: string; readonly asked: string; readonly signature: string | null }
/** What is kept of links, and of what was asked for. */
export interface LinkBook {
  link(wallet: string, secret: string): Promise<void>
  find(wallet: string): Promise<{ readonly secret: string | null } | null>
  ended(wallet: string): Promise<void>
  openRequest(wallet: string, subject: string): Promise<Kept | null>
  begin(request: {
    readonly id: string
    readonly wallet: string
    readonly subject: string
    readonly asked: string
    readonly goodUntil: Date
  }): Promise<Kept | null>
  signed(id: string, signature: string): Promise<void>
  drop(id: string): Promise<void>
}

export type LinkedSignerDeps = {
  readonly door: SignerDoor
  readonly book: LinkBook
  /** Whether this wallet signed the document. */
  readonly isSigned: (wallet: string, asked: ToSign, signature: string) => Promise<boolean>
  readonly newId: () => string
  readonly now: () => Date
}

/**
 * Fetches signatures of a linked signer (spec §5, OAuth 12, decision 0135): only for a wallet that asks its owner, one
 * request for one subject. A lost answer means unknown: the same request is asked again.
 */
export function createLinkedSigner(deps: LinkedSignerDeps): LinkedSigner {
  const { door, book } = deps
  return {
    async signatureFor(wallet, asked, about) {
      const link = await book.find(wallet)
      if (link === null) return null
      if (link.secret === null) return kept('unlinked_by_paybox')
      const subject = subjectOf(asked, about)
      const open = (await book.openRequest(wallet, subject)) ?? (await begin(deps, wallet, link.secret, asked, subject))
      if ('state' in open) return open
      const first = JSON.parse(open.asked) as ToSign // our own words
      if (open.signature !== null) return { state: 'signed', asked: first, signature: open.signature }
      const document = { kind: 'typed_data', typed_data: first.typedData } as const
      const answer = await door.sign({ id: open.id, wallet, secret: link.secret, document })
      return taken(deps, { wallet, id: open.id, asked: first }, answer)
    },
  }
}

const kept = (reason: Extract<LinkAnswer, { state: 'kept' }>['reason']): LinkAnswer => ({ state: 'kept', reason })

/** A new request, when the wallet is one that asks its owner; else why the recipe stays. */
async function begin(
  { door, book, newId, now }: LinkedSignerDeps,
  wallet: string,
  secret: string,
  asked: ToSign,
  subject: string,
): Promise<Kept | LinkAnswer> {
  const standing = await door.standing(wallet, secret)
  if (standing === 'unlinked') {
    await book.ended(wallet)
    return kept('unlinked_by_paybox')
  }
  // Nothing was asked yet, so whoever signs by the recipe signs alone.
  if (standing === 'unknown') return kept('answer_unknown')
  if (standing !== 'asks_owner') return kept(standing)
  const goodUntil = endOf(asked, now())
  const begun = await book.begin({ id: newId(), wallet, subject, asked: JSON.stringify(asked), goodUntil })
  return begun ?? kept('too_many_open')
}

type Open = { readonly wallet: string; readonly id: string; readonly asked: ToSign }

async function taken(
  { book, isSigned }: LinkedSignerDeps,
  { wallet, id, asked }: Open,
  answer: SignerAnswer,
): Promise<LinkAnswer> {
  switch (answer.status) {
    case 'signed':
      if (!(await isSigned(wallet, asked, answer.signature))) return kept('signature_refused')
      await book.signed(id, answer.signature)
      return { state: 'signed', asked, signature: answer.signature }
    case 'pending': {
      const { approvalUrl } = answer
      const where = approvalUrl === null ? {} : { approvalUrl }
      return { state: 'pending', reason: 'awaits_owner', requestId: id, ...where }
    }
    case 'unknown':
      return { state: 'pending', reason: 'answer_unknown', requestId: id }
    case 'refused':
      return kept('signature_refused')
    case 'unlinked':
      await book.ended(wallet)
      return kept('unlinked_by_paybox')
    case 'denied':
    case 'autonomous_wallet':
    case 'approval_not_required':
      await book.drop(id)
      return kept(answer.status)
  }
}

/** New in every challenge; the rest of a document says what is agreed to. */
const passing = new Set(['nonce', 'deadline', 'validAfter', 'validBefore'])

/** What a signature is about: a call, and what its document agrees to, whenever it was handed out. */
function subjectOf({ operation, parameter, typedData }: ToSign, about: Readonly<Record<string, unknown>>): string {
  const { domain, primaryType, message } = typedData
  const lasting = Object.entries(message).filter(([name]) => !passing.has(name))
  const said = [operation, parameter, sorted(about), sorted(domain), primaryType, sorted(Object.fromEntries(lasting))]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

const sorted = (fields: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))

const mostMs = 31 * 86_400_000

/** When nothing can be done with the document any more: until then no other is signed in its place. */
function endOf({ typedData: { message } }: ToSign, now: Date): Date {
  const end = Number(message['validBefore'] ?? message['deadline']) * 1_000
  const most = now.getTime() + mostMs
  return new Date(Number.isFinite(end) ? Math.min(end, most) : most)
}
