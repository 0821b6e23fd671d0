import { buildSignInMessage } from '@ergon/protocols'
import { usdOf } from './approval-limits.ts'
import type { Choice, SignIn } from './ports.ts'
import { redirectHost } from './redirects.ts'
import type { Places } from './resource.ts'

/** When and by which number a text was made. */
export type TextMoment = { readonly nonce: string; readonly issuedAt: Date; readonly expiresAt: Date }

/**
 * The EIP-4361 text of a consent: who asks, what is allowed, up to which limits. The server alone writes it, and writes
 * it again to check a signature; nothing of a client's text is ever read back.
 */
export function consentText(
  { issuer }: Places,
  signIn: Pick<SignIn, 'rid' | 'clientId' | 'clientName' | 'clientHost' | 'redirectUri'>,
  { address, chainId, scopes, limits }: Choice,
  { nonce, issuedAt, expiresAt }: TextMoment,
): string {
  return buildSignInMessage({
    domain: new URL(issuer).host,
    address,
    statement: statementOf(signIn, limits),
    uri: issuer,
    chainId,
    nonce,
    issuedAt: issuedAt.toISOString(),
    expirationTime: expiresAt.toISOString(),
    requestId: signIn.rid,
    resources: [
      ...scopes.map((scope) => `urn:ergon:scope:${scope}`),
      ...(limits === null
        ? []
        : [
            `urn:ergon:approve-max-usd:${usdOf(limits.maxCents)}`,
            `urn:ergon:approve-max-count:${String(limits.maxCount)}`,
          ]),
      `urn:ergon:client:${encodeURIComponent(signIn.clientId)}`,
      `urn:ergon:redirect-host:${encodeURIComponent(redirectHost(signIn.redirectUri))}`,
    ],
  })
}

function statementOf(
  { clientName, clientHost, redirectUri }: Pick<SignIn, 'clientName' | 'clientHost' | 'redirectUri'>,
  limits: Choice['limits'],
): string {
  const who = `'${plain(clientName)}' (${plain(clientHost ?? 'name not verified')})`
  const approvals =
    limits === null
      ? 'It may release no money.'
      : `It may approve work and so release up to ${usdOf(limits.maxCents)} USD each time, ` +
        `${String(limits.maxCount)} times at most, within 15 minutes.`
  return (
    `Let ${who} act for this wallet, as the scopes below say, until you take it back. ${approvals} ` +
    `The answer goes to ${plain(redirectHost(redirectUri))}. This text itself moves no money and costs no gas.`
  )
}

/** A statement is one line of plain ASCII (EIP-4361); what else a name holds is shown as a question mark. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9 \-._~:/?#[\]@!$&()*+,;=]/gu, '?')
}
