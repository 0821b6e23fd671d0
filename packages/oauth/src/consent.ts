import { codeRedirect, errorRedirect, type AuthorizeRequest } from './authorize.ts'
import { isOrderDelivery, openDelivery, sealDelivery, sealOrderDelivery, type Delivery } from './delivery-token.ts'
import { codeMs, comingGrant, signInMs } from './coming-grant.ts'
import { digestOf, sameText, toBase64url } from './digests.ts'
import type { Choice, Clock, OAuthStore, Proof, RandomBytes, SignIn, WalletProof } from './ports.ts'
import { openRemembered, sealRemembered, type Account } from './remembered-wallet.ts'
import type { Places } from './resource.ts'
import { grantedScopes, type ScopeRules } from './scope-rules.ts'
import { consentText } from './sign-in-text.ts'

export type DeliveryFault = 'unknown' | 'delivery_already_used' | 'signature_mismatch'

/** What is offered to sign: the text, and the token that lets whoever holds it deliver the signature. */
export type Offer = { readonly message: string; readonly deliveryToken: string; readonly expiresAt: Date }

/** A sign-in as the holder of a delivery token for it sees it, with the text where the token is for the text. */
export type Held = { readonly signIn: SignIn; readonly offer: (Offer & { readonly choice: Choice }) | null }

export type Consent = {
  /** Opens a sign-in; `csrf` is for the cookie and the forms of the browser that began it. */
  begin(request: AuthorizeRequest): Promise<{ readonly rid: string; readonly csrf: string; readonly expiresAt: Date }>
  /** The sign-in of a browser that holds its token; null is all that others learn. */
  read(rid: string, csrf: string | undefined): Promise<SignIn | null>
  offer(signIn: SignIn, choice: Choice): Offer
  /** The same offer again, from its token; undefined when the token is not good for this sign-in. */
  offerAgain(signIn: SignIn, deliveryToken: string): (Offer & { readonly choice: Choice }) | undefined
  /** Null when the signature was taken; of anything else it says what is wrong (spec §5, OAuth 11). */
  deliver(rid: string, deliveryToken: string, signature: string, from: string): Promise<DeliveryFault | null>
  /** Lets whoever holds it deliver what the wallet signs second, until the sign-in ends. */
  orderToken(signIn: SignIn): string
  /** The sign-in that a delivery token of either kind is for; null for what is unknown, forged or over. */
  held(rid: string, deliveryToken: string): Promise<Held | null>
  /** The wallet that this browser proved for this client within seven days. */
  rememberedWallet(signIn: SignIn, cookie: string | undefined): Account | undefined
  /** Takes a choice without a signature; false when it asks for approvals, the wallet is another, or it is too late. */
  allowRemembered(signIn: SignIn, choice: Choice, cookie: string | undefined): Promise<boolean>
  deny(signIn: SignIn): Promise<void>
  /** Where the browser goes, and what it remembers; null when nothing is decided or it was here before. */
  finish(signIn: SignIn): Promise<{ readonly location: string; readonly remember: string | null } | null>
}

export type ConsentDeps = {
  readonly store: Pick<OAuthStore, 'putSignIn' | 'findSignIn' | 'decide' | 'finish'>
  readonly wallets: WalletProof
  readonly rules: ScopeRules
  readonly places: Places
  /** Thirty-two bytes that nothing else is keyed with. */
  readonly key: Uint8Array
  readonly randomBytes: RandomBytes
  readonly now: Clock
}

const grantMs = 180 * 86_400_000

export function createConsent(deps: ConsentDeps): Consent {
  return {
    ...createSignIns(deps),
    ...createOffers(deps),
    ...createProofs(deps),
    finish: (signIn) => finish(deps, signIn),
  }
}

type SignIns = Pick<Consent, 'begin' | 'read' | 'deny'>
type Offers = Pick<Consent, 'offer' | 'offerAgain' | 'orderToken' | 'held'>
type Proofs = Pick<Consent, 'deliver' | 'rememberedWallet' | 'allowRemembered'>

function createSignIns({ store, randomBytes, now }: ConsentDeps): SignIns {
  return {
    async begin({ client, redirectUri, state, scopes, resource, challenge }) {
      const [rid, csrf] = [toHex(randomBytes(16)), toBase64url(randomBytes(32))]
      const expiresAt = new Date(now().getTime() + signInMs)
      await store.putSignIn({
        rid,
        clientId: client.id,
        clientName: client.name,
        clientHost: client.host,
        redirectUri,
        state,
        scopes,
        resource,
        challenge,
        csrfHash: digestOf(csrf),
        expiresAt,
      })
      return { rid, csrf, expiresAt }
    },
    async read(rid, csrf) {
      const signIn = csrf === undefined || !isRid(rid) ? null : await store.findSignIn(rid, now())
      return signIn !== null && sameText(digestOf(csrf ?? ''), signIn.csrfHash) ? signIn : null
    },
    async deny({ rid }) {
      await store.decide(rid, { kind: 'denied' }, now())
    },
  }
}

