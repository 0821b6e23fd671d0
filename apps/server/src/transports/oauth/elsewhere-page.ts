import type { Held, SignIn } from '@ergon/oauth'
import type { TypedData } from '@ergon/protocols'
import { aboutClient, faultLine, frame, hidden, noticePage, signatureFields, walletSlot } from './consent-page.ts'
import { html, type Markup } from './html.ts'
import { orderText } from './order-page.ts'
import { words, type PageFault, type Tongue } from './page-words.ts'

type Signed = { readonly signIn: SignIn; readonly deliveryToken: string; readonly fault: PageFault | null }

/** The text of a consent, for a wallet on another device than the browser that began. */
export function elsewhereTextPage(
  tongue: Tongue,
  page: Signed & { readonly offer: NonNullable<Held['offer']> },
): string {
  const say = words[tongue]
  const { message, choice } = page.offer
  return elsewherePage(tongue, page, {
    title: say.signTitle,
    signs: 'sign',
    account: choice.address,
    text: html`<p>${say.signHint}</p>
      <pre id="text" tabindex="0" role="region" aria-label="${say.signTitle}">${message}</pre>`,
  })
}

/** The standing order of a consent to approvals, for the same wallet. */
export function elsewhereOrderPage(
  tongue: Tongue,
  page: Signed & { readonly document: TypedData; readonly account: string },
): string {
  const { signIn, document, account } = page
  const text = orderText(tongue, signIn, document)
  return elsewherePage(tongue, page, { title: words[tongue].orderTitle, signs: 'order', account, text })
}

type Signing = {
  readonly title: string
  readonly signs: 'sign' | 'order'
  readonly account: string
  readonly text: Markup
}

/** It has no link that goes on: the browser that began does. */
function elsewherePage(tongue: Tongue, { signIn, deliveryToken, fault }: Signed, signing: Signing): string {
  const { title, signs, account, text } = signing
  const say = words[tongue]
  return frame(
    tongue,
    title,
    html`<h1>${title}</h1>
      ${faultLine(tongue, fault)}
      <p class="warning">${say.begunElsewhere}</p>
      ${aboutClient(tongue, signIn)} ${text} ${walletSlot(tongue, signs, account)}
      <p class="quiet">${say.walletBrowser}</p>
      <form id="sign" method="post" action="/oauth/consent/${signIn.rid}/elsewhere" data-rid="${signIn.rid}">
        ${hidden({ lang: tongue, action: signs, delivery_token: deliveryToken })} ${signatureFields(tongue)}
      </form>`,
  )
}

/** Nothing is left to sign here. */
export function elsewhereDonePage(tongue: Tongue): string {
  const say = words[tongue]
  return noticePage(tongue, say.signedTitle, say.signedElsewhere)
}
