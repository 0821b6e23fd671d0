import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCredential, receiptHeader, type SessionAction, type SessionCredential } from '@ergon/channels'
import { ProtocolError } from '@ergon/protocols'
import { upstreamPath, type Endpoint } from '../config/endpoints.ts'
import { Refusal, unavailable } from '../errors.ts'
import type { OwnChallenge } from '../session/challenges.ts'
import { closeSession } from '../session/close.ts'
import type { SessionDeps } from '../session/deps.ts'
import { openChannel } from '../session/open.ts'
import { payCall } from '../session/pay.ts'
import { topUpChannel } from '../session/top-up.ts'
import type { Channel } from '../store/channels.ts'
import { noteReceipted } from '../store/deliveries.ts'
import type { Upstreams } from '../upstream/call-upstream.ts'
import { readBody } from './read-body.ts'
import { say } from './say.ts'
import { writeAnswer } from './write-answer.ts'

/** A request of what is sold. */
export type Sold = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly askForBody: (response: ServerResponse) => void
  readonly endpoint: Endpoint
  readonly path: string
  /** With its question mark, or empty. */
  readonly search: string
  readonly address: string
}

type PayAction = Extract<SessionAction, { readonly action: 'voucher' | 'use' }>

/** Serves what is sold. `demandAct` is spent by what the ledger has to carry out. @throws Refusal */
export function createServe(
  deps: SessionDeps,
  upstreams: Upstreams,
  demandAct: (address: string) => void,
): (sold: Sold) => Promise<void> {
  return async (sold) => {
    const { request, endpoint, address } = sold
    const { authorization } = request.headers
    if (authorization === undefined) {
      if ((await deps.recent()) === undefined) throw unavailable('the ledger does not answer')
      throw new Refusal(402, 'payment_required', 'each call of this endpoint has a price', { type: 'payment-required' })
    }
    const credential = readOwn(authorization)
    const challenge = deps.challenges.read(credential.challenge, endpoint)
    const { action } = credential
    if (action.action === 'voucher' || action.action === 'use')
      return pay(deps, upstreams, { ...sold, action, challenge })
    demandAct(address)
    const channel = await act(deps, { ...sold, action, challenge })
    sold.response.setHeader('payment-receipt', receiptOf(channel, challenge.id, deps.config.idleSec))
    const { channelId, status, deposit } = channel
    say(sold.response, 200, { channelId, status, deposit: deposit.toString() })
  }
}

async function pay(
  deps: SessionDeps,
  upstreams: Upstreams,
  sold: Sold & { readonly action: PayAction; readonly challenge: OwnChallenge },
): Promise<void> {
  const { request, response, endpoint, path, search, action, challenge } = sold
  const { bodies, upstreamMs } = deps.config
  const idempotencyKey = keyOf(request)
  const body = await readBody(request, bodies.request, () => {
    sold.askForBody(response)
  })
  const paid = await payCall(deps, upstreams, {
    action,
    challenge,
    endpoint,
    idempotencyKey,
    request: {
      method: request.method ?? 'GET',
      path: upstreamPath(endpoint, path, search),
      headers: request.headers,
      body,
    },
  })
  const isWhole = await writeAnswer(paid, response, { mostBytes: bodies.answer, mostMs: upstreamMs.stream })
  // The answer is out and booked: that this note is lost costs nobody anything.
  if (isWhole && paid.claim !== undefined) await noteReceipted(deps.database, paid.claim).catch(() => undefined)
}

function act(
  deps: SessionDeps,
  {
    action,
    challenge,
    endpoint,
    address,
  }: Sold & { readonly action: Exclude<SessionAction, PayAction>; readonly challenge: OwnChallenge },
): Promise<Channel> {
  switch (action.action) {
    case 'open':
      return openChannel(deps, { action, challenge, endpoint, address })
    case 'topUp':
      return topUpChannel(deps, { action, endpoint, address })
    case 'close':
      return closeSession(deps, { action, endpoint })
  }
}

function readOwn(authorization: string): SessionCredential {
  try {
    return readCredential(authorization)
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw new Refusal(402, 'malformed_credential', cause.message, { type: 'malformed-credential' })
  }
}

/** One to 200 visible ASCII characters. */
function keyOf(request: IncomingMessage): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new Refusal(400, 'idempotency_key_malformed', 'Idempotency-Key must be 1 to 200 visible characters')
  return key
}

function receiptOf(channel: Channel, challengeId: string, idleSec: number): string {
  const { channelId, accepted, spent, settled, refunded, settlementSignature } = channel
  return receiptHeader({
    channelId,
    timestamp: new Date().toISOString(),
    challengeId,
    acceptedCumulative: accepted,
    spent: settled ?? spent,
    idleTimeoutSec: idleSec,
    ...(settlementSignature === null ? {} : { txHash: settlementSignature }),
    ...(refunded === null ? {} : { refunded }),
  })
}