const textOf = ({ places }: ConsentDeps, signIn: SignIn, delivery: Delivery): string =>
  consentText(places, signIn, delivery, delivery)

function createOffers(deps: ConsentDeps): Offers {
  const { store, rules, key, randomBytes, now } = deps
  const offerAgain: Offers['offerAgain'] = (signIn, deliveryToken) => {
    const delivery = openDelivery(key, deliveryToken, signIn.rid, now())
    if (delivery === undefined) return undefined
    const message = textOf(deps, signIn, delivery)
    return { message, deliveryToken, expiresAt: delivery.expiresAt, choice: delivery }
  }
  return {
    offer(signIn, choice) {
      const delivery: Delivery = {
        ...choice,
        scopes: grantedScopes(choice.scopes, rules),
        rid: signIn.rid,
        nonce: toHex(randomBytes(16)),
        issuedAt: now(),
        // It ends with the sign-in, however late it was made.
        expiresAt: signIn.expiresAt,
      }
      const message = textOf(deps, signIn, delivery)
      return { message, deliveryToken: sealDelivery(key, delivery), expiresAt: delivery.expiresAt }
    },
    offerAgain,
    orderToken: ({ rid, expiresAt }) => sealOrderDelivery(key, rid, expiresAt),
    async held(rid, token) {
      const isForText = isRid(rid) && openDelivery(key, token, rid, now()) !== undefined
      if (!isForText && !(isRid(rid) && isOrderDelivery(key, token, rid, now()))) return null
      const signIn = await store.findSignIn(rid, now())
      return signIn === null ? null : { signIn, offer: (isForText ? offerAgain(signIn, token) : null) ?? null }
    },
  }
}

function createProofs(deps: ConsentDeps): Proofs {
  const { store, wallets, rules, key, now } = deps
  const allow = (rid: string, by: Proof, { address, chainId, scopes, limits }: Choice): Promise<boolean> =>
    store.decide(rid, { kind: 'allowed', by, address, chainId, scopes, limits }, now())
  return {
    async deliver(rid, deliveryToken, signature, from) {
      const delivery = isRid(rid) ? openDelivery(key, deliveryToken, rid, now()) : undefined
      const signIn = delivery === undefined ? null : await store.findSignIn(rid, now())
      if (delivery === undefined || signIn === null || signIn.outcome.kind === 'denied') return 'unknown'
      if (signIn.outcome.kind !== 'open') return 'delivery_already_used'
      const { address, chainId } = delivery
      const message = textOf(deps, signIn, delivery)
      if (!(await wallets.isSigned({ address, chainId, message, signature, from }))) return 'signature_mismatch'
      return (await allow(rid, 'signature', delivery)) ? null : 'delivery_already_used'
    },
    rememberedWallet: ({ clientId }, cookie) => openRemembered(key, clientId, cookie, now()),
    async allowRemembered({ rid, clientId }, choice, cookie) {
      const known = openRemembered(key, clientId, cookie, now())
      const isSame = known !== undefined && known.address === choice.address && known.chainId === choice.chainId
      const scopes = grantedScopes(choice.scopes, rules)
      // Approvals always prove the wallet anew (spec §5, OAuth 8).
      if (!isSame || scopes.length === 0 || scopes.includes(rules.approve) || choice.limits !== null) return false
      return allow(rid, 'remembered', { ...choice, scopes })
    },
  }
}

async function finish(
  { store, places, key, randomBytes, now }: ConsentDeps,
  signIn: SignIn,
): Promise<{ readonly location: string; readonly remember: string | null } | null> {
  const { rid, outcome, clientId, clientName, redirectUri, resource, challenge } = signIn
  if (outcome.kind === 'denied') {
    if (!(await store.finish(rid, null, now()))) return null
    const location = errorRedirect(places, signIn, 'access_denied', 'the owner of the wallet did not allow it')
    return { location, remember: null }
  }
  if (outcome.kind !== 'allowed') return null
  const code = toBase64url(randomBytes(32))
  const { address, chainId, scopes, limits, by } = outcome
  const at = now().getTime()
  const isFirst = await store.finish(
    rid,
    {
      id: comingGrant(signIn).id,
      clientId,
      clientName,
      address,
      chainId,
      scopes,
      limits,
      resource,
      redirectUri,
      challenge,
      codeHash: digestOf(code),
      codeExpiresAt: new Date(at + codeMs),
      expiresAt: new Date(at + grantMs),
    },
    now(),
  )
  if (!isFirst) return null
  return {
    location: codeRedirect(places, signIn, code),
    // What was remembered is not remembered for longer by being used.
    remember: by === 'signature' ? sealRemembered(key, clientId, { address, chainId }, now()) : null,
  }
}

const isRid = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
