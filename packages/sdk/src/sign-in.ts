import { parseSignInMessage, type SignInFields } from '@ergon/protocols'
import { requireSigner } from './agreement.ts'
import { ChallengeMismatch, requireAddress, requireSame } from './challenge-mismatch.ts'
import type { OperationsClient, Output } from './client.ts'

export type SignInOptions = {
  /** Where the person is: what the wallet shows must name this origin. The origin of the service unless told. */
  readonly origin?: string
}

/** A text that could be used much later would be a key that lies about. */
const longestLifeMs = 900_000
const clockSkewMs = 60_000

/**
 * Signs a person in: fetches the text, checks that it signs this wallet in here and nothing else, signs it and opens
 * the session (spec §5.9, decision 0048).
 *
 * @throws ChallengeMismatch when the text is about anything else; nothing is signed then.
 */
export async function signIn(
  client: OperationsClient,
  options: SignInOptions = {},
): Promise<Output<'auth.openSession'>> {
  if (!client.session) throw new TypeError('signing in needs a client with session: true')
  const signer = requireSigner(client)
  const origin = new URL(options.origin ?? client.transport.baseUrl)
  const chainId = await client.chainId()
  const { message, nonce } = await client.auth.sessionChallenge({ wallet: signer.address, chain_id: chainId })
  const fields = read(message)
  requireAddress('wallet', signer.address, fields.address)
  requireSame('domain', origin.host, fields.domain)
  requireSame('uri', origin.origin, fields.uri)
  requireSame('chain', chainId, fields.chainId)
  requireSame('nonce', nonce, fields.nonce)
  // A resource would be a right that signing in does not ask for.
  requireSame('list of resources', 0, fields.resources?.length ?? 0)
  checkLife(fields, client.transport.now())
  return client.auth.openSession({ message, signature: await signer.signMessage(message) })
}

function read(message: string): SignInFields {
  try {
    return parseSignInMessage(message)
  } catch {
    throw new ChallengeMismatch('text', 'a sign-in of EIP-4361', 'something else')
  }
}

function checkLife({ issuedAt, expirationTime }: SignInFields, now: number): void {
  const until = Date.parse(expirationTime ?? '')
  if (!(until > now && until <= now + longestLifeMs + clockSkewMs))
    throw new ChallengeMismatch('expiry', `within ${longestLifeMs / 1_000} s`, expirationTime)
  if (!(Date.parse(issuedAt) <= now + clockSkewMs)) throw new ChallengeMismatch('issue', 'a text of now', issuedAt)
}
