import { expectStatus } from '../http/live-market.ts'
import type { Bench } from './bench.ts'
import { nothing } from './producers-requests.ts'
import type { Producers } from './producers.ts'

const path = '/api/v1/webhooks'
const input = { url: 'http://127.0.0.1:9/', events: ['*'] }

async function registered({ publisher }: Bench): Promise<string> {
  const mine = expectStatus(await publisher.call('GET', path), 200).body['webhooks'] as readonly {
    readonly webhook_id: string
  }[] // the contract's output
  return mine[0]?.webhook_id ?? String(expectStatus(await publisher.call('POST', path, input), 201).body['webhook_id'])
}

/** Endpoints that wallets have their feeds posted to. */
export const hookProducers = {
  WEBHOOK_URL_REFUSED: ({ publisher }) => publisher.call('POST', path, { ...input, url: 'https://169.254.169.254/' }),
  WEBHOOK_NOT_FOUND: ({ publisher }) => publisher.call('GET', `${path}/${nothing}`),
  WEBHOOK_NOT_VERIFIED: async (bench) =>
    bench.publisher.call('PUT', `${path}/${await registered(bench)}`, { status: 'active' }),
  WEBHOOK_CHALLENGE_FAILED: async (bench) => bench.publisher.call('POST', `${path}/${await registered(bench)}/verify`),
  async DELIVERY_NOT_FOUND(bench) {
    const id = await registered(bench)
    await bench.sql("update webhooks set verified_at = now(), status = 'paused' where id = $1", [id])
    return bench.publisher.call('POST', `${path}/${id}/deliveries/${nothing}/replay`)
  },
  async WEBHOOK_CAP_REACHED({ market }) {
    const party = await market.party(0n)
    for (let count = 0; count < 10; count += 1) expectStatus(await party.call('POST', path, input), 201)
    return party.call('POST', path, input)
  },
} satisfies Partial<Producers>
