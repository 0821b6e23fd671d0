import type { TypedData } from '@ergon/protocols'
import { eventually, expectStatus, signEnvelope, type LiveMarket, type Party } from './live-market.ts'

type Body = Readonly<Record<string, unknown>>
type Asked = { readonly typed_data: TypedData; readonly envelope: { readonly payload: Body } }

/** The words of an offer to sign. */
export async function offerChallenge(by: Party, taskId: string, toWorker = 0.5): Promise<Body> {
  const target = `/api/v1/tasks/${taskId}/settlements/challenge?worker_amount_usd=${String(toWorker)}`
  return expectStatus(await by.call('GET', target), 200).body
}

/** All that an offer is made with, signed. */
export async function offerFields(by: Party, taskId: string, toWorker = 0.5): Promise<Record<string, unknown>> {
  const challenge = await offerChallenge(by, taskId, toWorker)
  return {
    worker_amount_usd: toWorker,
    expires_at: challenge['expires_at'],
    nonce: challenge['nonce'],
    // The challenge says so by its schema.
    signature: await by.signer.signTypedData(challenge['typed_data'] as TypedData),
    ...(await payments(by, challenge)),
  }
}

async function payments(by: Party, challenge: Body): Promise<Record<string, string>> {
  const names = ['settlement_auth_worker', 'settlement_auth_fee'] as const
  const signed: Record<string, string> = {}
  for (const name of names) {
    const asked = challenge[name] as Asked | null // by its schema
    if (asked !== null) signed[name] = await signEnvelope(by.signer, asked)
  }
  return signed
}

/** Makes an offer and answers its id. */
export async function offered(by: Party, taskId: string, toWorker = 0.5): Promise<string> {
  const fields = await offerFields(by, taskId, toWorker)
  return String(expectStatus(await by.call('POST', `/api/v1/tasks/${taskId}/settlements`, fields), 201).body['id'])
}

/** One that is open already, or a new one. */
export async function anOpenOffer(by: Party, taskId: string): Promise<string> {
  const { body } = expectStatus(await by.call('GET', `/api/v1/tasks/${taskId}/settlements`), 200)
  const listed = body['offers'] as readonly { readonly id: string; readonly status: string }[] // by its schema
  return listed.find(({ status }) => status === 'open')?.id ?? offered(by, taskId)
}

/** All that an offer is accepted with, signed. */
export async function acceptFields(by: Party, offerId: string): Promise<Record<string, unknown>> {
  const challenge = expectStatus(await by.call('GET', `/api/v1/settlements/${offerId}/challenge`), 200).body
  // The challenge says so by its schema.
  const release = challenge['release'] as { readonly typed_data: TypedData; readonly order: Body } | null
  return {
    signature: await by.signer.signTypedData(challenge['typed_data'] as TypedData),
    ...(release === null
      ? {}
      : {
          lifecycle_order: {
            signer: by.wallet,
            ...release.order,
            signature: await by.signer.signTypedData(release.typed_data),
          },
        }),
    ...(await payments(by, challenge)),
  }
}

type House = {
  readonly market: LiveMarket
  /** Of a tour, which notes what is called. */
  readonly journal?: { watch<P extends Party>(party: P): P }
  admin(method: string, target: string, body?: unknown): Promise<{ readonly status: number; readonly body: Body }>
}

const arbiters = new WeakMap<LiveMarket, Promise<Party>>()

/** A wallet that the operator named while the service ran; the same one in a market. */
export function anArbiter({ market, journal, admin }: House): Promise<Party> {
  const known = arbiters.get(market)
  if (known !== undefined) return known
  const named = nameArbiter(market, admin).then((party) => journal?.watch(party) ?? party)
  arbiters.set(market, named)
  return named
}

async function nameArbiter(market: LiveMarket, admin: House['admin']): Promise<Party> {
  const arbiter = await market.party(0n)
  const change = { key: 'disputes.arbiters', value: arbiter.wallet, reason: 'Knows gates.' }
  const { status, body } = await admin('PUT', '/api/v1/admin/config', change)
  if (status !== 200) throw new Error(JSON.stringify(body))
  await eventually(
    async () => JSON.stringify((await market.get('/api/v1/arbiters')).body),
    (listed) => listed.includes(arbiter.wallet),
  )
  return arbiter
}

export const grounds = {
  verdict: 'split',
  split_pct: 40,
  reason: 'Half of it is there.',
  criteria: ['The gate is on it.', 'By daylight, in line 2.'],
} as const

export async function rulingChallenge(by: Party, disputeId: string): Promise<Body> {
  const { criteria, ...said } = grounds
  const query = new URLSearchParams({ ...said, split_pct: '40' })
  for (const one of criteria) query.append('criteria', one)
  const target = `/api/v1/disputes/${disputeId}/ruling/challenge?${query.toString()}`
  return expectStatus(await by.call('GET', target), 200).body
}

/** A ruling as it is handed in, signed by who hands it in. */
export async function rulingFields(by: Party, disputeId: string): Promise<Record<string, unknown>> {
  const { typed_data, nonce, deadline } = await rulingChallenge(by, disputeId)
  return {
    ...grounds,
    nonce,
    deadline,
    // The challenge says so by its schema.
    signature: await by.signer.signTypedData(typed_data as TypedData),
  }
}

/** An arbiter rules; once is enough. */
export async function ruled(house: House, disputeId: string): Promise<void> {
  const arbiter = await anArbiter(house)
  const { status, body } = await arbiter.call(
    'POST',
    `/api/v1/disputes/${disputeId}/ruling`,
    await rulingFields(arbiter, disputeId),
  )
  if (status !== 201 && status !== 409) throw new Error(JSON.stringify(body))
}

export const unsignedRuling = {
  ...grounds,
  nonce: `0x${'11'.repeat(32)}`,
  deadline: Math.floor(Date.now() / 1_000) + 600,
  signature: `0x${'22'.repeat(65)}`,
}
