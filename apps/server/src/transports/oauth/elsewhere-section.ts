import { isLoopbackRedirect } from '@ergon/oauth'
import { html, type Markup } from './html.ts'
import { words, type Tongue } from './page-words.ts'
import { qrCode } from './qr-code.ts'

/** Which sign-in a device elsewhere signs for; the token is all that it is given. */
export type Elsewhere = { readonly issuer: string; readonly rid: string; readonly deliveryToken: string }

/** The page for a wallet on another device: whoever holds the token sees it, until the sign-in ends. */
export function elsewherePath({ rid, deliveryToken }: Omit<Elsewhere, 'issuer'>, tongue: Tongue): string {
  const query = new URLSearchParams({ delivery_token: deliveryToken, lang: tongue })
  return `/oauth/consent/${rid}/elsewhere?${query.toString()}`
}

/** How a wallet on another device signs: a code to scan, the address that is in it, and what a program posts. */
export function elsewhereSection(tongue: Tongue, elsewhere: Elsewhere): Markup {
  const { issuer, rid, deliveryToken } = elsewhere
  const say = words[tongue]
  const address = `${issuer}${elsewherePath(elsewhere, tongue)}`
  return html`<section>
    <h2>${say.elsewhere}</h2>
    <p>${say.scanHint}</p>
    ${isLoopbackRedirect(issuer) ? html`<p class="warning">${say.scanLocal}</p>` : null}
    ${qrCode(address, say.scanLabel)}
    <p><a href="${address}">${say.scanAddress}</a></p>
    <details>
      <summary>${say.programs}</summary>
      <p>${say.elsewhereHint}</p>
      <pre tabindex="0" role="region" aria-label="${say.programs}">
POST ${issuer}/oauth/consent/${rid}/signature
${JSON.stringify({ delivery_token: deliveryToken })}</pre>
    </details>
    <p><a href="/oauth/consent/${rid}?lang=${tongue}">${say.check}</a></p>
  </section>`
}
