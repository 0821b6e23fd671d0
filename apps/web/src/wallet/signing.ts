import type { Eip1193Provider, Signer } from '@ergon/sdk'
import type { Hex, TypedData } from '@ergon/protocols'
import { failureOf, SigningRefused } from './wallet-failed.ts'

/** What a person is told before the wallet opens, in the words of the reader (spec §5.4: nothing is signed unseen). */
export type Intent = {
  /** What the signature does, as a sentence. */
  readonly title: string
  readonly explanation?: string
  readonly payer?: string
  readonly payee?: string
  readonly amountUsd?: number
  /** The most that this signature can cost the signer. */
  readonly mostLostUsd: number
  /** ISO 8601; after it the signature is worth nothing. */
  readonly expiresAt?: string
  readonly network?: string
  /** Which way the money goes: into escrow for a worker, out of it, or straight from the signer. */
  readonly way?: 'aside' | 'out' | 'direct'
  /** How the person who is paid is called. */
  readonly payeeName?: string | undefined
  readonly payeePicture?: string | null | undefined
  /** What reaches that person. */
  readonly receivedUsd?: number
  /** When the money comes back to the signer, in words. */
  readonly comesBack?: string
  /** ISO 8601; until then the money may stay bound. */
  readonly boundUntil?: string | undefined
  /**
   * The screen has said all this, and the click that brought it here agreed. Only for a text that costs nothing:
   * everything else is explained once more.
   */
  readonly isExplained?: true
}

/** One signature that waits for a person to agree. */
export type SigningRequest = {
  readonly intent: Intent
  /** The text or the EIP-712 document, exactly as the wallet gets it. */
  readonly subject:
    { readonly kind: 'text'; readonly text: string } | { readonly kind: 'document'; readonly document: TypedData }
  /** The wallet that will be asked. */
  readonly provider: Eip1193Provider | undefined
  /** Asks the wallet, directly from the click, so that no popup is blocked. */
  readonly agree: () => void
  readonly refuse: () => void
}

/** Where signatures wait. One at a time: a second explanation over the first would hide it. */
export type SigningDesk = {
  readonly current: () => SigningRequest | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** What the person has agreed to and the wallet has not answered yet. */
  readonly agreed: () => SigningRequest | undefined
  /** A signer that explains each signature before it asks the wallet; `onSigned` once the wallet has given one. */
  readonly explaining: (signer: Signer, intent: Intent, onSigned?: () => void, provider?: Eip1193Provider) => Signer
}

export function createSigningDesk(): SigningDesk {
  let current: SigningRequest | undefined
  let agreed: SigningRequest | undefined
  const listeners = new Set<() => void>()
  const show = (request: SigningRequest | undefined): void => {
    current = request
    for (const listener of listeners) listener()
  }
  const explained = (
    intent: Intent,
    subject: SigningRequest['subject'],
    sign: () => Promise<Hex>,
    onSigned: () => void,
    provider: Eip1193Provider | undefined,
  ): Promise<Hex> => {
    if (current !== undefined) return Promise.reject(new SigningRefused('another signature is being explained'))
    const { promise, resolve, reject } = Promise.withResolvers<Hex>()
    let isOver = false
    const request: SigningRequest = {
      intent,
      subject,
      provider,
      agree: () => {
        agreed = request
        sign().then(
          (signature) => {
            // What comes after it was given up is sent nowhere.
            if (isOver) return
            onSigned()
            resolve(signature)
          },
          (cause: unknown) => {
            reject(failureOf(cause))
          },
        )
      },
      refuse: () => {
        isOver = true
        reject(new SigningRefused('not agreed to'))
      },
    }
    if (intent.isExplained === true && intent.mostLostUsd === 0 && subject.kind === 'text') request.agree()
    else show(request)
    return promise.finally(() => {
      agreed = undefined
      show(undefined)
    })
  }
  return {
    current: () => current,
    agreed: () => agreed,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    explaining: (signer, intent, onSigned = () => undefined, provider) => ({
      address: signer.address,
      signMessage: (message) =>
        explained(
          intent,
          { kind: 'text', text: typeof message === 'string' ? message : readable(message) },
          () => signer.signMessage(message),
          onSigned,
          provider,
        ),
      signTypedData: (document) =>
        explained(intent, { kind: 'document', document }, () => signer.signTypedData(document), onSigned, provider),
    }),
  }
}

function readable(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Whether a request that was agreed to is about exactly this. */
export function isSameSubject(
  request: SigningRequest | undefined,
  provider: Eip1193Provider,
  subject: string | TypedData,
): boolean {
  if (request?.provider !== provider) return false
  return request.subject.kind === 'text'
    ? request.subject.text === subject
    : typeof subject !== 'string' &&
        JSON.stringify(partsOf(request.subject.document)) === JSON.stringify(partsOf(subject))
}

const partsOf = ({ domain, types, primaryType, message }: TypedData): unknown[] => [domain, types, primaryType, message]
