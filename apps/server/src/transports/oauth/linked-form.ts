import type { SignIn } from '@ergon/oauth'
import { html, type Markup } from './html.ts'
import type { Tongue } from './page-words.ts'

/** The state of a sign-in by an external signer (spec §5, OAuth 12). */
export type LinkedNotice = {
  readonly state: 'offered' | 'pending' | 'unavailable'
  readonly approvalUrl: string | null
}

const linkedWords = {
  en: {
    title: 'Sign with a linked signer',
    hint: 'Your external signer is asked for this signature, and you approve it there. The wallet is linked to it then: later signatures can be asked for in the same way, one by one.',
    ask: 'Ask the linked signer',
    again: 'I have approved it',
    pending: 'The signer waits for you. Approve the text there, then go on here.',
    open: 'Open the signer',
    unavailable: 'The signer gave no signature for this wallet. Sign in another way, or try again.',
  },
  es: {
    title: 'Firmar con un firmante vinculado',
    hint: 'Se pide esta firma a tu firmante externo y la apruebas allí. El monedero queda vinculado: más adelante se pueden pedir firmas del mismo modo, una por una.',
    ask: 'Pedir al firmante vinculado',
    again: 'Ya lo aprobé',
    pending: 'El firmante espera tu aprobación. Aprueba allí el texto y continúa aquí.',
    open: 'Abrir el firmante',
    unavailable: 'El firmante no dio una firma de este monedero. Firma de otra manera o inténtalo de nuevo.',
  },
} as const satisfies Record<Tongue, Readonly<Record<string, string>>>

/** The button that asks the signer; a form like the others, so it works without script. */
export function linkedForm(
  tongue: Tongue,
  page: {
    readonly signIn: SignIn
    readonly csrf: string
    readonly deliveryToken: string
    readonly linked: LinkedNotice | null
  },
): Markup | null {
  const { signIn, csrf, deliveryToken, linked } = page
  if (linked === null) return null
  const say = linkedWords[tongue]
  const { state, approvalUrl } = linked
  const fields = Object.entries({ csrf, lang: tongue, action: 'linked', delivery_token: deliveryToken })
  return html`<section>
    <h2>${say.title}</h2>
    <p>${say.hint}</p>
    ${state === 'pending' ? html`<p role="status">${say.pending}</p>` : null}
    ${state === 'unavailable' ? html`<p class="fault" role="alert">${say.unavailable}</p>` : null}
    ${
      approvalUrl === null
        ? null
        : html`<p><a href="${approvalUrl}" target="_blank" rel="noopener noreferrer">${say.open}</a></p>`
    }
    <form method="post" action="/oauth/consent/${signIn.rid}">
      ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <div class="actions">
        <button type="submit" class="plain">${state === 'pending' ? say.again : say.ask}</button>
      </div>
    </form>
  </section>`
}
