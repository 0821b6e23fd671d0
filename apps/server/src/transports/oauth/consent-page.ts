import { isLoopbackRedirect, redirectHost, type ScopeRules, type SignIn } from '@ergon/oauth'
import { elsewhereSection } from './elsewhere-section.ts'
import { html, type Markup } from './html.ts'
import { linkedForm, type LinkedNotice } from './linked-form.ts'
import { pageFiles } from './page-answer.ts'
import { tongues, words, type PageFault, type Tongue } from './page-words.ts'

export type Chain = { readonly chainId: number; readonly title: string }

/** What a person typed or ticked, as it is shown again when something is wrong with it. */
export type Typed = {
  readonly address: string
  readonly chainId: string
  readonly scopes: readonly string[]
  readonly approves: boolean
  readonly usd: string
  readonly count: string
}

export type PageContext = { readonly tongue: Tongue; readonly rules: ScopeRules; readonly chains: readonly Chain[] }

export type ChoicePage = {
  readonly signIn: SignIn
  readonly csrf: string
  readonly typed: Typed
  /** The wallet that this browser proved before. */
  readonly remembered: { readonly address: string; readonly chainId: number } | null
  readonly fault: PageFault | null
}

/** The first page: who asks, which wallet, what is allowed. */
export function choicePage({ tongue, rules, chains }: PageContext, page: ChoicePage): string {
  const { signIn, csrf, typed, remembered, fault } = page
  const say = words[tongue]
  const path = `/oauth/consent/${signIn.rid}`
  const refused = signIn.scopes.filter((scope) => scope !== rules.approve && !rules.basic.includes(scope))
  return frame(
    tongue,
    say.title,
    html`${tongueLinks(tongue, path)}
      <h1>${signIn.clientName} ${say.asks}</h1>
      ${faultLine(tongue, fault)} ${aboutClient(tongue, signIn)}
      <form method="post" action="${path}">
        ${hidden({ csrf, lang: tongue })}
        <fieldset>
          <legend>${say.wallet}</legend>
          ${walletFields(tongue, chains, typed, remembered)}
        </fieldset>
        <fieldset>
          <legend>${say.may}</legend>
          ${rules.basic.map((scope) => scopeBox(tongue, scope, typed.scopes.includes(scope)))}
          ${refused.length === 0 ? null : html`<p class="quiet">${say.never} ${refused.join(', ')}</p>`}
          <p class="quiet">${say.lasts}</p>
        </fieldset>
        ${approvalFields(tongue, rules, typed)}
        <div class="actions">
          <button type="submit" name="action" value="choose">${remembered === null ? say.goOn : say.allow}</button>
          <button type="submit" name="action" value="deny" class="plain" formnovalidate>${say.deny}</button>
        </div>
      </form>`,
  )
}

/** Who asks, and where the answer goes. */
export function aboutClient(tongue: Tongue, { clientName, clientHost, redirectUri }: SignIn): Markup {
  const say = words[tongue]
  return html`<section>
    <dl>
      <dt>${say.client}</dt>
      <dd>${clientName}</dd>
      <dt>${say.clientHost}</dt>
      <dd>${clientHost ?? say.unverified}</dd>
      <dt>${say.redirect}</dt>
      <dd>${redirectHost(redirectUri)}</dd>
    </dl>
    ${isLoopbackRedirect(redirectUri) ? html`<p class="warning">${say.loopback}</p>` : null}
  </section>`
}

function walletFields(
  tongue: Tongue,
  chains: readonly Chain[],
  typed: Typed,
  remembered: ChoicePage['remembered'],
): Markup {
  const say = words[tongue]
  return html`${remembered === null ? null : html`<p>${say.remembered}</p>`}
    <div
      class="actions"
      data-wallets="choose"
      data-with="${say.useWallet}"
      data-other="${say.otherWallet}"
      data-refused="${say.walletRefused}"
      hidden
    ></div>
    <p class="fault" role="alert" data-said hidden></p>
    <label for="address">${say.address}</label>
    <input
      type="text"
      id="address"
      name="address"
      required
      autocomplete="off"
      spellcheck="false"
      aria-describedby="address-hint"
      value="${typed.address}"
    />
    <small id="address-hint">${say.addressHint}</small>
    ${
      chains.length === 1
        ? hidden({ chain: typed.chainId })
        : html`<label for="chain">${say.chain}</label>
            <select id="chain" name="chain">
              ${chains.map(
                ({ chainId, title }) =>
                  html`<option value="${chainId}" ${flag(String(chainId) === typed.chainId, 'selected')}>
                    ${title}
                  </option>`,
              )}
            </select>`
    }`
}

function scopeBox(tongue: Tongue, scope: string, isTicked: boolean): Markup {
  const [what, more] = words[tongue].scopes[scope] ?? [scope, '']
  return html`<label class="tick"
    ><input type="checkbox" name="scope" value="${scope}" ${flag(isTicked, 'checked')} /><span
      >${what} <small>${more} (${scope})</small></span
    ></label
  >`
}

function approvalFields(tongue: Tongue, { approve }: ScopeRules, typed: Typed): Markup {
  const say = words[tongue]
  return html`<fieldset>
    <legend>${say.approveTitle}</legend>
    <label class="tick"
      ><input
        type="checkbox"
        name="approve"
        value="yes"
        aria-describedby="approve-hint"
        ${flag(typed.approves, 'checked')}
      /><span>${say.approve} <small>(${approve})</small></span></label
    >
    <p class="quiet" id="approve-hint">${say.approveHint}</p>
    <label for="usd">${say.usd}</label>
    <input type="text" inputmode="decimal" id="usd" name="usd" autocomplete="off" value="${typed.usd}" />
    <label for="count">${say.count}</label>
    <input type="text" inputmode="numeric" id="count" name="count" autocomplete="off" value="${typed.count}" />
  </fieldset>`
}

