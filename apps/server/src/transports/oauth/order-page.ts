import { usdOf, type SignIn } from '@ergon/oauth'
import type { TypedData } from '@ergon/protocols'
import { faultLine, frame, hidden, signatureFields, walletSlot } from './consent-page.ts'
import { elsewhereSection } from './elsewhere-section.ts'
import { html, type Markup } from './html.ts'
import { words, type PageFault, type Tongue } from './page-words.ts'

export type OrderPage = {
  readonly signIn: SignIn
  readonly csrf: string
  readonly account: string
  readonly document: TypedData
  readonly deliveryToken: string
  readonly issuer: string
  readonly fault: PageFault | null
}

/** The page after a consent to approvals: the standing order, to be signed or left out. */
export function orderPage(tongue: Tongue, page: OrderPage): string {
  const { signIn, csrf, account, document, deliveryToken, issuer, fault } = page
  const say = words[tongue]
  const path = `/oauth/consent/${signIn.rid}`
  return frame(
    tongue,
    say.orderTitle,
    html`<h1>${say.orderTitle}</h1>
      ${faultLine(tongue, fault)} ${orderText(tongue, signIn, document)} ${walletSlot(tongue, 'order', account)}
      <form
        id="sign"
        method="post"
        action="${path}"
        data-rid="${signIn.rid}"
        data-page="${path}?lang=${tongue}"
        data-status="${path}/status"
        data-waits="standing_order"
      >
        ${hidden({ csrf, lang: tongue, action: 'order' })} ${signatureFields(tongue)}
      </form>
      ${elsewhereSection(tongue, { issuer, rid: signIn.rid, deliveryToken })}
      <p>${say.withoutHint}</p>
      <p><a href="${path}/finish">${say.without}</a></p>`,
  )
}

/** What the standing order bounds, and the typed data that is signed. */
export function orderText(tongue: Tongue, { outcome }: SignIn, document: TypedData): Markup {
  const say = words[tongue]
  const limits = outcome.kind === 'allowed' ? outcome.limits : null
  return html`<p>${say.orderHint}</p>
    ${
      limits === null
        ? null
        : html`<p>${say.orderBounds} ${usdOf(limits.maxCents)} USD × ${String(limits.maxCount)}</p>`
    }
    <pre id="text" tabindex="0" role="region" aria-label="${say.orderTitle}">${asWalletsTakeIt(document)}</pre>`
}

/** Wallets want the type of the domain beside the others (eth_signTypedData_v4). */
function asWalletsTakeIt(document: TypedData): string {
  const domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ]
  return JSON.stringify({ ...document, types: { EIP712Domain: domain, ...document.types } }, null, 2)
}
