import { comingGrant, digestOf, type Choice, type SignIn, type StandingOrders, type StandingTerms } from '@ergon/oauth'
import type { Hex, TypedData } from '@ergon/protocols'
import { openSignature, type OpenedSignature } from './wrapped-signature.ts'

/** The second thing that a consent to approvals signs: by it money really moves (decision 0124). */
export type ConsentOrders = {
  /** What the wallet signs; null where the consent releases nothing, or its network holds no dollar in escrow. */
  offer(signIn: SignIn): TypedData | null
  /** Whether it was signed and kept. */
  isKept(signIn: SignIn): Promise<boolean>
  /**
   * Keeps the order with its signature; false when this wallet did not sign it.
   * @throws identity_check_unavailable, RATE_LIMITED
   */
  deliver(signIn: SignIn, signature: string, from: string): Promise<boolean>
}

type OrderKey = { readonly grantId: string; readonly chainId: number; readonly token: string }

export type ConsentOrdersDeps = {
  /** The network of a chain, when a dollar can lie in escrow there. */
  readonly networkOf: (chainId: number) => Pick<StandingTerms, 'network' | 'token'> | undefined
  /** Orders with one nonce; `from` pays for what a contract is asked, as it is or as it would be once put up. */
  readonly orders: (given: {
    readonly nonce: Hex
    readonly from: string
    readonly putUp: OpenedSignature['putUp']
  }) => StandingOrders
  readonly warrants: {
    keep(key: OrderKey & { readonly wallet: string }, order: object, goodUntil: Date): Promise<void>
    find(key: OrderKey): Promise<object | null>
  }
}

export function createConsentOrders(deps: ConsentOrdersDeps): ConsentOrders {
  return {
    offer: (signIn) => offerOf(deps, signIn)?.typedData ?? null,
    async isKept(signIn) {
      const offer = offerOf(deps, signIn)
      return offer !== null && (await deps.warrants.find(offer.key)) !== null
    },
    async deliver(signIn, signature, from) {
      const opened = openSignature(signature)
      const offer = offerOf(deps, signIn, from, opened?.putUp)
      if (offer === null || opened === null) return false
      // Out of its wrapper: whoever takes the order by then asks a wallet that its first lock has put up.
      const order = { ...offer.order, signature: opened.signature }
      if (!(await offer.orders.isSigned(order, offer.key.chainId))) return false
      await deps.warrants.keep({ ...offer.key, wallet: offer.order.payer }, order, comingGrant(signIn).until)
      return true
    },
  }
}

/** Made of the sign-in alone, so it is the same whenever it is asked for, and nothing of a form is believed. */
function offerOf(
  { networkOf, orders: ordersWith }: ConsentOrdersDeps,
  signIn: SignIn,
  from = '',
  putUp: OpenedSignature['putUp'] = null,
) {
  const choice = releasing(signIn)
  const network = choice === null ? undefined : networkOf(choice.chainId)
  if (choice === null || network === undefined) return null
  const grant = comingGrant(signIn)
  const orders = ordersWith({ nonce: nonceOf(signIn.rid), from, putUp })
  const terms = { ...choice.limits, ...network, payer: choice.address, notAfter: grant.until }
  const { typedData, chainId, order } = orders.challenge(terms, grant.from)
  return { orders, typedData, order, key: { grantId: grant.id, chainId, token: order.token } }
}

/** What was allowed, as long as the sign-in is not finished. */
function releasing({ outcome }: SignIn): (Choice & { readonly limits: NonNullable<Choice['limits']> }) | null {
  if (outcome.kind !== 'allowed' || outcome.limits === null) return null
  return { ...outcome, limits: outcome.limits }
}

/** Each sign-in is asked for one order, so signing it twice begins no second count. */
const nonceOf = (rid: string): Hex => `0x${Buffer.from(digestOf(`standing order ${rid}`), 'base64url').toString('hex')}`
