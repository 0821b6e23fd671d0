import { usdOf, type SignIn } from '@ergon/oauth'
import type { TypedData } from '@ergon/protocols'
import { faultLine, frame, hidden, signatureField, walletSlot } from './consent-page.ts'
import { html } from './html.ts'
import { words, type PageFault, type Tongue } from './page-words.ts'

export type OrderPage = {
  readonly signIn: SignIn
  readonly csrf: string
  readonly account: string
  readonly document: TypedData
  readonly fault: PageFault | null
}

/** The page after a consent to approvals: the standing order, to be signed or left out. */
export function orderPage(tongue: Tongue, { signIn, csrf, account, document, fault }: OrderPage): string {
  const say = words[tongue]
  const path = `/oauth/consent/${signIn.rid}`
  const limits = signIn.outcome.kind === 'allowed' ? signIn.outcome.limits : null
  const bounds =
    limits === null ? null : html`<p>${say.orderBounds} ${usdOf(limits.maxCents)} USD × ${String(limits.maxCount)}</p>`
  return frame(
    tongue,
    say.orderTitle,
    html`<h1>${say.orderTitle}</h1>
      ${faultLine(tongue, fault)}
      <p>${say.orderHint}</p>
      ${bounds}
      <pre id="text" tabindex="0" role="region" aria-label="${say.orderTitle}">${asWalletsTakeIt(document)}</pre>
      ${walletSlot(tongue, 'order', account)}
      <form id="sign" method="post" action="${path}" data-rid="${signIn.rid}">
        ${hidden({ csrf, lang: tongue, action: 'order' })} ${signatureField(tongue)}
      </form>
      <p>${say.withoutHint}</p>
      <p><a href="${path}/finish">${say.without}</a></p>`,
  )
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
