import { MarketError } from '@ergon/core'
import type { Hex } from '@ergon/protocols'
import { done, type Call, type HandlersOf } from '../dispatch/handlers.ts'
import { headerOf } from '../dispatch/plan.ts'
import type { ApiDeps } from './deps.ts'
import { pictureUrl } from './present/picture.ts'

type Some = Partial<HandlersOf<'auth'>>

const signatureTtlSec = 300

export function createAuthHandlers(deps: ApiDeps): HandlersOf<'auth'> {
  return { ...createSigning(deps), ...createSessions(deps) }
}

const createSigning = (deps: ApiDeps) =>
  ({
    'auth.nonce': () =>
      done({
        nonce: deps.freshNonce(),
        ttl_seconds: signatureTtlSec,
        message: 'Use it in one signed request; a nonce of your own making is just as good.',
      }),
    'auth.signingPolicy': () => done({ ...deps.signingPolicy() }),
    'auth.info': () =>
      done({
        modes: [
          {
            name: 'erc8128',
            enabled: true,
            description: 'Requests signed by a wallet (RFC 9421, ERC-8128); see /api/v1/auth/erc8128/info.',
          },
          {
            name: 'session',
            enabled: true,
            description: 'Session of a person in a cookie; see POST /api/v1/auth/session/challenge.',
          },
          { name: 'oauth', enabled: deps.oauth, description: 'Delegated tokens on the tool rail.' },
          { name: 'api_key', enabled: false, description: 'Refused on this host.' },
        ],
        paybox_connect: deps.linked.isOn,
      }),
  }) satisfies Some

/** People come in, are known and go (spec §5.9). */
const createSessions = (deps: ApiDeps) => {
  const { signIn, sessions, origins } = deps.people
  /** A browser names the site of the page that asks; a page of strangers starts no session (decision 0048). */
  const originOf = ({ request }: Call): string | undefined => {
    const origin = headerOf(request, 'origin')
    if (origin !== undefined && !origins.allows(origin)) throw new MarketError('ORIGIN_NOT_ALLOWED')
    return origin
  }
  return {
    'auth.sessionChallenge': (call, input) => {
      const served = deps.networks.flatMap((one) => (one.chainId === undefined ? [] : [one.chainId]))
      const chainId = input.chain_id ?? served[0]
      if (chainId === undefined || !served.includes(chainId))
        throw new MarketError('NETWORK_NOT_ACCEPTED', { chain_id: input.chain_id ?? null })
      const { message, nonce, expiresAt } = signIn.challenge(input.wallet, chainId, origins.siteOf(originOf(call)))
      return done({ message, nonce, expires_at: expiresAt.toISOString() })
    },
    'auth.openSession': async (call, input) => {
      originOf(call)
      // The schema asks for hex after 0x.
      const account = await signIn.prove(input.message, input.signature as Hex, call.request.ip)
      await deps.accounts.check(account)
      const { session, cookie } = await sessions.open(account)
      return {
        body: { wallet: session.wallet, expires_at: session.expiresAt.toISOString() },
        headers: { 'set-cookie': cookie },
      }
    },
    'auth.readSession': async ({ caller, request }) => {
      if (caller.kind === 'anonymous')
        return done({ wallet: null, executor_id: null, picture_url: null, expires_at: null })
      const session = caller.via === 'session' ? await sessions.read(request) : null
      const worker = await deps.market.workerByWallet(caller.wallet)
      return done({
        wallet: caller.wallet,
        executor_id: worker?.id ?? null,
        picture_url: pictureUrl(worker?.picture ?? null),
        expires_at: session?.expiresAt.toISOString() ?? null,
      })
    },
    'auth.closeSession': async ({ request }) => {
      const session = await sessions.read(request)
      return {
        body: { wallet: null },
        headers: session === null ? {} : { 'set-cookie': await sessions.close(session.sid) },
      }
    },
  } satisfies Some
}