export type SigningPage = {
  readonly signIn: SignIn
  readonly csrf: string
  readonly account: string
  readonly message: string
  readonly deliveryToken: string
  readonly issuer: string
  /** What an external signer has done with it so far; null where none is linked here. */
  readonly linked: LinkedNotice | null
  readonly fault: PageFault | null
}

/** The second page: the text to sign, and the ways to hand the signature in. */
export function signingPage(tongue: Tongue, page: SigningPage): string {
  const say = words[tongue]
  const path = `/oauth/consent/${page.signIn.rid}`
  return frame(
    tongue,
    say.signTitle,
    html`<h1>${say.signTitle}</h1>
      ${faultLine(tongue, page.fault)}
      <p>${say.signHint}</p>
      <pre id="text" tabindex="0" role="region" aria-label="${say.signTitle}">${page.message}</pre>
      ${walletSlot(tongue, 'sign', page.account)}
      <form
        id="sign"
        method="post"
        action="${path}"
        data-rid="${page.signIn.rid}"
        data-page="${path}?lang=${tongue}"
        data-status="${path}/status"
      >
        ${hidden({ csrf: page.csrf, lang: tongue, action: 'sign', delivery_token: page.deliveryToken })}
        ${signatureFields(tongue)}
      </form>
      ${elsewhereSection(tongue, { ...page, rid: page.signIn.rid })} ${linkedForm(tongue, page)}
      <p><a href="${path}?lang=${tongue}">${say.back}</a></p>`,
  )
}

/** Where a signature is pasted. */
export function signatureFields(tongue: Tongue): Markup {
  const say = words[tongue]
  return html`<label for="signature">${say.signature}</label>
    <textarea
      id="signature"
      name="signature"
      rows="4"
      required
      autocomplete="off"
      spellcheck="false"
      aria-describedby="signature-hint"
    ></textarea>
    <small id="signature-hint">${say.signatureHint}</small>
    <div class="actions"><button type="submit">${say.deliver}</button></div>`
}

/** Where wallets of this browser are offered: to sign the text, or the typed data, that is shown. */
export function walletSlot(tongue: Tongue, signs: 'sign' | 'order', account: string): Markup {
  const say = words[tongue]
  return html`<div
      class="actions"
      data-wallets="${signs}"
      data-account="${account}"
      data-with="${say.signWith}"
      data-other="${say.otherWallet}"
      data-refused="${say.walletRefused}"
      hidden
    ></div>
    <p class="fault" role="alert" data-said hidden></p>`
}

/** What was decided: the browser that began goes on by a link, never by a form. */
export function decidedPage(tongue: Tongue, signIn: SignIn): string {
  const say = words[tongue]
  const { outcome, rid, redirectUri } = signIn
  const link = html`<p>
    <a class="button" id="continue" data-rid="${rid}" href="/oauth/consent/${rid}/finish"
      >${say.carryOn} ${redirectHost(redirectUri)}</a
    >
  </p>`
  if (outcome.kind === 'denied')
    return frame(
      tongue,
      say.deniedTitle,
      html`<h1>${say.deniedTitle}</h1>
        <p>${say.deniedHint}</p>
        ${link}`,
    )
  if (outcome.kind !== 'allowed') return noticePage(tongue, say.finishedTitle, say.finishedHint)
  return frame(
    tongue,
    say.signedTitle,
    html`<h1>${say.signedTitle}</h1>
      <p>${say.signedBy} <code>${shortened(outcome.address)}</code></p>
      ${aboutClient(tongue, signIn)}
      <p>${say.signedHint}</p>
      ${link}`,
  )
}

/** A page with nothing to do on it; `detail` is for whoever develops the tool. */
export function noticePage(tongue: Tongue, title: string, text: string, detail?: string): string {
  return frame(
    tongue,
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>
      ${detail === undefined ? null : html`<p class="fault">${detail}</p>`}`,
  )
}

const shortened = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

export function faultLine(tongue: Tongue, fault: PageFault | null): Markup | null {
  return fault === null ? null : html`<p class="fault" role="alert" id="fault">${words[tongue].faults[fault]}</p>`
}

function tongueLinks(tongue: Tongue, path: string): Markup {
  const names = { en: 'English', es: 'Español' } as const
  return html`<p class="tongues">
    ${tongues
      .filter((one) => one !== tongue)
      .map((one) => html`<a lang="${one}" hreflang="${one}" href="${path}?lang=${one}">${names[one]}</a>`)}
  </p>`
}

export function hidden(fields: Readonly<Record<string, string>>): Markup {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )
  return html`${inputs}`
}

const flag = (isOn: boolean, name: 'checked' | 'selected'): Markup | null =>
  !isOn ? null : name === 'checked' ? html`checked` : html`selected`

export function frame(tongue: Tongue, title: string, main: Markup): string {
  return html`<!doctype html>
    <html lang="${tongue}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Ergon</title>
        <link rel="stylesheet" href="${pageFiles.style.path}" />
        <script type="module" src="${pageFiles.script.path}"></script>
      </head>
      <body>
        <main>${main}</main>
      </body>
    </html>`.text
}
