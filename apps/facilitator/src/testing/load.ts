import { Agent, request } from 'node:http'
import type { Address, Hex } from '@ergon/protocols'
import { aPaymentInfo, aTransfer, authorizeBody, exactV2, payer, releaseBody } from './payments.ts'

export type Load = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures: readonly string[]
}

type Post = (path: string, body: string) => Promise<{ readonly status: number; readonly text: string }>

/** A client that costs little beside the service it measures: kept-alive sockets, bodies built beforehand. */
function createPoster(url: string, inFlight: number): Post & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const { hostname, port } = new URL(url)
  const post: Post = (path, body) =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          agent,
          hostname,
          port,
          path,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () => {
            resolve({ status: response.statusCode ?? 0, text })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  return Object.assign(post, {
    [Symbol.dispose]: () => {
      agent.destroy()
    },
  })
}

/** Takes the jobs one after another from `inFlight` hands, and times each. */
async function drive(
  jobs: number,
  inFlight: number,
  job: (index: number) => Promise<string | undefined>,
): Promise<Load> {
  const times: number[] = []
  const failures: string[] = []
  let next = 0
  const startedAt = performance.now()
  const hand = async (): Promise<void> => {
    while (next < jobs) {
      const index = next
      next += 1
      const from = performance.now()
      const failure = await job(index)
      if (failure === undefined) times.push(performance.now() - from)
      else failures.push(failure)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, hand))
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), failures }
}

export type Payer = { readonly address: Address; readonly privateKey: Hex }

/** POST /verify of direct payments; `distinct` payments are signed by the payers in turn, each asked for in turn. */
export async function measureVerify(
  url: string,
  options: {
    readonly requests: number
    readonly inFlight: number
    readonly distinct: number
    readonly payers?: readonly Payer[]
  },
): Promise<Load> {
  using post = createPoster(url, options.inFlight)
  const { payers = [payer] } = options
  const bodies = Array.from({ length: options.distinct }, (_, index) => {
    const { address: from, privateKey: key } = payers[index % payers.length] ?? payer
    return JSON.stringify(exactV2(aTransfer({ from }), { key }))
  })
  return await drive(options.requests, options.inFlight, async (index) => {
    const { status, text } = await post('/verify', bodies[index % bodies.length] ?? '')
    return status === 200 && text.startsWith('{"isValid":true') ? undefined : `${status} ${text}`
  })
}

/** POST /settle: authorize and then release, a pair a job; the payer of the builders must hold a dollar for each. */
export async function measureEscrowPairs(
  url: string,
  options: { readonly pairs: number; readonly inFlight: number },
): Promise<Load> {
  using post = createPoster(url, options.inFlight)
  const pairs = Array.from({ length: options.pairs }, () => {
    const info = aPaymentInfo()
    return [JSON.stringify(authorizeBody(info)), JSON.stringify(releaseBody(info, info.maxAmount))] as const
  })
  return await drive(options.pairs, options.inFlight, async (index) => {
    for (const body of pairs[index] ?? []) {
      const { status, text } = await post('/settle', body)
      if (status !== 200 || !text.startsWith('{"success":true')) return `${status} ${text}`
    }
    return undefined
  })
}
